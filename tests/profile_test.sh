#!/usr/bin/env bash
# `make profile` on a GPU (the fake driver) with an ncu that prints the simulator's counts in Nsight
# Compute's format: without sqlite3 it prints the lessons' table, and names what this chip cannot
# run.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
printf '#!/bin/sh\nexit 127\n' >"$work/bin/sqlite3"
cat >"$work/bin/ncu" <<'SCRIPT'
#!/bin/bash
while [[ $1 == --* ]]; do
    case $1 in
        --log-file) log=$2; shift ;;
        --metrics) metrics=$2; shift ;;
        --query-metrics) exit 1 ;;
        --csv) ;;
        *) shift ;;
    esac
    shift
done
step=${1##*/} variant=$(grep -oP -- '--variant \K\S+' <<<"$*")
[[ ! ${FORBIDDEN:-} ]] || { echo '==ERROR== ERR_NVGPUCTRPERM' >"$log"; exit 1; }
"$@" || exit
{
    echo '==PROF== Connected to process 1 (ladder)'
    echo '"ID","Process ID","Process Name","Kernel Name","Metric Name","Metric Unit","Metric Value"'
    awk -F, -v key="$step,$variant" -v metrics="$metrics" '
        $4 "," $5 == key { value[$9] = $10 }
        function grouped(text, out) { for (; text ~ /^[0-9][0-9][0-9][0-9]+$/; text = substr(text, 1, length(text) - 3)) out = "," substr(text, length(text) - 2) out; return text out }
        function put(name) { printf "\"0\",\"1\",\"ladder\",\"sgemm(int, \"\"a\"\", b)\",\"%s\",\"inst\",\"%s\"\n", name, name in value ? grouped(value[name]) : "n/a" }
        END { for (i = 1; i <= split(metrics, asked, ","); i++) put(asked[i]) }' "$COUNTED"
} >"$log"
SCRIPT
chmod +x "$work/bin/"*
cat >"$work/line.awk" <<'SCRIPT'
{ line = $1 ":"; for (i = 1; i <= split($2, c, "|"); i++) if (c[i] != "") line = line " " shown(c[i], "count"); print line }
SCRIPT
export COUNTED=$work/sim.csv
build/ladder --backend sim --check off --step 05,08 --size 64 --counters "$COUNTED" >/dev/null
profile() { env PATH="$work/bin:$PATH" LD_LIBRARY_PATH="$PWD/build/fake" COUNTERS="$work/counters.csv" tools/profile.sh "$@"; }

case_is 'without sqlite3' 0 "appended to $work/counters.csv" profile 05,08 64
profile 05,08 64 >"$work/said"
counted=$(sed -n 's/.*,sim,\(05_float4,both,64,64,64,smsp__inst_executed.sum,[0-9]*\)$/,gpu,\1/p' "$COUNTED")
if [[ $counted && $(awk -F, 'NR > 1 && (NF != 10 || $10 !~ /^[0-9.e+-]+$/)' "$work/counters.csv" | wc -l) == 0 && $(grep -c "$counted\$" "$work/counters.csv") == 2 ]]; then
    pass 'rows of counters.csv'
else
    fail 'rows of counters.csv' "$(head "$work/counters.csv")"
fi

# rows FILE: prints the tables' rows as "WORDS: FIGURE FIGURE ...".
rows() { awk 'length($0) > 52 && !/ at 64 / && !/^appended/ { words = substr($0, 1, 52); sub(/ *$/, "", words); $0 = substr($0, 53); $1 = $1; print words ": " $0 }' "$1"; }
if needs "the table is the views'" sqlite3; then
    mkdir "$work/q" "$work/loaded"
    cp "$work/counters.csv" "$work/q"
    tools/load.sh "$work/q" "$work/loaded"
    cat tools/tables.sql - <<<'select " ", cells from table_counters;' | sqlite3 -batch -bail -init /dev/null -tabs "$work/loaded/data.db" |
        awk -F'\t' -f tools/cells.awk -f "$work/line.awk" >"$work/views"
    if said=$(diff <(rows "$work/said") "$work/views") && [[ $(wc -l <"$work/views") -gt 25 ]]; then pass "the table is the views'"; else fail "the table is the views'" "$said"; fi
fi

case_is 'the last variant that runs' 0 '05_float4 at 64' profile 05 64 last
case_is 'no such variant' 2 "no variant 'nine'" profile 05 64 nine

# Where the driver forbids counters, the simulator's rows replace them.
forbidden_said=$(env PATH="$work/bin:$PATH" LD_LIBRARY_PATH="$PWD/build/fake" FORBIDDEN=yes COUNTERS="$work/forbidden.csv" tools/profile.sh 05 64 2>&1)
status=$?
if [[ $status == 0 && $(cut -d, -f4- "$work/forbidden.csv" | grep -c '^05_float4,both,64,64,64,smsp__inst_executed.sum,') == 1 && $(grep -c ',gpu,' "$work/forbidden.csv") == 0 ]]; then
    pass 'forbidden counters are counted by the simulator'
else
    fail 'forbidden counters are counted by the simulator' "exit status $status" "$forbidden_said"
fi
