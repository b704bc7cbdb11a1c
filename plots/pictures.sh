#!/usr/bin/env bash
# Draws the pictures that the lessons show: requests and issue slots of real kernels, run on the simulator and by the model of an SM,
# and tiles that move. No GPU is needed.
#
#     plots/pictures.sh [OUT] [FORMAT]      OUT is docs/pictures, FORMAT svg if not given
#
# Which load is drawn is said by where it reads: the first one of the kernel whose lane 0 reads shared memory at or after a given
# byte (the system keeps 1024, then comes As, then Bs), or the first global load whose address differs from lane to lane. Prints each picture's path.
# Exit status: 0 drawn, 1 something failed, 2 wrong usage or nothing built.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."

source tools/put.sh

[[ $# -le 2 ]] || die "usage: plots/pictures.sh [OUT] [FORMAT]"
out=${1:-docs/pictures} format=${2:-svg}
simrun=${SIMRUN:-build/simrun}
[[ -x $simrun ]] || die "no $simrun; run make first"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# simulate CUBIN ENTRY THREADS OPTION...: one block of C, 128 x 128 with K = 16; rows of A are $lda floats apart.
lda=16
simulate() {
    [[ -f build/cubin/sm_90/$1.cubin ]] || die "no build/cubin/sm_90/$1.cubin; run make first"
    "$simrun" "build/cubin/sm_90/$1.cubin" --entry "$2" --grid 1,1 --block "$3" \
        --arg i32:128 --arg i32:128 --arg i32:16 --arg f32:1 --arg "f32[$((128 * lda))]:random:1" --arg i32:$lda \
        --arg 'f32[2048]:random:2' --arg i32:128 --arg f32:0 --arg 'f32[16384]:zero' --arg i32:128 "${@:4}"
}

# picture NAME TITLE CUBIN ENTRY THREADS MNEMONIC LEAST [DIFFERENT]: the first MNEMONIC whose lane 0 reads at LEAST or after, and
# that reads at least DIFFERENT addresses.
picture() {
    local name=$1 title=$2 mnemonic=$6 least=$7 different=${8:-1} address
    simulate "$3" "$4" "$5" --per-line >"$work/lines"
    awk -v what="$mnemonic" '$1 ~ /^[0-9a-f]+$/ { for (i = 3; i <= NF; i++) if ($i == what) { print $1; next } }' \
        "$work/lines" >"$work/addresses"
    while read -r address; do
        simulate "$3" "$4" "$5" --picture "$address" --picture-file "$work/request.csv"
        awk -F, -v least="$least" -v different="$different" '
            NR == 2 { start = $2 } NR > 1 && !seen[$2]++ { count++ }
            END { exit !(NR > 1 && start + 0 >= least + 0 && count >= different) }' "$work/request.csv" || continue
        plots/request.sh "$work/request.csv" "$out/$name.$format" "$title: $mnemonic"
        echo "$out/$name.$format"
        return
    done <"$work/addresses"
    die "no $mnemonic of $3 reads at or after byte $least of shared memory" 1
}

for variant in off z_lanes patches z_order; do
    picture "07-$variant-b" "Step 07, $variant: a load of B" "07_z_order/$variant" sgemm_z_order 256 LDS.128 $((1024 + 128 * 8 * 4))
done
picture 04-lanes_4x8-b "Step 04, lanes_4x8: a load of B" 04_warp_tiling/lanes_4x8 sgemm_warp_tiling 256 LDS $((1024 + 128 * 9 * 4))
lda=512 picture 01-uncoalesced-a "Step 01, uncoalesced: a load from A" 01_naive/uncoalesced sgemm_naive 1024 LDG.E 0 8
picture 01-coalesced-b "Step 01, coalesced: a load from B" 01_naive/coalesced sgemm_naive 1024 LDG.E 0 8
lda=512 picture 05-both-a "Step 05, both: a load from A" 05_float4/both sgemm_float4 256 LDG.E.128 0 8

# What wgmma reads of a tile of A that lies there in FP16, rows of 128 bytes: the first 16 bytes of each of 32 rows, as the descriptor
# says.
operand() { # NAME TITLE CUBIN
    local product=(--entry sgemm_tensor_cores --grid 1 --block 384 --shared 198656 --arg i32:128 --arg i32:128 --arg i32:64
        --arg f32:1 --arg 'f32[8192]:zero' --arg i32:64 --arg 'f32[8192]:zero' --arg i32:128 --arg f32:0
        --arg 'f32[16384]:zero' --arg i32:128 --arg 'u8[400000]:zero') address
    address=$("$simrun" "$3" "${product[@]}" --per-line | awk '/HGMMA/ && !found++ { print $1 }')
    "$simrun" "$3" "${product[@]}" --picture "$address" --picture-file "$work/request.csv"
    plots/request.sh "$work/request.csv" "$out/$1.$format" "$2"
    echo "$out/$1.$format"
}
operand 13-swizzled 'Step 13, ring: 16 bytes of each of 32 rows of A, for HGMMA' build/cubin/sm_90/13_tensor_cores/ring.cubin

# Tiles that move, frame by frame: drawn, not run.
cp plots/{frames,style}.gp "$work"
: >"$work/facts.gp"
for frame in 02-tiles 08-buffers 08-ring; do
    plot "$work" "$format" frames.gp "frame = '${frame#*-}'"
    put "$work/chart" "$out/$frame.$format"
    echo "$out/$frame.$format"
done

# timeline NAME TITLE CUBIN ENTRY GRID THREADS CYCLES OPTION...: issue slots of scheduler 0; C is 2048 x 4096, K = 512.
timeline() {
    "$simrun" "build/cubin/sm_90/$3.cubin" --entry "$4" --grid "$5" --block "$6" "${@:8}" --time --timeline "$work/trace.json" --cycles "$7" \
        --arg i32:2048 --arg i32:4096 --arg i32:512 --arg f32:1 --arg 'f32[1048576]:zero' --arg i32:512 \
        --arg 'f32[2097152]:zero' --arg i32:4096 --arg f32:0 --arg 'f32[8388608]:zero' --arg i32:4096 >/dev/null
    plots/slots.sh "$work/trace.json" "$out/$1.$format" "$7" "$2"
    echo "$out/$1.$format"
}
timeline 02-tile32-time 'Step 02, tile32: two blocks of 32 warps' 02_shared_tiling/tile32 sgemm_shared_tiling 128,64 1024 20000,2500
timeline 05-both-time 'Step 05, both: load and compute in turns' 05_float4/both sgemm_float4 512 256 51000,3000
timeline 08-both-time 'Step 08, both: load while computing' 08_double_buffer/both sgemm_double_buffer 32,16 256 50000,3000
timeline 09-hand-time 'Step 09, hand_16x8: hardly a gap' 09_reuse_sass/hand_16x8 sgemm_reuse_sass 132 256 20000,3000 --shared 64512
timeline 10-x_major-time 'Step 10, x_major: the only block of an SM ends, and the next one starts' 10_block_order/x_major sgemm_block_order 256 256 161500,13500 \
    --shared 49664

# The example of docs/own_kernel.md, compiled from the text.
awk '/^```/ { inside = /^```c$/; next } inside' docs/own_kernel.md >"$work/transpose.cu"
build/nvcc -arch=sm_90 -cubin -o "$work/transpose.cubin" "$work/transpose.cu" || die "nvcc failed on the example of docs/own_kernel.md" 1
transpose() {
    "$simrun" "$work/transpose.cubin" --entry transpose --grid 4,4 --block 32,32 \
        --arg i32:128 --arg 'f32[16384]:random:1' --arg 'f32[16384]:zero' "$@"
}
transpose --per-line >"$work/lines"
transpose --picture "$(awk '$0 ~ / LDS / { print $1; exit }' "$work/lines")" --picture-file "$work/request.csv"
plots/request.sh "$work/request.csv" "$out/transpose.$format" 'tile[x][y]: LDS'
echo "$out/transpose.$format"
