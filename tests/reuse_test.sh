#!/usr/bin/env bash
# `sass reuse` on every kernel of steps 01 to 08 and 11, with several lists of its passes. The
# result has no hazard, is right on odd shapes on the simulator, and gives the compiled code's bits.
# A kernel that `sass reuse` cannot analyse is refused and leaves no file.
# `make test` tries the passes banks,pairs,flags,trim on six of the steps and another list on four;
# `make test-all` takes every list, step and shape.
source "$(dirname "$0")/tap.sh"
here=build/reuse
mapfile -t passes < <(printf '%s\n' banks banks,order banks,order,flags,trim order,flags \
    banks,pairs pairs,flags | draw 1 reuse)
passes+=("banks,pairs,flags,trim")
rm -rf "$here"
mkdir -p "$here"

# steps_of PASSES: draws the steps on which this list of passes is tried, besides 06 and 08.
steps_of() {
    local others=4
    [[ $1 == banks,pairs,flags,trim ]] || others=2
    {
        printf '%s\n' 06 08
        printf '%s\n' 01 02 03 04 05 07 11 | draw $others "steps $1"
    } | paste -sd,
}

# rewrite PASSES: rewrites the kernels of the drawn steps into $here/PASSES and checks them with
# lint. Links the ladder and the other kernels there.
rewrite() {
    local list=$1 folder="$here/$1" file out said bad=0 steps
    steps=$(steps_of "$1")
    mkdir -p "$folder"
    ln -f build/ladder "$folder/ladder"
    for file in build/cubin/sm_90/{0[1-8]_*,11_*}/*.cubin; do
        out="$folder/${file#build/}"
        mkdir -p "$(dirname "$out")"
        # Tensor-core instructions are refused
        if [[ $file == */11_dgemm/tensor.cubin ||
            ,$steps, != *",$(cut -d/ -f4 <<<"$file" | cut -c1-2),"* ]]; then
            ln -f "$file" "$out"
            continue
        fi
        if ! said=$(build/sass reuse "$file" -o "$out" --passes "$list" 2>&1 &&
            build/sass lint "$out" 2>&1); then
            fail "$list: $file is rewritten without a hazard" "$said"
            bad=1
        fi
    done
    [[ $bad == 0 ]] && pass "$list: every kernel is rewritten without a hazard"
}

# right_on_shapes PASSES: passes if the ladder's checks pass and the simulator finds no hazard or
# race.
right_on_shapes() {
    local list=$1 said shapes=(--shape 129x127x9 --shape 255x257x17) sizes=33,65 steps
    # With --digest the ladder leaves out the trials; nothing reads the file of digests
    local asked_alone=(--digest "$here/$list/digests.csv")
    steps=$(steps_of "$1")
    if [[ ${EXHAUSTIVE:-} ]]; then sizes=1,33,65,257 asked_alone=(); fi
    if [[ $list == banks,pairs,flags,trim ]]; then
        asked_alone=()
        mapfile -t shapes < <(grep '^[0-9]' tests/shapes.txt | draw 6 reuse | sed 's/^/--shape\n/')
    fi
    if said=$("$here/$list/ladder" --backend sim "${asked_alone[@]}" --step "$steps" --check only \
        --size "$sizes" "${shapes[@]}" --pad 0,3 \
        --alpha -1 --beta 0.5 2>&1); then
        pass "$list: right on odd shapes"
    else
        fail "$list: right on odd shapes" "$(head -20 <<<"$said")"
    fi
}

# same_bits PASSES STEP/VARIANT BM BN SHARED M N K ALPHA BETA: C has the compiled kernel's bits.
same_bits() {
    local list=$1 name=$2 bm=$3 bn=$4 shared=$5 m=$6 n=$7 k=$8 alpha=$9 beta=${10} which said
    local kernel="sgemm_${2#*_}" folder
    for which in build "$here/$list"; do
        folder=$(tr / _ <<<"$which")
        if ! said=$(build/simrun "$which/cubin/sm_90/$name.cubin" --entry "${kernel%/*}" \
            --grid "$(((n + bn - 1) / bn)),$(((m + bm - 1) / bm))" --block 256 --shared "$shared" \
            --arg "i32:$m" --arg "i32:$n" --arg "i32:$k" --arg "f32:$alpha" \
            --arg "f32[$((m * k))]:random:1" --arg "i32:$k" \
            --arg "f32[$((k * n))]:random:2" --arg "i32:$n" --arg "f32:$beta" \
            --arg "f32[$((m * n))]:random:3=out:$here/$folder.out" --arg "i32:$n" 2>&1); then
            fail "$list: same bits, $name at ${m}x${n}x$k" "$said"
            return
        fi
    done
    said=$(cmp "$here/build.out" "$here/$folder.out" 2>&1)
    verdict $? "$list: same bits, $name at ${m}x${n}x$k" "$said"
}

