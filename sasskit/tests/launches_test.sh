#!/usr/bin/env bash
# simrun and the lessons' programs must refuse the launches that the driver refuses, with the
# driver's error number. A launch with one thread, block or byte less must succeed.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc launches && needs launches python3 || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/k.cu" <<'CUDA'
extern "C" __global__ void plain(int *out) { out[0] = 1; }
extern "C" __global__ void __launch_bounds__(64) bounded(int *out) { out[0] = 1; }
extern "C" __global__ void __cluster_dims__(2, 1, 1) pairs(int *out) { out[0] = 1; }
extern "C" __global__ void __cluster_dims__(4, 4, 2) crowd(int *out) { out[0] = 1; }
extern "C" __global__ void fixed(int *out) {
    __shared__ int s[8192];
    s[threadIdx.x] = 1;
    __syncthreads();
    out[0] = s[threadIdx.x ^ 1];
}
extern "C" __global__ void many(const float *a, float *c) { // 96 values per thread
    float s[96];
#pragma unroll
    for (int i = 0; i < 96; i++) s[i] = a[i * 8 + threadIdx.x % 8];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 96; i++) c[i * 8 + threadIdx.x % 8] = s[95 - i];
}
CUDA
"$NVCC" -arch=sm_90 -cubin -o "$work/k.cubin" "$work/k.cu" || exit 1

# launch NAME CODE KERNEL OPTION...: launches KERNEL. CODE is the expected error number of the
# driver, or 0 if the launch must succeed.
launch() {
    local status=0 code
    build/simrun "$work/k.cubin" --entry "$3" "${@:4}" --json="$work/lines" >"$work/said" 2>&1 ||
        status=$?
    code=$(python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
errors = [line for line in lines if line["type"] == "error"]
print(*[line["code"] for line in errors] or [0], *[line["kind"] for line in errors])' "$work/lines")
    [[ $2 == 0 && $status == 0 && $code == 0 ]] || [[ $2 != 0 && $status == 2 &&
        $code == "$2 refused" ]]
    verdict $? "$1" "expected: $2, found: $code, exit status $status" "$(cat "$work/said")"
    if awk 'length($0) > 100 { long = 1 } END { exit !long }' "$work/said"; then
        fail "$1: 100 columns" "$(cat "$work/said")"
    fi
}
out=(--arg 'i32[1]:zero')
arrays=(--arg 'f32[768]:random:1' --arg 'f32[768]:zero')
invalid=1 resources=701 cluster=912
launch '1,024 threads' 0 plain --grid 1 --block 1024 "${out[@]}"
launch '1,025 threads' $invalid plain --grid 1 --block 1025 "${out[@]}"
launch '64 threads along z' 0 plain --grid 1 --block 1,1,64 "${out[@]}"
launch '65 threads along z' $invalid plain --grid 1 --block 1,1,65 "${out[@]}"
launch '65,536 blocks along y' $invalid plain --grid 1,65536 --block 1 "${out[@]}"
launch '65,536 blocks along z' $invalid plain --grid 1,1,65536 --block 1 "${out[@]}"
launch 'as many threads as the launch bounds' 0 bounded --grid 1 --block 64 "${out[@]}"
launch 'more threads than the launch bounds' $invalid bounded --grid 1 --block 65 "${out[@]}"
launch '227 KiB of dynamic shared memory' 0 plain --grid 1 --block 32 --shared 232448 "${out[@]}"
launch 'a byte more' $invalid plain --grid 1 --block 32 --shared 232449 "${out[@]}"
launch 'static and dynamic shared memory' 0 fixed --grid 1 --block 32 --shared 199680 "${out[@]}"
launch 'static and dynamic shared memory, a byte more' $invalid fixed --grid 1 --block 32 \
    --shared 199681 "${out[@]}"
launch 'a whole number of clusters' 0 pairs --grid 4 --block 32 "${out[@]}"
launch 'half a cluster' $cluster pairs --grid 3 --block 32 "${out[@]}"
launch 'clusters of 32 blocks' $cluster crowd --grid 4,4,2 --block 32 "${out[@]}"
launch 'registers for 512 threads' 0 many --grid 1 --block 512 "${arrays[@]}"
launch 'registers for 1,024 threads' $resources many --grid 1 --block 1024 "${arrays[@]}"

# The remedy in the report names a limit of registers. Compiled with that limit, the kernel must
# run.
build/simrun "$work/k.cubin" --entry many --grid 1 --block 1024 "${arrays[@]}" 2>&1 |
    tr '\n' ' ' >"$work/said"
most=$(grep -oE 'maxrregcount=[0-9]+' "$work/said")
"$NVCC" -arch=sm_90 -cubin "-${most:-maxrregcount=0}" -o "$work/k.cubin" "$work/k.cu" || exit 1
launch "with the remedy, -$most" 0 many --grid 1 --block 1024 "${arrays[@]}"

# The harness must refuse a launch, too: 1,024 threads per block of a kernel whose cubin is changed
# to state 96 registers per thread.
if [[ -x build/ladder && -e build/cubin/sm_90/02_shared_tiling/tile32.cubin ]]; then
    mkdir -p "$work/build/cubin/sm_90/02_shared_tiling"
    python3 - build/cubin/sm_90/02_shared_tiling/tile32.cubin \
        "$work/build/cubin/sm_90/02_shared_tiling/tile32.cubin" <<'PYTHON'
import struct
import sys

file = bytearray(open(sys.argv[1], 'rb').read())
table, (count, names) = struct.unpack_from('<Q', file, 40)[0], struct.unpack_from('<HH', file, 60)
sections = [struct.unpack_from('<IIQQQQIIQQ', file, table + 64 * i) for i in range(count)]
for name, _, _, _, offset, size, *_ in sections:
    start = sections[names][4] + name
    if file[start:file.index(b'\0', start)] != b'.nv.info':
        continue
    at = offset
    while at < offset + size:
        form, attribute, length = struct.unpack_from('<BBH', file, at)
        if (form, attribute) == (4, 0x2f):  # number of registers: symbol's index, count
            struct.pack_into('<I', file, at + 8, 96)
        at += 4 + (length if form == 4 else 0)
open(sys.argv[2], 'wb').write(file)
PYTHON
    status=0
    cp build/ladder "$work/build/"
    "$work/build/ladder" --backend sim --step 02 --variant tile32 --size 64 \
        --check off >"$work/said" 2>&1 || status=$?
    [[ $status != 0 ]] && grep -q 701 "$work/said"
    verdict $? 'the harness refuses it as well' "exit status $status" "$(cat "$work/said")"
fi
