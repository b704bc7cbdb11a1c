#!/usr/bin/env bash
# The simulator's conversions between PTX's number formats must give the results that
# sasskit/tests/conversions/oracle.c computes, on each architecture. The inputs include edge values:
# both zeros, subnormals, the largest finite numbers, infinities, NaN, ties and the limits of
# integers.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "conversions" || exit 0
here=build/conversions
mkdir -p "$here"
"$CC" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O1 -o "$here/oracle" \
    sasskit/tests/conversions/oracle.c -lm && "$here/oracle" inputs "$here" || exit 1
known=$("$NVCC" --list-gpu-code)
for arch in 75 80 89 90 100 120; do
    if ! grep -qx "sm_$arch" <<<"$known"; then
        skip "conversions of sm_$arch" 'this toolkit does not know it'
        continue
    fi
    if ! said=$(cubin "$here/$arch.cubin" -arch=sm_$arch \
        -lineinfo sasskit/tests/conversions/kernels.cu 2>&1); then
        fail "conversions of sm_$arch compile" "$said"
        continue
    fi
    for type in F32 F64 F16 BF16 S8 U8 S16 U16 S32 U32 S64 U64 F16X2 E4M3X2 E5M2X2; do
        read -r values conversions < <("$here/oracle" count $type)
        said=$(build/simrun "$here/$arch.cubin" --entry from_$type --grid $((values / 128)) \
            --block 128 --arg "i32:$values" \
            --arg "u64[$values]:file:$here/$type.bin" \
            --arg "u64[$((values * conversions))]:zero=out:$here/out.bin" 2>&1) &&
            said=$("$here/oracle" check $type $arch "$here/out.bin")
        verdict $? "$conversions conversions from $type, sm_$arch" "$said"
    done
done