for list in "${passes[@]}"; do
    rewrite "$list"
    right_on_shapes "$list"
    for shape in '128 256 64 1 0' '131 259 77 -1.5 0.5'; do
        same_bits "$list" 08_double_buffer/wide 128 256 49664 $shape
        same_bits "$list" 08_double_buffer/cp_async 128 128 33280 $shape
        same_bits "$list" 08_double_buffer/both 128 128 0 $shape
        same_bits "$list" 06_conflict_free_transpose/padded 128 128 0 $shape
    done
done

# The DGEMM kernel that the Makefile rewrites has the compiled kernel's bits, in fewer cycles.
same_dgemm() {
    local m=$1 n=$2 k=$3 which said
    for which in all reuse; do
        if ! said=$(build/simrun build/cubin/sm_90/11_dgemm/$which.cubin --entry dgemm_ladder \
            --grid "$(((n + 127) / 128)),$(((m + 127) / 128))" --block 256 \
            --shared $((3 * 16 * 260 * 8)) \
            --arg "i32:$m" --arg "i32:$n" --arg "i32:$k" --arg "f64:$4" \
            --arg "f64[$((m * k))]:random:1" --arg "i32:$k" \
            --arg "f64[$((k * n))]:random:2" --arg "i32:$n" --arg "f64:$5" \
            --arg "f64[$((m * n))]:random:3=out:$here/$which.out" --arg "i32:$n" 2>&1); then
            fail "same bits, 11_dgemm/reuse at ${m}x${n}x$k" "$said"
            return
        fi
    done
    said=$(cmp "$here/all.out" "$here/reuse.out" 2>&1)
    verdict $? "same bits, 11_dgemm/reuse at ${m}x${n}x$k" "$said"
}
same_dgemm 128 256 64 1 0
same_dgemm 131 259 77 -1.5 0.5
wide_cycles() {
    build/sass lint "$1" | joined | sed -n 's/.* \([0-9.]*\) issue cycles per DFMA.*/\1/p' | tail -1
}
before=$(wide_cycles build/cubin/sm_90/11_dgemm/all.cubin) \
after=$(wide_cycles build/cubin/sm_90/11_dgemm/reuse.cubin)
if awk -v a="$before" -v b="$after" 'BEGIN { exit !(b > 2 && b < 2.33 && a - b > 0.1) }'; then
    pass "11_dgemm: issue cycles per DFMA $before -> $after"
else
    fail '11_dgemm: issue cycles per DFMA fall by 0.1 at least, below 2.33' "$before -> $after"
fi
case_is 'banks has nothing to do for DFMA' 0 'none renamed' \
    build/sass reuse build/cubin/sm_90/11_dgemm/all.cubin -o "$here/banks.cubin" --passes banks

# The purpose of rewriting: fewer cycles in the loop for aligned matrices. It is the last loop with
# FFMAs that lint prints.
wide=build/cubin/sm_90/08_double_buffer/wide.cubin
cycles() {
    build/sass lint "$1" | joined | sed -n 's/.* \([0-9.]*\) issue cycles per FFMA.*/\1/p' | tail -1
}
all="$here/banks,pairs,flags,trim"
before=$(cycles $wide) after=$(cycles "$all/${wide#build/}")
if awk -v a="$before" -v b="$after" \
    'BEGIN { exit !(b > 1 && b < 1.15 && a - b > (a - 1) / 5) }'; then
    pass "wide: issue cycles per FFMA $before -> $after"
else
    fail 'wide: a fifth of the issue cycles above one per FFMA goes, to below 1.15' \
        "$before -> $after"
fi

read=$(build/sass reuse $wide -o "$here/again.cubin" | joined |
    sed -n 's/.*registers read \([0-9.]*\) -> \([0-9.]*\),.*/\1 \2/p' | tail -1)
if awk '{ exit !($1 > 1.9 && $2 < 1.75) }' <<<"$read"; then
    pass "wide: two rows at a time, registers read per FFMA $read"
else
    fail 'wide: two rows at a time read fewer than 1.75 registers per FFMA, the compiler over 1.9' \
        "$read"
