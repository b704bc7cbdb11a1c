#!/usr/bin/env bash
# What `sass lint` says of the hot loop of each variant, as CSV beside the measured results. No GPU is needed.
#
#     tools/lint.sh [RESULTS_DIR]      docs/results/h200 if not given; needs the kernels for sm_90 (`make`)
#
# RESULTS_DIR/lint.csv    one row a variant of steps 03 to 09 and 12: cycles per FFMA by the rules of docs/sass.md
# RESULTS_DIR/strip.csv   the loops of step 09, instruction by instruction, neighbours of one kind together
#
# The hot loop is the innermost one with the most FFMA; of several, the one with the fewest cycles (aligned matrices). Both files
# are replaced whole. Exit status: 0 written, 1 something failed, 2 wrong usage or nothing built.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
[[ $# -le 1 ]] || die "usage: tools/lint.sh [RESULTS_DIR]"
dir=${1:-docs/results/h200}
[[ -d $dir ]] || die "no folder '$dir'"
[[ -x build/sass && -x build/cubin_rules && -d build/cubin/sm_90 ]] || die "no build/sass or no kernels for sm_90; run make first"
commit=$(tools/commit.sh)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "commit,step,variant,bytes,instructions,ffma,conflict_cycles,issue_cycles_per_ffma,expected_cycles_per_ffma,idle_reuse_flags" \
    >"$work/lint.csv"
echo "step,variant,line,at,cycles,kind" >"$work/strip.csv"

while IFS=$'\t' read -r step variant _; do
    [[ $step =~ ^(0[3-9]|12)_ ]] || continue
    cubin=build/cubin/sm_90/$step/$variant.cubin
    [[ -s $cubin ]] || die "no $cubin; run make first"
    build/sass lint --all "$cubin" >"$work/lint" || die "sass lint $cubin failed" 1
    read -r first last columns <<<"$(awk -f tools/lint.awk "$work/lint")"
    [[ ${columns:-} ]] || die "$cubin: sass lint names no loop with FFMA" 1
    echo "$commit,$step,$variant,${columns// /,}" >>"$work/lint.csv"
    [[ $step == 09_* ]] || continue
    build/sass dis "$cubin" >"$work/text" || die "sass dis $cubin failed" 1
    awk -v first="$first" -v last="$last" -v name="$step,$variant" -f tools/strip.awk "$work/lint" "$work/text" >>"$work/strip.csv"
done < <(build/cubin_rules --table)

for file in lint.csv strip.csv; do
    put "$work/$file" "$dir/$file"
    echo "$dir/$file"
done
