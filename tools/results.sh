#!/usr/bin/env bash
# Measures the files of docs/results on a GPU, in parts. A part takes at most nine minutes and can
# be repeated. Run `make` first.
#
#     tools/results.sh [PART...]     measures these parts; default: all that are not current
#     tools/results.sh status        lists the parts, each with its time and code of measurement
#
# `make results [PART=...]` and `make results-status` call this. A part is current if it was
# measured with the present code (tools/commit.sh code), which all its rows name. Therefore sources
# with uncommitted changes are refused. parts.csv has the time and duration of each part. Rows are
# appended to results.csv, machine.csv, counters.csv and step 14's files, in which the newest row of
# a measurement counts. Other files are replaced as a whole.
#
# Results go to $RESULTS. By default this is docs/results/DEVICE, named after the GPU that
# nvidia-smi reports, for example h200. Without a GPU, `status` and named parts use
# docs/results/h200.
# Exit status: 0 success, 1 a run failed or `status` found a part that is not current, 2 wrong usage
# or uncommitted changes, 77 no GPU.
set -euo pipefail
export LC_ALL=C

# One row per part: name, requirement (gpu; gpus: two or more; torch: PyTorch; ncu: Nsight Compute;
# -: no GPU), files that it writes, measurement.
parts() {
    cat <<'END'
machine       gpu    machine.csv          step 00: measured and counted; toolkit and power limit
burst         gpu    results.csv          steps 01 to 09, every variant, N up to 4097
large         gpu    results.csv          the last variants of steps 03 to 09, N = 8191 to 16384
reuse         gpu    results.csv          step 09, every variant, N = 2048 to 16384
sustained     gpu    results.csv          last variants and cuBLAS, five seconds without a pause
dgemm         gpu    results.csv          step 11, every variant, then five seconds of the last one
maxas         gpu    results.csv          step 12, every variant
rasters       ncu    results.csv,counters.csv step 10's orders of tiles
shapes        gpu    results.csv          the dispatcher beside cuBLAS on its 38 shapes
tensor        gpu    results.csv          step 13, every variant; five seconds of the last one
inputs        gpu    results.csv          step 13 on twelve kinds of inputs
applications  gpu    applications.csv     step 13 beside the dispatcher: odd, real and narrow shapes
digests       gpu    digests.csv          the bits of 250 results of steps 13 and 11
strassen      gpu    strassen.csv         step 15 beside steps 09 and 13 and cuBLAS
sample        gpu    sample.csv           the dispatcher beside cuBLAS and cublasLt on drawn shapes
best          gpu    best.csv             the choice beside all likely kernels on drawn shapes
floor         gpu    floor.csv            the smallest problems: what a launch takes
checks        gpu    checks.csv           steps 01 to 12 and shapes at N = 8192, checked only
errors        gpu    errors.csv           errors of right kernels and of two wrong ones
peel          torch  peel.csv             FP32 beside cuBLAS and cublasLt, just past whole tiles
library       torch  library.csv,host.csv libsgemm: transposes, batches, inputs; time on the host
drawn         torch  drawn_calls.csv      which of 1,000 drawn cuBLAS calls the interposer takes
training      torch  training.csv,training_calls.csv training steps of GPT-2 small
programs      torch  programs.csv         three programs in FP32, with libsgemm, in TF32
rivals        torch  rivals.csv           libsgemm and TF32 beside cuBLAS, in turns
counters      ncu    counters.csv         counters of steps 01 to 09, 11, 12, and cuBLAS
links         gpus   links.csv,traffic.csv,timeline.csv,results.csv step 14: schemes
kernels       gpus   gpus_hand.csv,gpus_safe.csv step 14 with the kernels of steps 09 and 13
processes     gpus   processes.csv,killed_rank.txt step 14, one process per GPU
lint          -      lint.csv,strip.csv   cycles per FFMA of each loop as `sass lint` computes them
predicted     -      predicted.csv,predicted_counters.csv,validation.csv,stalls.csv predicted times
probes        -      predicted_machine.csv step 00's probes by the model
draw          -      *.svg                charts from these files, then figures on the pages
END
}

small=256,512,1000,1024,2048,2049,3001,4096,4097
big=8191,8192,16384
reuse=2048,4096,4097,6144,8191,8192,12288,16384
sustained=8192
dgemm=256,512,1000,1024,2048,2049,4096,4097,8192
maxas=512,1024,2048,4096,4097,8192
tensor=1024,2048,4096,8192
odd=256,512,768,1280,1536,1023,1025,2047,2049,3001,4095,4097,5001,8191,8193
inputs='positive normal wide graded constant worst_split subnormal huge scaled sparse spots
    cancelling'
