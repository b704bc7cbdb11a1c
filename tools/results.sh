#!/usr/bin/env bash
# The whole measuring run on a machine with a GPU; about 17 minutes on an H200. Run `make` first.
#
#     tools/results.sh [PART...]     all parts in order if none is named
#
#     machine      microbenchmarks (step 00), measured and counted; toolkit and power limit
#     burst        every variant at N up to 4097, then the last variants of the faster steps up to 16384
#     reuse        step 09: every variant at N from 2048 to 16384, in one run
#     sustained    five seconds without a pause of each last variant and of cuBLAS, N = 8192: speed, clock, power
#     dgemm        step 11: every form of DGEMM at N from 256 to 8192, then five seconds of the last one
#     order        step 10: the orders of tiles, then the dispatcher on its 38 shapes (tools/order.sh)
#     maxas        step 12: every variant at N from 512 to 8192
#     tensor       step 13: every variant at N from 1024 to 8192, all kinds of inputs, five seconds of the last one, and it beside
#                  step 10's choice on odd sizes, shapes of applications and narrow ones (applications.csv); digests (tools/digests.sh)
#     counters     hardware counters of every variant and of cuBLAS at 512 and 4096
#     lint         cycles per FFMA of each loop as sass lint sees them (no GPU needed)
#     draw         charts from what was measured, then the tables and figures in the Markdown files
#
# Results go to docs/results/DEVICE/ (DEVICE from nvidia-smi: h200), or to $RESULTS; rows are appended and the newest row of
# a measurement counts, so each part can be run alone and again. Exit status: 0 well, 1 a run failed, 2 wrong usage, 77 no
# GPU here.
set -euo pipefail
export LC_ALL=C

small=256,512,1000,1024,2048,2049,3001,4096,4097
big=8191,8192,16384
reuse=2048,4096,4097,6144,8191,8192,12288,16384
sustained=8192
dgemm=256,512,1000,1024,2048,2049,4096,4097,8192
maxas=512,1024,2048,4096,4097,8192
tensor=1024,2048,4096,8192
odd=256,512,768,1280,1536,1023,1025,2047,2049,3001,4095,4097,5001,8191,8193
inputs='positive normal wide graded constant worst_split subnormal huge scaled sparse spots cancelling'
# Layers of language models, convolutions as products of matrices, covariances and distances, an update of a factorisation.
applications='4096x12288x4096 4096x11008x4096 4096x4096x11008 8192x1024x8192 2048x28672x8192 512x16384x4096 128x8192x8192 8192x3072x768
    8192x768x3072 2048x50257x768 100352x64x576 25088x128x1152 6272x256x2304 1568x512x4608 1000x1000x100000 60000x1024x784 10000x10000x784
    3000x3000x20000 8192x8192x256 16384x1024x1024'
# Few rows, and with M and N exchanged few columns.
narrow='128x16384x4096 100x8192x8192 128x4096x8192 200x11008x4096 256x8192x8192 384x8192x8192 512x8192x8192 256x4096x4096 300x3000x20000
    64x4096x4096 256x1024x1024 8x8192x8192'
narrow+=" $(sed -E 's/([0-9]+)x([0-9]+)x/\2x\1x/g' <<<"$narrow") 8192x128x8192"
counted=512,4096

cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh

for part in "$@"; do
    [[ $part =~ ^(machine|burst|reuse|sustained|order|dgemm|maxas|tensor|counters|lint|draw)$ ]] ||
        die "unknown part '$part': expected machine, burst, reuse, sustained, order, dgemm, maxas, tensor, counters, lint or draw"
