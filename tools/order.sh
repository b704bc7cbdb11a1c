#!/usr/bin/env bash
# Measures the kernels among which the dispatcher (variant `dispatch` of library/shapes) chooses,
# and fits its costs to the times. Needs a GPU; run `make` first.
#
#     tools/order.sh measure     times the kernels for large tiles and for few rows on 38 shapes
#                                (below), with K in several parts where possible: order.csv
#     tools/order.sh fit         fits the dispatcher's costs to fit.csv, or to order.csv if there is
#                                no fit.csv; writes library/rules/dispatch_costs.h and rebuilds
#                                the programs that use it
#     tools/order.sh here [SHAPE...]
#                                `make fit`: times the useful kernels on 112 shapes, or on these,
#                                and fits the costs of this GPU to the times
#     tools/order.sh predict     computes the costs of kernels that were not measured, from times
#                                that the timing model predicts; needs no GPU
#     tools/order.sh sample [SEED [COUNT]]
#                                times the dispatcher, cublasSgemm and the fastest algorithm of
#                                cublasLt on COUNT random shapes (tools/shapes.py; default: seed 2,
#                                300 shapes) in one run: sample.csv, and its chart
#     tools/order.sh judge       prints the results of sample.csv; needs no GPU
#     tools/order.sh best [SEED [COUNT]]
#                                times the dispatcher's choice and the best kernel on COUNT random
#                                shapes (default: seed 3, 60 shapes): best.csv
#     tools/order.sh rasters     times the four orders of tiles and reads their counters:
#                                results.csv, counters.csv
#     tools/order.sh shapes      times the dispatcher and cuBLAS on the 38 shapes in one run:
#                                results.csv
#     tools/order.sh repeat      checks that results have the same bits in every run
#     tools/order.sh verdict     prints the ratios of the newest `shapes` and their geometric mean;
#                                needs no GPU
#
# The CSV files named above are written to $RESULTS (default: docs/results/h200). `here` keeps its
# times, as fit.csv, only if $RESULTS is set. If $COSTS is set, the costs are written to the file
# $COSTS and nothing is built.
# Exit status: 0 success, 1 a run failed, a result is wrong or a ratio of `verdict` is too low, 2
# wrong usage, 77 no GPU here.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
results=${RESULTS:-docs/results/h200}
squares=128,256,384,512,768,1024,1280,1536,1792,2048,2560,3072,3584,4096,5120,6144,7168,8192
squares+=,127,255,511,1023,1025,2047,2049,3001,4095,4097,5001,8191,8193
skinny=(8192x8192x64 8192x64x8192 64x8192x8192 128x128x65536 1x8192x8192 16384x1024x1024
    4096x11008x4096)

shape_options() { printf -- '--shape %s\n' "$@"; }

