#!/usr/bin/env bash
# Draws every chart that a folder's CSV files allow, as SVG and PNG, beside them.
#
#     plots/draw.sh RESULTS_DIR [SIZE]      SIZE is the N of the ladder and of the counts, 4096 if not given
#
# machine.csv (build/00_machine) gives machine-throughput and machine-advice, and the ceilings of roofline and bounds; without
# it those are the H200's in docs/results. results.csv (times) gives sizes, percent, ladder, sustained, step-NN, dgemm, block-order and l2 (with counters.csv);
# counters.csv (Nsight Compute's counts or the simulator's) gives counts, counts-variants, bounds and roofline. Any of them
# alone will do.
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
[[ -s $dir/results.csv || -s $dir/counters.csv || -s $dir/machine.csv || -s $dir/lint.csv ]] ||
    die "no results.csv, counters.csv, machine.csv or lint.csv in '$dir'; run 'make results' with a GPU, or ./run_all.sh without one"
command -v gnuplot >/dev/null || die "gnuplot is missing; run tools/setup.sh run, or: apt-get install gnuplot-nox"

machine=$dir/machine.csv
grep -q ',ceiling,.*/s,' "$machine" 2>/dev/null || machine=$here/../docs/results/h200/machine.csv

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fact() { sed -n "s/^$1 = \"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" "$data/facts.gp"; }

drawn=
# draw SCRIPT NAME [GNUPLOT SETTINGS]: one chart in both formats, put in place only when it is whole.
draw() {
    local format
    for format in svg png; do
        gnuplot -e "here = '$here'; dir = '$data'; target = '$work/chart'; format = '$format'; ${3:-}" "$here/$1" \
            2>"$work/complaints" || { cat "$work/complaints" >&2; die "gnuplot failed on plots/$1" 1; }
        mv "$work/chart" "$dir/$2.$format"
        echo "$dir/$2.$format"
        drawn=yes
    done
}

draw_times() {
    local steps sizes places before cublas i
    data=$work/times
    mkdir "$data"
    awk -v out="$data" -v size="$size" -f "$here/shape.awk" "$work/newest.csv"
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
}

draw_dgemm() {
    data=$work/dgemm
    mkdir "$data"
    awk -v out="$data" -v size="$size" -f "$here/dgemm.awk" "$work/newest.csv"
    if [[ $(fact dgemm_count) -gt 0 ]]; then draw dgemm.gp dgemm; fi
}

draw_block_order() {
    local n raster
    data=$work/order
    mkdir "$data"
    for n in 2048 4096 8192 16384; do
        for raster in x_major y_major grouped z_order; do
            awk -v raster=$raster -v m=$n -v n=$n -v k=$n -f "$here/../tools/l2.awk" || die "tools/l2.awk failed" 1
        done
    done >"$work/predicted.csv"
    awk -v out="$data" -v counters="$dir/counters.csv" -v predicted="$work/predicted.csv" -f "$here/block_order.awk" "$work/newest.csv"
    if [[ $(fact square_count) -gt 1 ]]; then draw block_order.gp block-order; fi
    if [[ $(fact hit_count) -gt 0 ]]; then draw l2.gp l2; fi
}

# Step 12: its orders at $size.
draw_orders() {
    data=$work/orders
    mkdir "$data"
    awk -v out="$data" -v size="$size" -v counters="$dir/counters.csv" -f "$here/../tools/counters.awk" -f "$here/orders.awk" \
        "$work/newest.csv"
    if [[ $(fact orders_count) -gt 0 ]]; then draw orders.gp orders; fi
}

# shape_counters BACKEND: the tables of that backend's counters, in $data. Fails when it has none.
shape_counters() {
    data=$work/$1
    mkdir "$data"
    awk -v out="$data" -v size="$size" -v backend="$1" -v times="$work/newest.csv" -v machine="$machine" \
        -f "$here/../tools/counters.awk" -f "$here/../tools/machine.awk" -f "$here/rungs.awk" "$dir/counters.csv" || exit 1
    [[ $(fact rungs_count) -gt 0 ]]
}

# Counts and roofline from Nsight Compute's counters where there are any, else from the simulator's; bounds are the simulator's.
draw_counters() {
    local counted=
    if shape_counters sim; then
        counted=$data
        if [[ $(fact bounds_count) -gt 0 ]]; then draw bounds.gp bounds; fi
    fi
    if shape_counters gpu; then counted=$data; fi
    data=$counted
    [[ $data ]] || { echo "plots/draw.sh: no FFMA counted at a square size in '$dir/counters.csv': nothing drawn from it" >&2; return; }
    draw counts.gp counts "form = 'rungs'"
    draw counts.gp counts-variants "form = 'counts'"
    if [[ $(fact roofline_count) -gt 0 ]]; then draw roofline.gp roofline; fi
}

draw_machine() {
    data=$work/machine
    mkdir "$data"
    awk -v out="$data" -v machine="$dir/machine.csv" -f "$here/../tools/machine.awk" -f "$here/probes.awk" </dev/null
    if [[ $(fact throughput_count) -gt 0 ]]; then draw machine.gp machine-throughput "group = 'throughput'"; fi
    if [[ $(fact advice_count) -gt 0 ]]; then draw machine.gp machine-advice "group = 'advice'"; fi
}

# The loops of step 09: what lint says of them, beside Nsight Compute's counters where there are any.
draw_lint() {
    local counted= variant
    data=$work/lint
    mkdir "$data"
    if [[ -s $dir/counters.csv ]]; then counted=$dir/counters.csv; fi
    awk -v out="$data" -v step=09_reuse_sass -v size="$size" -v counters="$counted" -f "$here/../tools/counters.awk" \
        -f "$here/cycles.awk" "$dir/lint.csv"
    if [[ $(fact cycles_count) -gt 0 ]]; then draw cycles.gp cycles-09; fi
    for variant in compiled flags hand_16x12; do
        awk -F, -v variant="$variant" 'NR > 1 && $1 == "09_reuse_sass" && $2 == variant' "$dir/strip.csv" >"$data/strip-$variant.csv"
        if [[ -s $data/strip-$variant.csv ]]; then draw strip.gp "strip-$variant" "variant = '$variant'"; fi
    done
}

: >"$work/newest.csv"
if [[ -s $dir/results.csv ]]; then awk -f "$here/newest.awk" "$dir/results.csv" >"$work/newest.csv" || exit 1; fi
if [[ $(wc -l <"$work/newest.csv") -gt 1 ]]; then
    draw_times
    draw_dgemm
    draw_block_order
    draw_orders
elif [[ ! -s $dir/counters.csv && ! -s $dir/machine.csv && ! -s $dir/lint.csv ]]; then
    die "'$dir/results.csv' has no timed row to draw (alpha 1, beta 0, no padding, check passed)"
fi
if [[ -s $dir/counters.csv ]]; then draw_counters; fi
if [[ -s $dir/machine.csv ]]; then draw_machine; fi
if [[ -s $dir/lint.csv && -s $dir/strip.csv ]]; then draw_lint; fi
[[ $drawn ]] || die "nothing in '$dir' to draw: no timed or counted row"
