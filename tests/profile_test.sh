#!/usr/bin/env bash
# Runs `make profile` on the fake driver, with an ncu that prints the simulator's counts in Nsight
# Compute's format. It must print the lessons' table, and name what this chip cannot run.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
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
        function grouped(text, out) {
            for (; text ~ /^[0-9][0-9][0-9][0-9]+$/; text = substr(text, 1, length(text) - 3))
                out = "," substr(text, length(text) - 2) out
            return text out
        }
        function put(name) {
            printf "\"0\",\"1\",\"ladder\",\"sgemm(int, \"\"a\"\", b)\",\"%s\",\"inst\",\"%s\"\n",
                name, name in value ? grouped(value[name]) : "n/a"
        }
        END { for (i = 1; i <= split(metrics, asked, ","); i++) put(asked[i]) }' "$COUNTED"
} >"$log"
SCRIPT
chmod +x "$work/bin/"*
export COUNTED=$work/sim.csv
build/ladder --backend sim --check off --step 05,08 --size 64 --counters "$COUNTED" >/dev/null
profile() {
    env PATH="$work/bin:$PATH" LD_LIBRARY_PATH="$PWD/build/fake" COUNTERS="$work/counters.csv" \
        tools/profile.sh "$@"
}

case_is 'counters on a GPU' 0 "appended to $work/counters.csv" profile 05,08 64
profile 05,08 64 >"$work/said"
counted=$(sed -n 's/.*,sim,\(05_float4,both,64,64,64,smsp__inst_executed.sum,[0-9]*\)$/,gpu,\1/p' \
    "$COUNTED")
if [[ $counted && $(awk -F, 'NR > 1 && (NF != 10 || $10 !~ /^[0-9.e+-]+$/)' "$work/counters.csv" |
    wc -l) == 0 && $(grep -c "$counted\$" "$work/counters.csv") == 2 ]]; then
    pass 'rows of counters.csv'
else
    fail 'rows of counters.csv' "$(head "$work/counters.csv")"
fi

# Without Python there are rows and no table. With Python the table's figures follow from the rows.
mkdir "$work/without"
(IFS=:; for folder in $PATH; do cp -sn "$folder"/* "$work/without/" 2>/dev/null; done)
rm -f "$work/without"/python*
cp -f "$work/bin/ncu" "$work/without/"
without_python() {
    env PATH="$work/without" LD_LIBRARY_PATH="$PWD/build/fake" COUNTERS="$work/rows.csv" \
        tools/profile.sh 05 64
}
case_is 'without Python: rows, no table' 0 "appended to $work/rows.csv" without_python
if [[ $(wc -l <"$work/rows.csv") -gt 25 ]]; then
    pass 'its rows are there'
else
    fail 'its rows are there' "$(head "$work/rows.csv")"
fi
# figures WORDS: the table's row with these words, for step 05.
figures() {
    awk -v words="$1" '/ at 64 / { here = /^05/ } here && index($0, words) == 1 {
            print substr($0, 53) }' "$work/said" | xargs
}
# ratio ABOVE BELOW: one counter over another for each variant of step 05.
ratio() {
    awk -F, -v above="$1" -v below="$2" '
        $4 == "05_float4" && $9 == above { value[$5] = $10; if (!seen[$5]++) order[++count] = $5 }
        $4 == "05_float4" && $9 == below { divisor[$5] = $10 }
        END { for (i = 1; i <= count; i++) { q = value[order[i]] / divisor[order[i]];
        printf (q == int(q) ? "%d " : q < 10 ? "%.2f " : "%.1f "), q } }' "$COUNTED" | xargs
}
if needs "the table's figures follow from the counters" python3; then
    sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum \
        requests=l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    if [[ $(figures 'sectors per global load request') == "$(ratio $sectors $requests)" &&
        $(figures 'warp instructions') =~ ^[0-9,]+( [0-9,]+)+$ ]] &&
        [[ $(grep -c '[0-9]$' "$work/said") -gt 25 ]]; then
        pass "the table's figures follow from the counters"
    else
        fail "the table's figures follow from the counters" "$(<"$work/said")" \
            "expected: $(ratio $sectors $requests)"
    fi
fi

case_is 'the last variant that runs' 0 '05_float4 at 64' profile 05 64 last
case_is 'profile of a variant that does not exist' 2 "no variant 'nine'" profile 05 64 nine

# Where the driver forbids counters, the simulator's rows replace them.
forbidden_said=$(env PATH="$work/bin:$PATH" LD_LIBRARY_PATH="$PWD/build/fake" FORBIDDEN=yes \
    COUNTERS="$work/forbidden.csv" tools/profile.sh 05 64 2>&1)
status=$?
[[ $status == 0 && $(cut -d, -f4- "$work/forbidden.csv" |
    grep -c '^05_float4,both,64,64,64,smsp__inst_executed.sum,') == 1 &&
    $(grep -c ',gpu,' "$work/forbidden.csv") == 0 ]]
verdict $? 'forbidden counters are counted by the simulator' "exit status $status" \
    "$forbidden_said"
