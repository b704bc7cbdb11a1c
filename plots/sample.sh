#!/usr/bin/env bash
# Draws the ratios to cuBLAS of drawn shapes as SVG: plots/sample.sh RESULTS_DIR, which has a sample.csv (tools/order.sh sample).
# Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../tools/put.sh"
[[ $# == 1 ]] || die "expected a results folder; usage: plots/sample.sh RESULTS_DIR"
dir=${1%/}
[[ -s $dir/sample.csv ]] || die "no sample.csv in '$dir'; tools/order.sh sample writes it"
command -v gnuplot >/dev/null || die "gnuplot is missing; run tools/setup.sh run, or: apt-get install gnuplot-nox"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/style.gp" "$here/sample.gp" "$work"
: >"$work/facts.gp"
# ratio, M N, K; sorted by the ratio. Of a shape that was drawn twice the last row counts, as in tools/judge.awk.
awk -F, '{ gsub(/"[^"]*"/, "quoted") }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["variant"] == "dispatch" && $at["vs_cublas"] > 0 {
        last[$at["m"], $at["n"], $at["k"]] = $at["vs_cublas"] "," $at["m"] * $at["n"] "," $at["k"]
    }
    END { for (shape in last) print last[shape] }' "$dir/sample.csv" |
    sort -t, -n >"$work/sample.csv"
[[ -s $work/sample.csv ]] || die "no row of dispatch with a ratio to cuBLAS in '$dir/sample.csv'"
mean=$(awk -F, '{ sum += log($1) } END { printf "%.3f", exp(sum / NR) }' "$work/sample.csv")
plot "$work" svg sample.gp "count = $(wc -l <"$work/sample.csv"); mean = $mean"
put "$work/chart" "$dir/sample.svg"
echo "$dir/sample.svg"
