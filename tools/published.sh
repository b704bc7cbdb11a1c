#!/usr/bin/env bash
# Compares the model's times with published ones, on chips that this project has not measured.
# FOLDER has clones of the two repositories of the kernels:
#     git clone https://github.com/siboehm/SGEMM_CUDA FOLDER/SGEMM_CUDA
#     git clone https://github.com/salykova/sgemm.cu FOLDER/sgemm.cu
#     tools/published.sh FOLDER
#
# Prints a line per kernel (TFLOP/s published, TFLOP/s predicted, difference) and a line per chip.
#
# The published figures are from three sources: siboehm's README (A6000; A100 at commit c09b350,
# with that commit's tiles) and a fork's README (RTX 4090), both at N = 4096; and salykova's chart
# of an RTX 3090 locked at 1395 MHz, read to half a percent. No figure of the model was fitted to
# them. But they were known when the model's guesses were made, and decided one guess
# (sasskit/model/machine.c).
#
# One table was not known then: siboehm's A100 at 1095 MHz (commit 3659fe4; clock_ghz=1.095). The
# predictions for kernels 1 to 8 differ from it by +0.9, +27.2, +4.8, +10.4, +2.8, -1.5, +4.9 and
# -1.8 %. Kernel 2 needs 4 % fewer cycles at 1095 MHz than at 1410 MHz by the tables, and 3 % fewer
# by the model. Each of three changes of the model would explain the +27.2 %: a higher latency of
# device memory (the model would then say 12 % fewer cycles), a lower rate of L1's tags (1 %), or
# 102 instead of 192 requests behind the tags (5 %). None of these figures is published. The tables
# themselves are uncertain: two revisions of the fork state 4.83 and 5.22 TFLOP/s for kernel 2.
#
# Two forks' tables, of an RTX 3070 and an RTX 5050 Laptop, were not known either. The model has
# neither chip. They were predicted as an RTX 3090 and an RTX 5080 with fewer SMs and other memory,
# at the clock that makes the mean error about zero (1.98 and 2.81 GHz; the RTX 3070's data sheet
# says 1.73 GHz). Then the speeds of kernels 1 to 3 (naive, coalesced, tiled), relative to those of
# the other kernels, are 6 % lower than published. On the RTX 4090 they are 13 % lower if all
# kernels run at one clock. But power limits the clock of the other kernels there, so kernels 1 to 3
# are given a higher one, light_clock_ghz.
#
# Exit status: 0 success, 1 no nvcc, or a prediction failed, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
folder=${1:-}
[[ -d $folder/SGEMM_CUDA/src && -d $folder/sgemm.cu/src ]] || {
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
}
nvcc=$(NVCC=${NVCC:-} tools/nvcc.sh)
[[ $nvcc ]] || {
    echo 'published.sh: no nvcc: expected it on PATH, in /usr/local/cuda/bin or in build/toolkit' \
        >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/cublas_v2.h" # the headers include it, but use nothing from it

# predict MACHINE ARCH N PUBLISHED NAME GRID BLOCK KERNEL ARGUMENT...: compiles $work/k.cu, times
# KERNEL with the model and prints a line: machine, name, published, predicted, difference.
predict() {
    local machine=$1 arch=$2 n=$3 published=$4 name=$5 ms shown=${1%%,*}
    [[ $shown != "$1" && $n == 4096 ]] && shown=${row%=*}
    printf 'void *use = (void *)%s;\n' "$8" >>"$work/k.cu"
    "$nvcc" -O3 -std=c++17 -cubin -arch="$arch" -DGPUCC="${arch#sm_}" -I"$work" \
        -I"$folder/SGEMM_CUDA/src" -I"$folder/sgemm.cu/src" -I"$folder/sgemm.cu/common" \
        -o "$work/k.cubin" "$work/k.cu" 2>"$work/said" || {
        cat "$work/said" >&2
        return 1
    }
    ms=$(build/simrun "$work/k.cubin" --time --machine "$machine" \
        --entry "$(build/sass dis "$work/k.cubin" |
            sed -n "s/^\.kernel \([^ ]*${8%%<*}[^ ]*\).*/\1/p" | head -n 1)" \
        --grid "$6" --block "$7" "${@:9}" | awk '$2 == "cycles" { printf "%.6g", $1 / $4 / 1000 }')
    awk -v m="$shown" -v n="$n" -v name="$name" -v p="$published" -v ms="$ms" 'BEGIN {
        t = 2 * n ^ 3 / ms / 1e9; printf "%-9s %-18s %7.3f %7.3f %+6.1f %%\n", m, name, p, t,
            100 * (t / p - 1) }' | tee -a "$work/lines"
}
matrix() { printf -- '--arg\nf32[%d]:zero\n' $(($1 * $1)); }

