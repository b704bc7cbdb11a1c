#!/usr/bin/env bash
# Draws every chart that a folder's CSV files allow, as SVG, beside them.
#
#     plots/draw.sh RESULTS_DIR [SIZE [CHART]]      SIZE is the N of the ladder and of the counts, 4096 if not given; CHART: only this one
#
# Any file alone will do: results.csv (times), counters.csv (Nsight Compute's counts or the simulator's), machine.csv
# (build/00_machine), lint.csv with strip.csv. charts.sql says which charts there are, and what each reads. Prints the path of each
# chart it wrote. Exit status: 0 drawn, 1 something failed, 2 wrong usage or no data.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../tools/put.sh"
[[ $# -ge 1 && $# -le 3 ]] || die "expected a results folder; usage: plots/draw.sh RESULTS_DIR [SIZE [CHART]]"
dir=${1%/}
size=${2:-4096}
[[ $size =~ ^[1-9][0-9]{0,8}$ ]] || die "SIZE '$size' is not a positive whole number"
[[ -d $dir ]] || die "no folder '$dir'; 'make results' writes one under docs/results/"
[[ -s $dir/results.csv || -s $dir/counters.csv || -s $dir/machine.csv || -s $dir/lint.csv ]] ||
    die "no results.csv, counters.csv, machine.csv or lint.csv in '$dir'; run 'make results' with a GPU, or ./run_all.sh without one"
command -v gnuplot >/dev/null || die "gnuplot is missing; run tools/setup.sh run, or: apt-get install gnuplot-nox"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../tools/load.sh" "$dir" "$work"
cp "$here"/*.gp "$here/charts.sql" "$work"

# L2 hit rates that step 10's orders of tiles should have.
for n in 2048 4096 8192 16384; do
    for raster in x_major y_major grouped z_order; do
        awk -v raster=$raster -v m=$n -v n=$n -v k=$n -f "$here/../tools/l2.awk"
    done
done >"$work/predicted.csv"
(cd "$work" && sqlite3 -batch -bail -init /dev/null data.db) <<END || die "no charts of '$dir': plots/charts.sql failed" 1
create table asked as select $size as size;
create table predicted(raster text, m integer, n integer, k integer, wave real, kept real);
.import --csv predicted.csv predicted
.read charts.sql
END

if [[ ${3:-} ]]; then
    grep -- "^$3|" "$work/charts.txt" >"$work/wanted" || die "no chart '$3' of '$dir'; there are: $(cut -d'|' -f 1 "$work/charts.txt" | xargs)"
    mv "$work/wanted" "$work/charts.txt"
fi
while IFS='|' read -r name script settings; do
    plot "$work" svg "$script" "$settings"
    put "$work/chart" "$dir/$name.svg"
    echo "$dir/$name.svg"
done <"$work/charts.txt"
[[ -s $work/charts.txt ]] || die "nothing in '$dir' to draw: no timed row (alpha 1, beta 0, no padding, check passed) and no count of a square size"
