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
"$here/../tools/load.sh" "$dir" "$work"
ask() { sqlite3 -batch -bail -init /dev/null -csv "$work/data.db" "$1" | tr -d '\r'; }
ask "select ratio, m * n, k from drawn where variant = 'dispatch' order by ratio" >"$work/sample.csv"
[[ -s $work/sample.csv ]] || die "no row of dispatch with a ratio to cuBLAS in '$dir/sample.csv'"
mean=$(ask "select printf('%.3f', exp(avg(ln(ratio)))) from drawn where variant = 'dispatch'")
plot "$work" svg sample.gp "count = $(wc -l <"$work/sample.csv"); mean = $mean"
put "$work/chart" "$dir/sample.svg"
echo "$dir/sample.svg"