# Rows: KERNEL GRID BLOCK MACHINE=TFLOP/s..., with the published speeds of siboehm's kernels.
while read -r kernel grid block rest; do
    for row in $rest; do
        machine=${row%=*}
        case $machine in
            a100) arch=sm_80 ;;
            a6000) arch=sm_86 ;;
            rtx-4090) arch=sm_89 ;;
            rtx-3070) arch=sm_86 \
                machine=rtx-3090,multiprocessors=46,clock_ghz=1.98,l2_mbytes=4
                machine+=,l2_gbytes=1640,l2_sector_gbytes=935,l2_store_gbytes=745
                machine+=,dram_gbytes=408,dram_write_gbytes=385,dram_copy_gbytes=355 ;;
            rtx-5050) arch=sm_120 \
                machine=rtx-5080,multiprocessors=20,clock_ghz=2.81,l2_mbytes=24
                machine+=,l2_gbytes=846,l2_sector_gbytes=482,l2_store_gbytes=385
                machine+=,dram_gbytes=350,dram_write_gbytes=330,dram_copy_gbytes=305 ;;
        esac
        echo '#include "kernels.cuh"' >"$work/k.cu"
        mapfile -t all < <(
            printf -- '--arg\ni32:4096\n%.0s' M N K
            printf -- '--arg\nf32:0.5\n'
            matrix 4096
            matrix 4096
            printf -- '--arg\nf32:3\n'
            matrix 4096
        )
        predict "$machine" $arch 4096 "${row#*=}" "${kernel%%:*}" "$grid" "$block" \
            "${kernel#*:}" "${all[@]}"
    done
done <<'TABLE'
1:sgemm_naive 128,128 32,32 a6000=0.3090 a100=0.2921 rtx-4090=0.6813 rtx-3070=0.1728 rtx-5050=0.1082
2:sgemm_global_mem_coalesce<32> 128,128 1024 a6000=1.9865 a100=3.1190 rtx-4090=4.8340 rtx-3070=1.2264 rtx-5050=0.7163
3:sgemm_shared_mem_block<32> 128,128 1024 a6000=2.9803 a100=5.4519 rtx-4090=6.5520 rtx-3070=1.7014 rtx-5050=0.9992
4:sgemm1DBlocktiling<64,64,8,8> 64,64 512 a6000=8.4747 a100=10.3686 rtx-4090=19.2821 rtx-3070=5.0718 rtx-5050=3.0576
5:sgemm2DBlocktiling<128,128,8,8,8> 32,32 256 a6000=15.9717 a100=14.1551 rtx-4090=36.0525 rtx-3070=10.1427 rtx-5050=5.0183
6:sgemmVectorize<128,128,8,8,8> 32,32 256 a6000=18.2373 a100=15.2965 rtx-4090=43.3263 rtx-5050=6.2991
7:sgemmResolveBankConflicts<128,128,8,8,8> 32,32 256 a6000=16.2134 a100=15.1713 rtx-4090=36.7455 rtx-3070=10.0275 rtx-5050=5.6854
8:sgemmResolveBankExtraCol<128,128,8,8,8> 32,32 256 a6000=16.4592 a100=15.0862 rtx-4090=37.4376 rtx-5050=4.6609
9:sgemmAutotuned<128,128,16,8,8> 32,32 256 a6000=19.7210 rtx-4090=42.9459 rtx-5050=6.6737
9:sgemmAutotuned<64,64,16,4,4> 64,64 256 a100=16.3441
10:sgemmWarptiling<128,128,16,64,64,4,8,4,128> 32,32 128 a6000=21.7793 rtx-4090=46.3499 rtx-5050=7.7280
10:sgemmWarptiling<64,128,16,32,64,1,4,4,128> 32,64 128 a100=17.8067
11:sgemmDoubleBuffering<128,256,16,128,32,1,8,8,256> 16,32 256 a6000=17.2783
TABLE

# salykova's kernel: N=TFLOP/s.
for row in 1024=14.88 2048=16.85 2816=22.69 4224=22.08 4608=23.0 4736=21.65 8192=23.4; do
    n=${row%=*} wide=256
    ((n > 2500)) || wide=128
    printf '#include "helper_cuda ptx.h"\n#include "kernels/128x%dx8.cuh"\n' $wide >"$work/k.cu"
    mapfile -t all < <(
        printf -- '--arg\ni32:%d\n' "$n" "$n" "$n"
        printf -- '--arg\nf32:1\n'
        matrix "$n"
        printf -- '--arg\ni32:%d\n' "$n"
        matrix "$n"
        printf -- '--arg\ni32:%d\n--arg\nf32:0\n' "$n"
        matrix "$n"
        printf -- '--arg\ni32:%d\n' "$n"
    )
    predict rtx-3090,clock_ghz=1.395 sm_86 "$n" "${row#*=}" "N=$n" \
        $(((n + wide - 1) / wide)),$(((n + 127) / 128)) 256 sgemm_128x${wide}x8 "${all[@]}"
done

awk '{ m = $1; k[m]++; pub[m, k[m]] = $3; pre[m, k[m]] = $4; e = $4 / $3 - 1; if (e < 0) e = -e;
        sum[m] += e; if (e > most[m]) most[m] = e }
    function rank(of, m, i,  j, r) { r = 1; for (j = 1; j <= k[m]; j++) r += of[m, j] < of[m, i];
    return r }
    END { for (m in k) { d = 0; for (i = 1; i <= k[m]; i++) d += (rank(pub, m, i) - rank(pre, m,
        i)) ^ 2
        printf "%s: mean error %.1f %%, worst %.1f %%, rank correlation %.2f\n", m,
            100 * sum[m] / k[m], 100 * most[m],
                1 - 6 * d / (k[m] * (k[m] ^ 2 - 1)) } }' "$work/lines" | sort
