#!/usr/bin/env bash
# Draws every chart that the measurements in a folder allow, as SVG and PNG, beside them.
#
#     plots/draw.sh RESULTS_DIR [SIZE]      RESULTS_DIR holds results.csv; SIZE is the ladder's N, 4096 if not given
#
# Prints the path of each chart it wrote. Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
set -euo pipefail

die() {
    echo "plots/draw.sh: $1" >&2
    exit "${2:-2}"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[[ $# -ge 1 && $# -le 2 ]] || die "expected a results folder; usage: plots/draw.sh RESULTS_DIR [SIZE]"
dir=${1%/}
size=${2:-4096}
[[ $size =~ ^[1-9][0-9]*$ ]] || die "SIZE '$size' is not a positive whole number"
[[ -d $dir ]] || die "no folder '$dir'; 'make results' writes one under docs/results/"
[[ -s $dir/results.csv ]] || die "no measurements in '$dir/results.csv'; run 'make results' on a machine with a GPU first"
command -v gnuplot >/dev/null || die "gnuplot is missing; run tools/setup.sh run, or: apt-get install gnuplot-nox"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -f "$here/newest.awk" "$dir/results.csv" >"$work/newest.csv" || exit 1
[[ $(wc -l <"$work/newest.csv") -gt 1 ]] ||
    die "'$dir/results.csv' has no timed row to draw (alpha 1, beta 0, no padding, check passed)"
awk -v out="$work" -v size="$size" -f "$here/shape.awk" "$work/newest.csv"

fact() { sed -n "s/^$1 = \"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" "$work/facts.gp"; }

# draw SCRIPT NAME [GNUPLOT SETTINGS]: one chart in both formats, put in place only when it is whole.
draw() {
    local format
    for format in svg png; do
        gnuplot -e "here = '$here'; dir = '$work'; target = '$work/chart'; format = '$format'; ${3:-}" "$here/$1" \
            2>"$work/complaints" || { cat "$work/complaints" >&2; die "gnuplot failed on plots/$1" 1; }
        mv "$work/chart" "$dir/$2.$format"
        echo "$dir/$2.$format"
    done
}

if [[ $(fact size_count) -gt 1 ]]; then
    draw sizes.gp sizes
    draw percent.gp percent
fi
if [[ $(fact ladder_count) -gt 0 ]]; then draw ladder.gp ladder; fi
read -ra steps <<<"$(fact bar_steps)"
read -ra sizes <<<"$(fact bar_sizes)"
read -ra places <<<"$(fact bar_places)"
read -ra before <<<"$(fact bar_before)"
read -ra cublas <<<"$(fact bar_cublas)"
for i in "${!steps[@]}"; do
    draw step.gp "step-${steps[i]%%_*}" \
        "step = '${steps[i]}'; before = '${before[i]}'; at = ${sizes[i]}; places = ${places[i]}; cublas = ${cublas[i]}"
done
if [[ $(fact sustained_count) -gt 0 ]]; then draw sustained.gp sustained; fi