done
[[ $# -gt 0 ]] || set -- machine burst reuse sustained order dgemm maxas tensor counters lint draw

# NVIDIA H200 -> h200, NVIDIA GeForce RTX 4090 -> rtx-4090, NVIDIA H100 80GB HBM3 -> h100
device() {
    nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 | tr '[:upper:]' '[:lower:]' |
        sed -E 's/nvidia //; s/geforce //; s/ [0-9]+ ?gb.*//; s/[^a-z0-9]+/-/g; s/^-|-$//g'
}

if [[ -z ${RESULTS:-} ]]; then
    name=$(device) || name=
    [[ $name ]] || die "nvidia-smi names no GPU here; measure on a machine that has one, or set RESULTS to draw what is there" 77
    RESULTS=docs/results/$name
fi
export RESULTS
mkdir -p "$RESULTS"

# The steps of the ladder from number $1 on, as ladder's --step wants them: 03_outer_product,04_warp_tiling,...
steps_from() {
    build/ladder --list | awk -v from="$1" '/^0[1-9]_/ && substr($1, 1, 2) >= from { list = list "," $1 } END { print substr(list, 2) }'
}

ladder() {
    echo "build/ladder $*"
    build/ladder --backend gpu --csv "$RESULTS/results.csv" "$@"
}

# What results.csv has no column for: rows of machine.csv, whose header build/00_machine wrote.
describe() {
    local nvcc now commit toolkit limit
    nvcc=$(tools/nvcc.sh)
    now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    commit=$(tools/commit.sh)
    toolkit=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    limit=$(nvidia-smi --query-gpu=power.limit --format=csv,noheader,nounits 2>/dev/null | head -n 1)
    {
        echo "$now,$commit,gpu,,,host,CUDA toolkit,,$toolkit,,,,,,"
        echo "$now,$commit,gpu,,,host,power limit,,$limit,W,,,,,"
    } | grep -v ',,host,[^,]*,,,' >>"$RESULTS/machine.csv" || true
}

machine() {
    build/00_machine --backend gpu --csv "$RESULTS/machine.csv" &&
        build/00_machine --backend sim --csv "$RESULTS/machine.csv" &&
        describe
}
burst() {
    ladder --step "$(steps_from 01)" --size $small &&
        ladder --step "$(steps_from 03)" --variant last --size $big
}
reuse() { ladder --step 09 --size $reuse; }
sustained() { ladder --step "$(steps_from 03)" --variant last,hand_16x8 --size $sustained --mode sustained; }
dgemm() { ladder --step 11 --size $dgemm && ladder --step 11 --variant last --size $sustained --mode sustained; }
order() { tools/order.sh rasters && tools/order.sh shapes; }
maxas() { ladder --step 12 --size $maxas; }
tensor() {
    local kind
    ladder --step 13 --size $tensor &&
        ladder --step 13 --variant cluster,bf16x6,last --size 16384 || return
    for kind in $inputs; do
        ladder --step 13 --variant cluster,bf16x6,last --inputs "$kind" --size 4096 || return
    done
    ladder --step 13 --variant last --size $sustained --mode sustained &&
        build/ladder --backend gpu --step 10,13 --variant dispatch,mended,few_rows,few_cols,safe --size $odd $(printf -- '--shape %s ' $applications $narrow) \
            --csv "$RESULTS/applications.csv" &&
        tools/digests.sh gpu "$RESULTS/digests.csv"
}
counters() {
    COUNTERS=$RESULTS/counters.csv tools/profile.sh all $counted &&
        COUNTERS=$RESULTS/counters.csv tools/profile.sh 11 $counted &&
        COUNTERS=$RESULTS/counters.csv tools/profile.sh 12 $counted &&
        COUNTERS=$RESULTS/counters.csv tools/profile.sh cublas $counted
}
lint() { tools/lint.sh "$RESULTS"; }
draw() {
    plots/draw.sh "$RESULTS" &&
        RESULTS=docs/results/h200 tools/docs.sh
}

for part in "$@"; do
    [[ $part == draw || ( -x build/ladder && -x build/00_machine ) ]] || die "build/ladder or build/00_machine is missing; run make first" 1
    echo "== $part"
    rc=0
    $part || rc=$?
    [[ $rc == 0 ]] || die "$part stopped with status $rc; what was measured until then is in $RESULTS" "$((rc == 77 ? 77 : 1))"
done
