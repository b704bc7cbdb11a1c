#!/usr/bin/env bash
# Tests tensor maps on the simulator: boxes inside the tensor and across its edges, every swizzle,
# three dimensions, copies to both blocks of a pair, stores, and reports of mistakes. The script
# computes the expected boxes by itself, from the sizes.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "tensor maps" || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p build/tensor_maps
cubin build/tensor_maps/maps.cubin -arch=sm_90a -lineinfo sasskit/tests/tensor_maps.cu || exit 1
cubin build/tensor_maps/fence.cubin -arch=sm_90a -lineinfo -DNO_FENCE \
    sasskit/tests/tensor_maps.cu || exit 1

run() { # ENTRY GRID TENSOR ARGUMENT...
    build/simrun "build/tensor_maps/${cubin:-maps}.cubin" --entry "$1" --grid "$2" --block 32 \
        --shared 16384 --arg "tma:$3" "${@:4}" >"$work/said" 2>&1
}
words() { od -An -v -tu4 -w4 "$1" | tr -d ' '; }

# box_is WHAT LD DEPTH HEIGHT WIDTH  Z Y X  BOX_DEPTH BOX_HEIGHT BOX_WIDTH  UNITS: out.bin must hold
# the box of in.bin that begins at (Z, Y, X), with zeros outside the tensor. LD is the number of
# words from row to row of in.bin.
# Swizzle: out.bin consists of lines of 128 bytes, each with 8 units of 16 bytes. The index of a
# unit in its line is XORed with the line's index modulo UNITS (1: no swizzle).
box_is() {
    local what=$1
    shift
    diff <(words "$work/in.bin" | awk -v ld="$1" -v d="$2" -v h="$3" -v w="$4" -v z="$5" \
        -v y="$6" -v x="$7" -v bd="$8" -v bh="$9" -v bw="${10}" -v units="${11}" '
        function exclusive_or(a, b, bit, r) {
            for (bit = 1; bit < 8; bit *= 2)
                if (int(a / bit) % 2 != int(b / bit) % 2) r += bit
            return r + 0 }
        { at[NR - 1] = $1 }
        END {
            for (i = 0; i < bd; i++) for (j = 0; j < bh; j++) for (k = 0; k < bw; k++) {
                inside = i + z >= 0 && i + z < d && j + y >= 0 && j + y < h &&
                    k + x >= 0 && k + x < w
                place = (i * bh + j) * bw + k
                line = int(place / 32)
                to = line * 32 + exclusive_or(int(place / 4) % 8, line % units) * 4 + place % 4
                box[to] = inside ? at[((i + z) * h + j + y) * ld + k + x] : 0
            }
            for (i = 0; i < bd * bh * bw; i++) print box[i]
        }') <(words "$work/out.bin") >"$work/diff"
    verdict $? "$what" "$(cat "$work/said")" "$(head -6 "$work/diff")"
}
load2() { # WHAT TENSOR X Y WORDS, then the arguments of box_is
    run load2 1 "$2:random:5=out:$work/in.bin" --arg "i32:$3" --arg "i32:$4" --arg "i32:$5" \
        --arg "u32[$5]:nan=out:$work/out.bin"
    box_is "$1" "${@:6}"
}
load2 'a box within the tensor' 'u32[10x40,box=4x8]' 3 2 32 40 1 10 40 0 2 3 1 4 8 1
load2 'a box over the upper left edge' 'u32[10x40,box=4x8]' -3 -1 32 40 1 10 40 0 -1 -3 1 4 8 1
load2 'a box over the lower right edge, rows apart' 'u32[10x38,box=4x8,ld=44]' 33 8 32 44 1 \
    10 38 0 8 33 1 4 8 1
load2 'a box outside' 'u32[10x40,box=4x8]' 100 -7 32 40 1 10 40 0 -7 100 1 4 8 1
for swizzle in 32 64 128; do
    wide=$((swizzle / 4))
    load2 "a swizzle of $swizzle bytes" "u32[20x64,box=16x$wide,swizzle=$swizzle]" 5 \
        7 $((16 * wide)) \
        64 1 20 64 0 7 5 1 16 $wide $((swizzle / 16))
done
load2 'halves' 'f16[16x64,box=8x16]' 0 4 64 32 1 16 32 0 4 0 1 8 8 1
run load3 1 "u32[5x6x8,box=2x3x4]:random:5=out:$work/in.bin" --arg i32:5 --arg i32:4 --arg i32:-1 \
    --arg i32:24 --arg "u32[24]:nan=out:$work/out.bin"
box_is 'three dimensions' 8 5 6 8 -1 4 5 2 3 4 1
run load_both 2 "u32[10x40,box=4x8]:random:5=out:$work/in.bin" --arg i32:1 --arg i32:1 \
    --arg i32:32 --arg "u32[64]:nan=out:$work/both.bin"
for block in 0 1; do
    tail -c +$((block * 128 + 1)) "$work/both.bin" | head -c 128 >"$work/out.bin"
    box_is "a copy to both blocks, block $block" 40 1 10 40 0 1 1 1 4 8 1
done

# Stores a box into the tensor, which lies partly outside, and loads the same box back.
run store2 1 "u32[10x40,box=8x32,swizzle=128]:zero=out:$work/in.bin" --arg i32:-2 --arg i32:4 \
    --arg i32:256 --arg "u32[256]:random:3"
run load2 1 "u32[10x40,box=8x32,swizzle=128]:file:$work/in.bin" --arg i32:-2 --arg i32:4 \
    --arg i32:256 --arg "u32[256]:nan=out:$work/out.bin"
box_is 'a store, and what lies outside is not stored' 40 1 10 40 0 4 -2 1 8 32 8
if [[ $(words "$work/in.bin" | grep -vc '^0$') == $((6 * 30)) ]]; then
    pass 'a store writes its box alone'
else
    fail 'a store writes its box alone' "$(words "$work/in.bin" | grep -vc '^0$')"
fi

says() { # NAME STATUS TEXT: tests the last run's exit status; its report must contain TEXT
    [[ $status == "$2" && $(tr -s ' \n' ' ' <"$work/said") == *"$3"* ]]
    verdict $? "$1" "status $status" "$(cat "$work/said")"
}
refuses() { # WHAT TENSOR TEXT
    status=0
    run load2 1 "$2" --arg i32:0 --arg i32:0 --arg i32:32 --arg 'u32[32]:zero' || status=$?
    says "refused: $1" 2 "$3"
}
refuses 'no box' 'u32[10x40]:zero' 'expected tma:TYPE[SIZES,box=SIZES]'
refuses 'a box of another rank' 'u32[10x40,box=8]:zero' 'expected tma:TYPE[SIZES,box=SIZES]'
refuses 'a row of 12 bytes' 'u32[10x40,box=4x3]:zero' 'a row of the box has 12 bytes'
refuses 'a stride of 28 bytes' 'u32[10x7,box=4x4]:zero' 'the stride of dimension 1 is 28 bytes'
refuses 'a box of 300 rows' 'u32[400x8,box=300x4]:zero' 'the box has 300 elements in dimension 1'
refuses 'a row wider than the swizzle' 'u32[10x40,box=4x16,swizzle=32]:zero' \
    'a row of the box has 64 bytes'
refuses 'a swizzle of 48' 'u32[10x40,box=4x12,swizzle=48]:zero' \
    'a swizzle of 0, 32, 64 or 128 bytes'
refuses 'no bracket' 'u32[10x40,box=4x8' 'expected ]'
refuses 'no tensor' 'u32:5' 'expected tma:TYPE[SIZES,box=SIZES]'
status=0
run load3 1 'u32[10x40,box=4x8]:zero' --arg i32:0 --arg i32:0 --arg i32:0 --arg i32:32 \
    --arg 'u32[32]:zero' || status=$?
says 'another rank than the instruction has' 1 \
    'copies a box of 3 dimensions, and its tensor map has 2'
status=0
run load2 1 'u32[10x40,box=4x8]:zero' --arg i32:0 --arg i32:0 --arg i32:40 --arg 'u32[40]:zero' ||
    status=$?
says 'fewer bytes than the mbarrier waits for' 1 'still wants 0 arrivals and 32 bytes'
status=0
build/simrun build/tensor_maps/maps.cubin --entry load2 --grid 1 --block 32 --shared 1024 \
    --arg "{u64:1,u64:2,u64[14]:zero$(printf ',u64:%d' {3..15})}" \
    --arg i32:0 --arg i32:0 --arg i32:32 --arg 'u32[32]:zero' >"$work/said" 2>&1 || status=$?
says 'bytes that are no map' 1 'takes a tensor map at'
status=0
cubin=fence run store2 1 'u32[10x40,box=4x8]:zero' --arg i32:0 --arg i32:0 --arg i32:32 \
    --arg 'u32[32]:random:1' --json || status=$?
says 'a store without fence.proxy.async' 1 '"kind": "fence"'
# The kernel changes its map by tensormap.replace: the tensor becomes 20 x 20 in rows of 24, with
# boxes of 8 x 8.
run replaced 1 'u32[10x40,box=4x8]:zero' --arg 'u32[32]:zero' \
    --arg "u32[480]:random:6=out:$work/in.bin" --arg i32:20 --arg i32:20 \
    --arg i64:96 --arg i32:8 --arg i32:3 --arg i32:15 --arg i32:64 \
    --arg "u32[64]:nan=out:$work/out.bin"
box_is 'a map that the kernel replaces' 24 1 20 20 0 15 3 1 8 8 1
for wrong in '0 a stride of elements' '1 NaNs outside' '2 a swizzle that does not fit the box'; do
    status=0
    run strange 1 'u32[10x40,box=4x8]:zero' --arg 'u32[32]:zero' --arg "i32:${wrong%% *}" \
        --arg 'u32[32]:zero' || status=$?
    says "a map replaced by one with ${wrong#* }" 1 'takes a tensor map at'
done
for entry in load2 store2 replaced; do
    said=$(build/sass lint build/tensor_maps/maps.cubin --kernel "$entry" 2>&1)
    verdict $? "lint of $entry" "$said"
done