# Layers of language models, convolutions as matrix products, covariances and distances, an update
# of a factorisation.
applications='4096x12288x4096 4096x11008x4096 4096x4096x11008 8192x1024x8192 2048x28672x8192
    512x16384x4096 128x8192x8192 8192x3072x768
    8192x768x3072 2048x50257x768 100352x64x576 25088x128x1152 6272x256x2304 1568x512x4608
    1000x1000x100000 60000x1024x784 10000x10000x784
    3000x3000x20000 8192x8192x256 16384x1024x1024'
# Shapes with few rows. Shapes with few columns are made from them by exchanging M and N.
narrow='128x16384x4096 100x8192x8192 128x4096x8192 200x11008x4096 256x8192x8192 384x8192x8192
    512x8192x8192 256x4096x4096 300x3000x20000
    64x4096x4096 256x1024x1024 8x8192x8192'
narrow+=" $(sed -E 's/([0-9]+)x([0-9]+)x/\2x\1x/g' <<<"$narrow") 8192x128x8192"
rectangles='2048x28672x8192 4096x11008x4096 3000x3000x20000 60000x1024x784 16384x1024x1024
    512x16384x4096 10000x10000x784
    1000x1000x100000 16384x16384x1024'
counted=512,4096

cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh

# Prints a name for the GPU: NVIDIA H200 -> h200, NVIDIA GeForce RTX 4090 -> rtx-4090,
# NVIDIA H100 80GB HBM3 -> h100.
device() {
    ! command -v nvidia-smi >/dev/null ||
        nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1 |
        tr '[:upper:]' '[:lower:]' |
            sed -E 's/nvidia //; s/geforce //; s/ [0-9]+ ?gb.*//; s/[^a-z0-9]+/-/g; s/^-|-$//g'
}

