#!/usr/bin/env bash
# Each row of the results names the code that was measured. tools/results.sh reports the parts of
# docs/results that were measured with other code than the present one; tools/stale.py reports the
# figures.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# exits NAME STATUS COMMAND...: passes if the command's exit status is STATUS.
exits() {
    local name=$1 expected=$2 status=0 said
    said=$("${@:3}" 2>&1) || status=$?
    [[ $status == "$expected" ]]
    verdict $? "$name" "status $status: $said"
}

# --- rows and the kernels of this build
if of_13_0 'rows have the code of the kernels built'; then
    if said=$(tools/stale.py docs/results/h200 2>&1); then
        pass 'rows have the code of the kernels built'
    else
        fail 'rows have the code of the kernels built' "$(head -n 5 <<<"$said")"
    fi
fi
mkdir "$work/rows"
build/ladder --backend sim --step 01,15,shapes --variant coalesced,dispatch,one_level \
    --shape 70x60x50 --check off --csv "$work/rows/results.csv" >/dev/null
exits 'rows of today' 0 tools/stale.py "$work/rows"
code=$(build/ladder --list --codes | awk '$2 == "coalesced" { print $3 }')
if grep -q ",$code\$" "$work/rows/results.csv" && [[ $code =~ ^[0-9a-f]{8}$ ]]; then
    pass 'a row names its code'
else
    fail 'a row names its code' "$(<"$work/rows/results.csv")"
fi
# Changes the last digit of the code in the row of a kernel (01_naive), and in the row of a kernel
# that a rule chose (shapes): that row is reported.
for step in 01_naive shapes; do
    mkdir -p "$work/$step"
    awk -F, -v OFS=, -v step=$step \
        '$6 == step { last = substr($NF, 8); $NF = substr($NF, 1, 7) (last == "0" ? "1" : "0") }
            { print }' "$work/rows/results.csv" >"$work/$step/results.csv"
    said=$(tools/stale.py "$work/$step" 2>&1) && status=0 || status=$?
    [[ $status == 1 && $(wc -l <<<"$said") == 1 && $said == *"$step/"* ]]
    verdict $? "a row of $step with another code" "status $status: $said"
done
# Only the newest row of a measurement counts. Rows without a code, from an older version, pass.
cat "$work/01_naive/results.csv" <(sed 1d "$work/rows/results.csv") >"$work/newer"
mkdir "$work/both" && cp "$work/newer" "$work/both/results.csv"
exits 'a newer row takes its place' 0 tools/stale.py "$work/both"
sed '2,$s/,[^,]*$/,/' "$work/01_naive/results.csv" >"$work/both/results.csv"
exits 'rows without a code' 0 tools/stale.py "$work/both"
printf 'what,ms,commit,driver,code_hash\na,1,c,d,%s\n' "$(tools/stale.py --library)" \
    >"$work/both/library.csv"
exits "libsgemm's rows" 0 tools/stale.py "$work/both"
printf 'what,ms,commit,driver,code_hash\na,1,c,d,00000000\n' >"$work/both/library.csv"
exits "libsgemm's rows of other code" 1 tools/stale.py "$work/both"

# A kernel has the same code in each step that has it: step 09's hand_16x8_row is step 10's
# whole_16x8.
same=$(build/ladder --list --codes |
    awk '$2 == "hand_16x8_row" || $2 == "whole_16x8" { print $3 }' | sort -u | wc -l)
[[ $same == 1 ]]
verdict $? 'one kernel, one code'

# --- parts of docs/results, in a clone of the project
git clone -q --depth 1 "file://$PWD" "$work/clone" 2>/dev/null || {
    skip 'parts in a clone' 'no git here'
    exit 0
}
cp tools/results.sh tools/commit.sh "$work/clone/tools/"
git -C "$work/clone" -c user.name=t -c user.email=t@t commit -qam 'as it is here' 2>/dev/null ||
    true
cd "$work/clone" || exit 1
mkdir "$work/edition"
export RESULTS=$work/edition
code=$(tools/commit.sh code)
status=0
said=$(tools/results.sh status) || status=$?
parts=$(grep -c 'never' <<<"$said")
[[ $status == 1 && $parts -gt 25 ]]
verdict $? 'status: nothing is measured' "status $status, $parts parts"
missing=$(awk '$3 == "-" { print $1 }' <<<"$said" | while read -r part; do
    grep -q "^$part() {" tools/results.sh || echo "$part"
done)
[[ ! $missing ]]
verdict $? 'each part has its function' "$missing"
printf 'part,code,time,seconds,needs,driver\nburst,%s,t,1,gpu,d\nreuse,1234567,t,1,gpu,d\n' \
    "$code" >"$work/edition/parts.csv"
said=$(tools/results.sh status) || true
if grep -q '^burst .*not current' <<<"$said" || ! grep -q '^reuse .*not current' <<<"$said"; then
    fail 'status: one current, one stale' "$said"
else
    pass 'status: one current, one stale'
fi
echo a >>README.md && git -c user.name=t -c user.email=t@t commit -qam 'a document'
[[ $(tools/commit.sh code) == "$code" ]]
verdict $? 'documents do not make results stale'
exits 'not built' 1 tools/results.sh burst
echo '// a' >>library/choose.c
exits 'a tree with changes' 2 tools/results.sh burst
git -c user.name=t -c user.email=t@t commit -qam 'code'
if [[ $(tools/commit.sh code) != "$code" ]] && ! tools/results.sh status |
    grep -q '^burst .*t  *results.csv'; then
    pass 'other code makes results stale'
else
    fail 'other code makes results stale' "$(tools/results.sh status | head -n 3)"
fi
exits 'a part that does not exist' 2 tools/results.sh bursts