# squares_to N: prints the sizes of `squares` up to N, with commas.
squares_to() {
    local size list=
    for size in ${squares//,/ }; do ((size > $1)) || list+=,$size; done
    echo "${list#,}"
}

# times PARTS OPTION...: runs the ladder and appends its rows to $work/order.csv. Each row begins
# with the number of parts along K and the number of SMs. The number of parts is 0 if PARTS is empty
# (the kernel decides) or a list (the variant's name has the number). `how` has the options that
# choose the backend.
how=(--backend gpu --rounds 9)
sms=$(sed -n 's/.*H200_SMS = \([0-9]*\).*/\1/p' sasskit/base/h200.h)
times() {
    local parts=$1 label=${1/*,*/} status=0
    shift
    rm -f "$work/part.csv"
    build/ladder "${how[@]}" --step 10,shapes --check off ${parts:+--parts $parts} \
        --csv "$work/part.csv" "$@" || status=$?
    [[ $status == 0 ]] || die "stopped with status $status; nothing was changed" \
        "$((status == 77 ? 77 : 1))"
    [[ -s $work/order.csv ]] ||
        sed 's/^/parts,multiprocessors,/;q' "$work/part.csv" >"$work/order.csv"
    sed "1d; s/^/${label:-0},$sms,/" "$work/part.csv" >>"$work/order.csv"
}

measure() {
    local parts streams=stream_16x8 wholes=whole_16x8,whole_16x12 tiles=64x64,128x64,64x128
    : >"$work/order.csv"
    times 1 --variant "thin,$tiles,$wholes,grouped" --baseline on --size "$squares" \
        $(shape_options "${skinny[@]}")
    times '' --variant $streams --baseline off --size "$squares" $(shape_options "${skinny[@]}")
    for parts in 1 2 3 4 6; do
        times $parts --variant $streams --baseline off --size "$(squares_to 1800)" \
            $(shape_options "${skinny[@]:1:3}")
    done
    for parts in 2 3 4 5 6 8 12 16; do
        times $parts --variant "thin,$tiles" --baseline off --size "$(squares_to 1100)" \
            $(shape_options "${skinny[@]:1:4}")
    done
    for parts in 2 3; do
        times $parts --variant $tiles --baseline off --size 1280,1536,1792,2047,2048,2049,2560
    done
    for parts in 32 64 128 256; do
        times $parts --variant "thin,$tiles" --baseline off $(shape_options "${skinny[@]:1:4}")
    done
    mkdir -p "$results"
    put "$work/order.csv" "$results/order.csv"
    echo "$results/order.csv"
}

# keep FILE: writes the measured rows, reduced to the columns that the fit and its report read.
keep() {
    tools/rows.py --keep \
        device,commit,time:10,multiprocessors,step,m,n,k,variant,blocks_per_sm,parts,ms_median \
        "$work/order.csv" >"$work/kept.csv"
    put "$work/kept.csv" "$1"
}

# costs_from FILE...: fits costs to these times, writes them, and rebuilds the programs that use
# them.
costs_from() {
    build/order_fit "$@" >"$work/costs.h" || die "no new costs" 1
    put "$work/costs.h" "${COSTS:-library/rules/dispatch_costs.h}"
    [[ ${COSTS:-} ]] || make -s -j build/order_fit build/shapes build/ladder
}

fit() {
    local times=$results/fit.csv
    [[ -s $times ]] || times=$results/order.csv
    [[ -s $times ]] || die "no $times; tools/order.sh measure writes it" 1
    costs_from "$times"
    build/order_fit --report "$times"
}

# drawn SEED COUNT: prints COUNT random shapes, one per line.
drawn() { tools/shapes.py "$1" "$2"; }

# candidates OPTION... SHAPES: times, for each shape, those kernels and numbers of parts along K
# that may be the fastest. Writes the rows to $work/order.csv.
kernels=thin,thin_deep,thin_16,thin_20,thin_24,narrow,narrow_8,narrow_long,narrow_16
kernels+=,slim_20,slim_24,slim_32,row,row_8,row_32,column,column_deep,flat,sectors,panel
kernels+=,long,long_32,wide,64x32,32x64,64x64,128x64,64x128,48x96,96x48,grouped
kernels+=,stream_16x8,whole_16x8,whole_16x12
candidates() {
    local line status=0
    line=$(build/ladder --backend gpu --step shapes --variant thin --shape 1x1x1 --check off \
        --baseline off --rounds 1) || status=$?
    [[ $status == 0 ]] || die "no GPU to measure on" "$((status == 77 ? 77 : 1))"
    device=$(sed -n '1s/^measured on \(.*\), sm_[0-9]*: .*/\1/p' <<<"$line")
    sms=$(sed -n '1s/.*: \([0-9]*\) SMs,.*/\1/p' <<<"$line")
    : >"$work/order.csv"
    times 0,1,2,3,4,6,8,12,16,24,32,48,64,96,128,256 --candidates "$@" >"$work/said"
}

# Shapes at which memory is the limit, because one or two dimensions are small. Few random shapes
# are like that.
corners='8192x8192x2 10000x6000x9 6000x10001x20 1x8192x8192 8192x1x8192 1x768x8192 5x4096x4096
    4096x5x4096 7x9001x7000 9000x7x7001 40000x16x16 30000x33x33'
here() {
    local shapes="$*"
    [[ $shapes ]] || shapes="$(drawn 1 100) $corners"
    candidates --variant "$kernels" --baseline off $(shape_options $shapes)
    [[ ! ${RESULTS:-} ]] || keep "$results/fit.csv"
    costs_from "$work/order.csv"
    echo "costs of $device: ${COSTS:-library/rules/dispatch_costs.h}"
}

predict() {
    how=(--backend sim --time --force)
    : >"$work/order.csv"
    times 1 --variant flat $(shape_options 2048x2048x2 2048x2048x10 1000x1000x4 2047x2047x3 \
        500x4000x8 300x300x16 1024x1024x64 2048x1024x32)
    times 1 --variant sectors $(shape_options 2048x2048x2 1000x1000x4 2047x2047x3 500x4000x8)
    times 1 --variant panel $(shape_options 2048x2048x10 1000x1000x16 2047x2047x13 \
        500x4000x8 300x300x20)
    times 1 --variant long $(shape_options 64x64x4 20000x16x16 40000x16x16 5000x16x16 20001x15x15 \
        20000x8x4 20000x16x64 20000x16x128)
    times 1 --variant narrow,narrow_8,narrow_16 $(shape_options 300x1x300 300x16x300 2048x1x1024)
    times 4 --variant narrow,narrow_8,narrow_16 $(shape_options 4096x3x999 4096x1x2048 4096x16x1000)
    times 8 --variant narrow,narrow_8,narrow_16 $(shape_options 2048x1x2048 1000x9x3000)
    times 1,2,4,8 --variant narrow_long $(shape_options 300x8x300 1000x5x1000 2000x8x2000 \
        3000x5x5000 8900x8x5524)
    times 1 --variant long_32 $(shape_options 41516x29x20 10000x32x32 5000x17x9 20000x60x60)
    times 1,4,16 --variant 64x32 $(shape_options 2694x27x1032 390x390x390 10242x62x62)
    times 1,4,16 --variant 32x64 $(shape_options 27x2694x1032 390x390x390 62x1024x62)
    times 1,4,8 --variant row,row_8 $(shape_options 1x34x99 1x6x5630 1x1024x11008)
    times 1,4,8 --variant row_32 $(shape_options 1x94x12217 1x293x4216 1x586x9301 1x768x8192 \
        1x3232x1701 1x159x1427 2x4096x768 4x1983x660 16x461x1049)
    times 1,4,8 --variant column,column_deep $(shape_options 17x1x116 204x1x395 806x1x1392)
    costs_from "$work/order.csv"
}

best() {
    candidates --variant "$kernels,dispatch" $(shape_options $(drawn "${1:-3}" "${2:-60}"))
    mkdir -p "$results"
    keep "$results/best.csv"
    build/order_fit --report "$results/best.csv"
}

sample() {
    local shapes
    shapes=$(drawn "${1:-2}" "${2:-300}")
    build/ladder --backend gpu --step shapes --variant dispatch --baseline tuned \
        $(shape_options $shapes) --csv "$work/sample.csv"
    mkdir -p "$results"
    put "$work/sample.csv" "$results/sample.csv"
    judge
    ! command -v gnuplot >/dev/null || plots/sample.py "$results"
}

judge() { tools/judge.py sample "$results"; }

rasters() {
    local orders=x_major,y_major,grouped,z_order
    build/ladder --backend gpu --step 10,shapes --variant $orders,dispatch \
        --size 2048,4096,8192,16384 --csv "$results/results.csv"
    COUNTERS=$results/counters.csv tools/profile.sh 10 2048,4096,8192,16384 $orders
}

shapes() {
    build/ladder --backend gpu --step shapes --variant dispatch --size "$squares" \
        $(shape_options "${skinny[@]}") \
        --csv "$results/results.csv"
}

# Runs every kernel 20 times on the same inputs and compares C bit by bit (--repeat of the ladder).
repeat() {
    build/ladder --backend gpu --step 10,shapes --check only --repeat 20 --size 127,512,1025,2049 \
        $(shape_options 128x128x65536 1x8192x8192)
    local parts
    for parts in 3 16; do
        build/ladder --backend gpu --step 10,shapes --variant thin,64x64,128x64,64x128 \
            --check only --repeat 20 \
            --parts $parts --size 127,512,1025
    done
}

verdict() { tools/judge.py shapes "$results" ${squares//,/ } "${skinny[@]}"; }

part=${1:-}
[[ $part =~ ^(measure|fit|here|predict|rasters|shapes|repeat|verdict|sample|judge|best)$ &&
    ($# == 1 || ($# -le 3 && $part =~ ^(sample|best)$) || $part == here) ]] || die \
    'expected measure, fit, here, predict, rasters, shapes, repeat, verdict, sample, judge or best'
[[ $part =~ ^(verdict|judge)$ || -x build/ladder ]] ||
    die "build/ladder is missing; run make first" 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$part" "${@:2}"