fi
case_is 'a load into the register of its address is not read too early' 0 '168 -> 168 registers' \
    build/sass reuse build/cubin/sm_90/shapes/thin_24.cubin -o "$here/thin_24.cubin" \
    --passes order,flags

# refused NAME STATUS TEXT OPTION...: passes if `sass reuse` prints one line and writes no file.
refused() {
    rm -f "$here/none.cubin"
    one_line_is "$1" "$2" "$3" build/sass reuse "${@:4}" -o "$here/none.cubin"
    if [[ -e $here/none.cubin ]]; then
        fail "$1: no file is left"
    else
        pass "$1: no file is left"
    fi
}
if "$NVCC" -cubin -arch=sm_90 -o "$here/pointer.cubin" sasskit/tests/corpus/call_pointer.cu \
    >"$here/call.log" 2>&1 &&
    "$NVCC" -cubin -arch=sm_90 -o "$here/call.cubin" sasskit/tests/corpus/call.cu \
        >>"$here/call.log" 2>&1; then
    refused 'a call of what a register says' 1 'a call; reuse needs a kernel without it' \
        "$here/pointer.cubin"
    build/sass dis "$here/call.cubin" | sed -E 's/(MOV R[0-9]+), 0x[0-9a-f]+0 ;/\1, 0x20 ;/' \
        >"$here/return.sass"
    build/sass asm "$here/return.sass" --into "$here/call.cubin" -o "$here/return.cubin"
    refused 'a return to anywhere' 1 'reuse needs a kernel without it' "$here/return.cubin"
else
    fail 'a kernel with a call' "$(cat "$here/call.log")"
fi
# assert and printf call functions of the driver, which use registers that `sass reuse` does not
# know. So it may rename no register here. The function fold has several callers.
cat >"$here/assert.cu" <<'END'
#include <cassert>
#include <cstdio>
static __device__ __noinline__ float fold(float x) {
    return x < 0.1f ? x + x : x;
}
__global__ void rows(int n, const float *a, float *c) {
    float sum[8][8] = {}, x[8], y[8];
    assert(n < 100);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 8; i++) {
            x[i] = a[k * 512 + i * 32 + threadIdx.x];
            y[i] = a[k * 512 + 256 + i];
        }
        x[0] = fold(x[0]);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++) sum[i][j] += x[i] * y[j];
        if (sum[0][0] > 1e30f) printf("%d %f\n", k, sum[1][1]);
    }
    for (int i = 0; i < 64; i++)
        c[i * 32 + threadIdx.x] = i % 8 ? sum[i / 8][i % 8] : fold(sum[i / 8][0]);
}
END
sums() {
    build/simrun "$1" --grid 1 --block 32 --arg i32:5 --arg 'f32[2560]:random:1' \
        --arg "f32[2048]:nan=out:$1.sums" >/dev/null
}
if ! of_13_0 'a kernel with calls, assert and printf'; then
    : # nvcc 12.4 keeps the return address elsewhere
elif "$NVCC" -cubin -arch=sm_90 -o "$here/assert.cubin" "$here/assert.cu" >"$here/assert.log" \
    2>&1; then
    case_is 'a kernel with calls, assert and printf, by its name in the source' 0 \
        "_Z4rowsiPKfPf: loop" build/sass reuse "$here/assert.cubin" --kernel rows \
        -o "$here/asserted.cubin"
    sums "$here/assert.cubin" && sums "$here/asserted.cubin" &&
        cmp -s "$here"/assert{,ed}.cubin.sums && ! cmp -s "$here"/assert{,ed}.cubin
    verdict $? 'a kernel with calls, assert and printf: the same bits'
else
    fail 'a kernel with calls, assert and printf' "$(cat "$here/assert.log")"
fi
refused 'a file that is no cubin' 2 'makes a cubin' tests/reuse_test.sh
refused 'a kernel that is not there' 2 'sgemm_double_buffer' $wide --kernel nine
case_is 'reuse without -o' 2 '-o OUT.cubin' build/sass reuse $wide
case_is 'unknown pass' 2 'some of banks,pairs,order,flags,trim, not bank' build/sass reuse $wide \
    -o "$here/none.cubin" --passes bank
build/sass dis $wide | sed '/^[0-9a-f-]*:.*LDS.128/s/:-:[1-6]:-:/:-:-:-:/' >"$here/broken.sass"
if said=$(build/sass asm "$here/broken.sass" --into $wide -o "$here/broken.cubin" 2>&1); then
    refused 'a kernel with hazards' 1 'hazards by sass lint' "$here/broken.cubin"
else
    fail 'a kernel with hazards' "$said"
fi