names=$(parts | cut -d' ' -f1)
status=
if [[ ${1:-} == status && $# == 1 ]]; then status=yes; shift; fi
for part in "$@"; do
    grep -qx -- "$part" <<<"$names" ||
        die "unknown part '$part': expected status, or some of $(paste -sd' ' <<<"$names")"
done
if [[ -z ${RESULTS:-} ]]; then
    name=$(device) || name=
    [[ $name || $status || $* ]] ||
        die "nvidia-smi names no GPU here; measure on a machine that has one, or set RESULTS" 77
    RESULTS=docs/results/${name:-h200}
fi
export RESULTS
built=$(sed -n 's/.*"\(.*\)".*/\1/p' build/commit.h 2>/dev/null) || true
code=$(tools/commit.sh code)
[[ $code != unknown ]] || code=${built:-unknown} # without git: the build's commit

# measured PART: prints the code and the time of the part's newest measurement, if there is one.
measured() {
    [[ ! -s $RESULTS/parts.csv ]] || sed -n "s/^$1,\([^,]*\),\([^,]*\).*/\1 \2/p" \
        "$RESULTS/parts.csv" | tail -n 1
}
is_current() { [[ ${code%-dirty} == "$(measured "$1" | cut -d' ' -f1)" ]]; }

if [[ $status ]]; then
    stale=0
    printf '%-13s %-6s %-14s %-21s %s\n' part needs code measured files
    while read -r part needs files _; do
        read -r of when <<<"$(measured "$part")" || true
        state=${when:-never}
        if ! is_current "$part"; then state+=' (not current)'; stale=1; fi
        printf '%-13s %-6s %-14s %-21s %s\n' "$part" "$needs" "${of:--}" "$state" "$files"
    done < <(parts)
    echo "code: $code; results: $RESULTS"
    exit $stale
fi

[[ $code != *-dirty ]] || die \
    "the tree has changes: commit them first, so that rows can name what was measured" 2
[[ $code != unknown ]] || die \
    "no git and no build/commit.h, so rows cannot name their commit; run make in a clone" 2
if [[ $# == 0 ]]; then
    for part in $names; do is_current "$part" || set -- "$@" "$part"; done
fi
mkdir -p "$RESULTS"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
driver=$(! command -v nvidia-smi >/dev/null ||
    nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1) || driver=

# steps_from NUMBER: prints the lessons from NUMBER to 09 as a list for the option --step:
# 03_outer_product,04_warp_tiling,...
steps_from() {
    build/ladder --list | sed -n "/^$1_/,\$s/^\(0[1-9]_[^ ]*\).*/\1/p" | paste -sd,
}

# widen FILE: appends the columns of the ladder's present header that FILE lacks. They are empty in
# the rows of FILE.
widen() {
    local header old commas
    [[ -s $1 ]] || return 0
    build/ladder --backend sim --step 01 --variant coalesced --shape 0x0x0 --check off \
        --csv "$work/header.csv" >/dev/null 2>&1 || true
    header=$(head -n 1 "$work/header.csv" 2>/dev/null) || return 0
    old=$(head -n 1 "$1")
    [[ $header == "$old,"* ]] || return 0
    commas=${header#"$old"} commas=${commas//[^,]/}
    sed -e "1s/.*/$header/" -e "2,\$s/\$/$commas/" "$1" >"$work/wide.csv" &&
        put "$work/wide.csv" "$1"
}
# ladder FILE OPTION...: runs the ladder; appends its rows to results.csv, or replaces any other
# FILE.
ladder() {
    local file=$1
    shift
    echo "build/ladder $*"
    if [[ $file == results.csv ]]; then
        widen "$RESULTS/$file"
        build/ladder --backend gpu --csv "$RESULTS/$file" "$@"
    else
        build/ladder --backend gpu --csv "$work/$file" "$@" && put "$work/$file" "$RESULTS/$file"
    fi
}

# stamp FILE: replaces FILE by the rows on standard input. It adds three columns: commit, driver,
# and the hash of libsgemm's machine code.
stamp() {
    local header
    read -r header
    {
        echo "$header,commit,driver,code_hash" &&
            sed "/^$header\$/d; s/\$/,$code,$driver,$(tools/stale.py --library)/"
    } >"$work/$1" &&
        [[ $(wc -l <"$work/$1") -gt 1 ]] && put "$work/$1" "$RESULTS/$1"
}
measure() {
    [[ -e build/library/libsgemm.so ]] || {
        echo 'results.sh: build/library/libsgemm.so is missing; run make library first' >&2
        return 1
    }
    python3 library/measure.py "$@"
}
interposed() { LD_PRELOAD=$PWD/build/library/libsgemm_cublas.so "$@"; }

describe() {
    local nvcc now commit toolkit limit
    nvcc=$(tools/nvcc.sh)
    now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    commit=$(tools/commit.sh)
    toolkit=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    limit=$(! command -v nvidia-smi >/dev/null ||
        nvidia-smi --query-gpu=power.limit --format=csv,noheader,nounits 2>/dev/null | head -n 1)
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
burst() { ladder results.csv --step "$(steps_from 01)" --size $small; }
large() { ladder results.csv --step "$(steps_from 03)" --variant last --size $big; }
reuse() { ladder results.csv --step 09 --size $reuse; }
sustained() {
    ladder results.csv --step "$(steps_from 03)" --variant last,hand_16x8 --size $sustained \
        --mode sustained
}
dgemm() {
    ladder results.csv --step 11 --size $dgemm && ladder results.csv --step 11 --variant last \
        --size $sustained --mode sustained
}
rasters() { widen "$RESULTS/results.csv" && tools/order.sh rasters; }
shapes() { widen "$RESULTS/results.csv" && tools/order.sh shapes; }
sample() { tools/order.sh sample 323 300; }
best() { tools/order.sh best 19 60; }
maxas() { ladder results.csv --step 12 --size $maxas; }
tensor() {
    ladder results.csv --step 13 --size $tensor &&
        ladder results.csv --step 13 --variant cluster,bf16x6,last --size 16384 &&
        ladder results.csv --step 13 --variant last --size $sustained --mode sustained
}
inputs() {
    local kind
    for kind in $inputs; do
        ladder results.csv --step 13 --variant cluster,bf16x6,last --inputs "$kind" --size 4096 ||
            return
    done
}
applications() {
    ladder applications.csv --step 13,shapes --variant dispatch,mended,few_rows,few_cols,safe \
        --size $odd $(printf -- '--shape %s ' $applications $narrow)
}
digests() { tools/digests.sh gpu "$RESULTS/digests.csv"; }
strassen() {
    local file=$work/strassen.csv \
        levels=one_level,two_levels,three_levels,fused,two_fused,three_fused
    build/ladder --backend gpu --csv "$file" --step 13,15 --variant safe,safe_level \
        --size 8192,12288,16384 &&
        build/ladder --backend gpu --csv "$file" --step 09,15,shapes \
            --size 1024,1536,2048,3001,4096,5001,6144,8192,12288,16384 \
            --variant hand_16x8_row,hand_16x12,dispatch,separate,$levels,strassen &&
        build/ladder --backend gpu --csv "$file" --step 09,15 --size 16384 --mode sustained \
            --variant hand_16x12,one_level,two_levels,three_levels,two_fused,three_fused &&
        build/ladder --backend gpu --csv "$file" --step 15,shapes \
            --variant dispatch,one_level,two_levels,fused,two_fused,strassen \
            $(printf -- '--shape %s ' $rectangles) &&
        put "$file" "$RESULTS/strassen.csv"
}
floor() {
    ladder floor.csv --step 10,shapes --variant dispatch,flat,thin,narrow,64x64 \
        $(printf -- '--shape %s ' 1x1x1 1x1x64 8x8x8 32x32x32 64x64x64)
}
checks() { ladder checks.csv --step 01-12,shapes --size 8192 --check only; }
errors() { SECONDS_EACH=100 tools/errors.sh; }
peel() { measure fp32 66 | stamp peel.csv; }
library() { measure shapes | stamp library.csv && measure host | stamp host.csv; }
drawn() { measure drawn 1000 7 | stamp drawn_calls.csv; }
training() {
    local method
    for method in fp32 tf32 fp64; do measure train 20 $method || return; done >"$work/methods" &&
        interposed python3 library/measure.py train 20 libsgemm >>"$work/methods" &&
        stamp training.csv <"$work/methods" &&
        { echo method,calls,ms,transposes,m,n,k,function && for method in libsgemm fp32; do
            SGEMM_LOG=1 SGEMM_METHOD=$([[ $method == fp32 ]] && echo off || echo auto) interposed \
                python3 library/measure.py train 4 2>&1 |
            awk -v OFS=, -v method=$method 'NF > 9 && $5 == "x" {
                print method, $1, $2, $3, $4, $6, $8, $10 }'
        done; } | stamp training_calls.csv
}
programs() {
    {
        measure programs && measure programs tf32 && interposed python3 library/measure.py programs
    } | stamp programs.csv
}
rivals() {
    {
        measure beside tf32 && interposed python3 library/measure.py beside libsgemm
    } | stamp rivals.csv
}
counters() {
    COUNTERS=$RESULTS/counters.csv tools/profile.sh all $counted &&
        COUNTERS=$RESULTS/counters.csv tools/profile.sh 11 $counted &&
        COUNTERS=$RESULTS/counters.csv tools/profile.sh 12 $counted &&
        COUNTERS=$RESULTS/counters.csv tools/profile.sh cublas $counted
}
links() { tools/gpus.sh links speed leave; }
kernels() { tools/gpus.sh kernels; }
processes() { tools/gpus.sh processes killed; }
lint() { tools/lint.py "$RESULTS"; }
predicted() { tools/validate.py --steps 01-13 --every --keep; }
probes() {
    build/00_machine --backend model --csv "$work/predicted_machine.csv" &&
        put "$work/predicted_machine.csv" "$RESULTS/predicted_machine.csv"
}

draw() {
    plots/draw.py "$RESULTS" && {
        [[ ! -s $RESULTS/sample.csv ]] || plots/sample.py "$RESULTS"
    } && RESULTS=docs/results/h200 tools/docs.py
}

most=$((9 * 60))
for part in "$@"; do
    [[ -x build/ladder && -x build/00_machine ]] ||
        die "build/ladder or build/00_machine is missing; run make first" 1
    [[ $built == "$code" ]] ||
        die "build/ is of ${built:-no commit}, and the sources are $code: run make first" 1
    needs=$(parts | sed -n "s/^$part  *\([^ ]*\) .*/\1/p")
    echo "== $part"
    began=$SECONDS rc=0 now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    $part || rc=$?
    [[ $rc == 0 ]] || die \
        "$part stopped with status $rc; what was measured until then is in $RESULTS" \
        "$((rc == 77 ? 77 : 1))"
    [[ -s $RESULTS/parts.csv ]] || echo part,code,time,seconds,needs,driver >"$RESULTS/parts.csv"
    echo "$part,$code,$now,$((SECONDS - began)),$needs,$driver" >>"$RESULTS/parts.csv"
    ((SECONDS - began <= most)) ||
        echo "results.sh: $part took $(((SECONDS - began) / 60)) minutes, over nine: divide it" >&2
done
