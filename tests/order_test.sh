#!/usr/bin/env bash
# Steps 10 and shapes. Parts of K give the same bits in whatever order the blocks arrive. The costs
# state the right occupancy. The predicted L2 hits are those of the lesson. The tools refuse bad
# input.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rules=library/shapes/README.md notes=docs/notes/10_block_order.md

# --- the tools
one_line_is 'order.sh without a part' 2 'expected measure, fit' tools/order.sh
one_line_is 'order.sh, unknown part' 2 'expected measure, fit' tools/order.sh nine
one_line_is 'verdict without results' 1 'tools/order.sh shapes writes it' env RESULTS="$work" \
    tools/order.sh verdict
one_line_is 'fit without a file' 2 'expected a file' build/order_fit
one_line_is 'fit of no file' 2 'No such file' build/order_fit "$work/none.csv"
echo 'parts,variant' >"$work/order.csv"
one_line_is 'fit of a foreign file' 2 'no column "step"' build/order_fit "$work/order.csv"
echo 'parts,time,commit,device,step,variant,m,n,k,lda,alpha,beta,ms_median,check' >"$work/order.csv"
echo '0,2026,c,d,cublas,pedantic,512,512,512,512,1,0,0.06,off' >>"$work/order.csv"
one_line_is 'fit without a time of a kernel' 1 'no time of any kernel' \
    build/order_fit "$work/order.csv"
echo '1,2026,c,d,10_block_order,64x64,512,512,512,512,1,0,0.05,off' >>"$work/order.csv"
case_is 'a fit of one time' 0 '"NVIDIA H200"' build/order_fit "$work/order.csv"
case_is 'report of one shape' 0 '1.200' build/order_fit --report "$work/order.csv"
tools/rows.py docs/results/h200/best.csv >"$work/filled.csv"
[[ $(build/order_fit --report docs/results/h200/best.csv) == "$(build/order_fit --report \
    "$work/filled.csv")" ]] &&
    (($(wc -c <"$work/filled.csv") > 2 * $(wc -c <docs/results/h200/best.csv)))
verdict $? 'omitted columns of rows are filled in'
one_line_is 'shapes, no seed' 2 'expected a seed' tools/shapes.py x 3
one_line_is 'judge without a sample' 1 'tools/order.sh sample writes it' env RESULTS="$work" \
    tools/order.sh judge
one_line_is 'chart without a sample' 2 'no sample.csv' plots/sample.py "$work"
one_line_is 'l2, unknown order' 2 'expected x_major' tools/l2.py nine 1
one_line_is '--parts -1' 2 'out of range' build/ladder --step 10 --parts -1
one_line_is '--repeat x' 2 '--repeat x' build/ladder --step 10 --repeat x

# --- random shapes: a seed draws the same shapes as in every earlier sample; another seed others
tools/shapes.py 7 98 >"$work/drawn"
[[ $(head -n 3 "$work/drawn" | xargs) == '5789x1966x3 123x5831x643 1454x1454x1454' ]]
verdict $? 'the shapes of a seed' "$(head -n 3 "$work/drawn")"
cubes=$(tools/shapes.py 7 98 | awk -Fx '$1 == $2 && $2 == $3' | wc -l)
[[ $cubes == 18 ]]
verdict $? '18 of 98 shapes are cubes' "$cubes"
[[ $(tools/shapes.py 8 9) != $(tools/shapes.py 7 9) ]]
verdict $? 'another seed, other shapes'

# --- what tools/order.sh says about a sample, here the lesson's own rows; and the sample's chart
mkdir "$work/sample"
grep -e '^time' -e ',dispatch,' docs/results/h200/results.csv >"$work/sample/sample.csv"
needs 'what a sample shows' python3 && case_is 'what a sample shows' 0 'geometric mean of' env \
    RESULTS="$work/sample" tools/order.sh judge
mkdir "$work/tuned"
cat <<'END' >"$work/tuned/sample.csv"
variant,m,n,k,ms_median,vs_cublas,check
pedantic,8,8,8,4,1,pass
tuned,8,8,8,2,2,pass
dispatch,8,8,8,1,4,pass
pedantic,9,9,9,4,1,pass
tuned,9,9,9,2,2,pass
dispatch,9,9,9,4,1,pass
dispatch,10,10,10,4,1,pass
END
needs 'what a sample shows beside the fastest of cublasLt' python3 &&
    case_is 'what a sample shows beside the fastest of cublasLt' 0 \
        $'on 2 shapes: 2.000 times cublasSgemm;\ndispatch 1.000 times that, 1 at 0.95 or more, '\
'least 0.500 (9x9x9)' \
        env RESULTS="$work/tuned" tools/order.sh judge
if needs 'the chart of a sample' python3 gnuplot; then
    case_is 'the chart of a sample' 0 'sample.svg' plots/sample.py "$work/sample"
fi

# --- fitting on another machine (the fake GPU): its costs are added beside the H200's, and the
# rules find them by its name
fitted=$(COSTS="$work/dispatch_costs.h" LD_LIBRARY_PATH="$PWD/build/fake" tools/order.sh here \
    30x40x70 1x70x90 80x2x90 2>&1) || true
cp library/rules/dispatch.h "$work/"
cat >"$work/rules.c" <<END
#include "dispatch.h"
#include <stdio.h>
int main(void) {
    return puts(costs_from("Fake GPU, one of a kind")) < 0 || puts(costs_from("NVIDIA H200")) < 0;
}
END
if ${CC:-cc} -std=c11 -D_GNU_SOURCE -Icommon -Isasskit -Icommon/harness "$work/rules.c" \
    -o "$work/rules" -lm 2>"$work/said" &&
    [[ $("$work/rules") == $'Fake GPU, one of a kind\nNVIDIA H200' ]]; then
    pass 'a fit adds a machine'
else
    fail 'a fit adds a machine' "$fitted" "$(<"$work/said")"
fi
case_is 'a device without costs of its own' 0 'NVIDIA H200' \
    env LD_LIBRARY_PATH="$PWD/build/fake" build/shapes --variant dispatch --shape 3x3x3 --check off

# One tile in one round: A and B take 128 + 256 sectors for every 8 of the 1024 k's, all misses; C
# takes 4096 sectors, all hits.
case_is 'l2 of one tile' 0 'x_major,128,256,1024,7.7,7.7' \
    tools/l2.py x_major 128x256x1024
# Two neighbouring tiles share A's 128 sectors: for every 8 k's 640 of 768 requests miss, so 128 *
# 640 of 128 * 768. C takes 8192 sectors, all hits.
case_is 'l2 of two tiles' 0 'grouped,128,512,1024,23.1,23.1' \
    tools/l2.py grouped 128x512x1024

# Step 13's costs follow from its measurements; a GPU that is not in the table gets a row of its
# own.
cp steps/13_tensor_cores/safe_costs.def "$work/tensor.h"
case_is 'costs of step 13' 0 'costs of NVIDIA H200' env COSTS="$work/tensor.h" \
    tools/tensor_costs.py fit
said=$(diff steps/13_tensor_cores/safe_costs.def "$work/tensor.h")
verdict $? 'costs of step 13 are those in the tree' "$said"
mkdir "$work/other" && sed 's/NVIDIA H200/Another GPU/' docs/results/h200/applications.csv \
    >"$work/other/applications.csv"
case_is 'costs of another GPU' 0 'costs of Another GPU' env COSTS="$work/tensor.h" \
    RESULTS="$work/other" tools/tensor_costs.py fit
if [[ $(grep -c '^    {"' "$work/tensor.h") == $(($(grep -c '^    {"' \
    steps/13_tensor_cores/safe_costs.def) + 1)) ]]; then
    pass 'costs of another GPU are added to the table'
else
    fail 'costs of another GPU are added to the table' "$(<"$work/tensor.h")"
fi
head -20 docs/results/h200/applications.csv >"$work/other/applications.csv"
case_is 'tensor_costs with too few times' 1 'shapes of mended are too few' env \
    COSTS="$work/tensor.h" RESULTS="$work/other" tools/tensor_costs.py fit
case_is 'tensor_costs without times' 1 'tools/results.sh tensor writes it' env \
    COSTS="$work/tensor.h" RESULTS="$work" tools/tensor_costs.py fit
case_is 'tensor_costs without a part' 2 'expected here or fit' tools/tensor_costs.py

# The table of predictions in the notes is the output of tools/l2.py.
for n in 2048 4096 8192 16384; do
    predicted=$(for raster in x_major y_major grouped z_order; do
        tools/l2.py $raster $n | cut -d, -f6
    done | paste -sd' ')
    read -r x y g z <<<"$predicted"
    row="| predicted, $n | $x | $y | $g | $z |"
    grep -qF -- "$row" "$notes"
    verdict $? "the notes' prediction for $n" "expected $row"
done

if needs "the lesson's geometric mean" python3; then
    mean=$(tools/order.sh verdict | sed -n 's/^geometric mean of 38 shapes: //p')
    tr '\n' ' ' <"$rules" | grep -qF -- "**$mean**"
    verdict $? "the lesson's geometric mean" "expected $mean"
fi

# Each number of parts is a contender of its own. With --candidates only kernels run that may be the
# fastest. `narrow` is not among them for a product with one row.
LD_LIBRARY_PATH="$PWD/build/fake" build/ladder --backend gpu --step 10,shapes \
    --variant thin,64x64,flat --parts 1,2 --check off --rounds 1 --baseline off \
    --shape 33x40x64 --csv "$work/forms.csv" >/dev/null
forms=$(awk -F, 'NR > 1 { print $8 }' "$work/forms.csv" | paste -sd' ')
[[ $forms == '64x64:1 64x64:2 thin:1 thin:2 flat' ]]
verdict $? 'each number of parts is a contender' "$forms"
LD_LIBRARY_PATH="$PWD/build/fake" build/ladder --backend gpu --step 10,shapes \
    --variant thin,64x64,flat,narrow --parts 1,2 --candidates --check off \
    --rounds 1 --baseline off \
    --shape 1x600x64 --csv "$work/candidates.csv" >/dev/null
forms=$(awk -F, 'NR > 1 { print $8 }' "$work/candidates.csv" | paste -sd' ')
[[ $forms == *thin:1* && $forms != *narrow* ]]
verdict $? 'only candidates run' "$forms"

# --- on the simulator
if [[ ! -s build/cubin/sm_90/10_block_order/64x64.cubin ]]; then
    skip 'steps 10 and shapes on the simulator' 'built for another ARCH'
    exit 0
fi
build/ladder --backend sim --step 10,shapes --check off --size 64 \
    --csv "$work/results.csv" >/dev/null 2>&1
while IFS=$'\t' read -r variant per_sm; do
    found=$(awk -F, -v variant="$variant" '$7 == variant { print $31 }' "$work/results.csv")
    if [[ $found == "$per_sm" ]]; then
        pass "$variant: $per_sm blocks an SM"
    # The compiler decides how many registers a kernel takes.
    elif of_13_0 "$variant: blocks an SM"; then
        fail "$variant: blocks an SM" "dispatch_costs.h says $per_sm, the kernel gets '$found'"
    fi
done < <(sed -n 's/^ *{"\([^"]*\)", [0-9]*, [0-9]*, [0-9]*, \([0-9]*\),.*/\1\t\2/p' \
    library/rules/dispatch_costs.h)

# Each problem is checked and launched twice. The simulator's host threads run blocks in varying
# order, so parts arrive in varying order. `make test` draws some problems; `make test-all` takes
# all, and the trials.
asked_alone=(--digest "$work/digests.csv")
[[ ! ${EXHAUSTIVE:-} ]] || asked_alone=()
small="--size 65 --shape 5x130x700 --shape 129x33x1 --pad 0,1 --alpha -1 --beta 0,0.5"
squares=$(printf '%s\n' thin 64x32 32x64 64x64 128x64 64x128 48x96 96x48 |
    draw 2 squares | paste -sd,)
while IFS='|' read -r name options; do
    read -ra words <<<"$options"
    status=0
    OMP_NUM_THREADS=2 build/ladder --backend sim --step 10,shapes --check only --repeat 2 \
        "${asked_alone[@]}" "${words[@]}" >"$work/said" 2>&1 || status=$?
    [[ $status == 0 ]]
    verdict $? "$name" "$(head -20 "$work/said")"
done < <(draw 5 same_bits <<END
K in 2 parts|--variant $squares --parts 2 $small
K in 9 parts|--variant $squares --parts 9 $small
K in 70 parts|--variant $squares --parts 70 $small
one row, one column, K in 9 parts|--variant row,row_8,row_32,column,column_deep --parts 9 \
    --shape 35x5x300 --shape 2x131x1000 --pad 0,1 --beta 0.5
few rows, few columns, K in 9 parts|--parts 9 --shape 35x5x300 --pad 1 --beta 0.5 \
    --variant thin_deep,thin_16,thin_20,thin_24,narrow,narrow_8,narrow_long,narrow_16
few columns through shared memory, K in 3 parts|--variant slim_20,slim_24,slim_32 --parts 3 \
    --shape 70x19x300 --shape 130x32x203 --pad 0,1,4 --beta 0,0.5
stream-K, 1 blocks a tile|--variant stream_16x8 --parts 1 --shape 130x260x100 \
    --shape 1500x3000x9 --pad 0,1 --beta 0.5
stream-K, 2 blocks a tile|--variant stream_16x8 --parts 2 --shape 130x260x100 --pad 0,1 --beta 0.5
stream-K, 3 blocks a tile|--variant stream_16x8 --parts 3 --shape 130x260x100 --pad 0,1 --beta 0.5
stream-K, more blocks than tiles|--variant stream_16x8,whole_16x8,whole_16x12 \
    --shape 300x500x1200 --shape 1x1x3 --pad 0,1 --beta 0,0.5
orders of tiles|--variant x_major,y_major,grouped,z_order --shape 1300x600x9 --shape 3x1100x17
what the rules choose|--variant dispatch --shape 1x2000x600 --shape 700x64x500 \
    --shape 64x700x500 --size 384
two launches, the second for the last row|--variant dispatch --shape 769x4076x304 --pad 0,1 \
    --beta 0.5
two launches, the second for the last column|--variant dispatch --shape 2048x769x400 --pad 1 \
    --alpha -1 --beta 0.5
END
)

# How often stream-K hands over part of a tile: computed here by the rules of lesson 10, by its
# table, and counted on the simulator. Handing over takes 32 stores in each of 8 warps, and two
# stores that set and clear a flag.
stores() { # [OPTION...]: counts them at N = 512
    rm -f "$work/stores.csv"
    build/10_block_order --backend sim --variant stream_16x8 --size 512 --check off \
        --counters "$work/stores.csv" "$@" >/dev/null &&
        sed -n 's/.*_requests.*global_op_st.sum,//p' "$work/stores.csv"
}
read -r wrong handed <<<"$(awk -F '|' '/^\|.*\(derived\)/ {
        steps = $2 / 8; line = $2 / 128 * $2 / 256 * steps; share = int((line + 131) / 132)
        split("", cuts); most = all = 0
        for (at = share; at < line; at += share) {
            if (at % steps == 0) continue
            all++
            if (++cuts[int(at / steps)] > most) most = cuts[int(at / steps)]
        }
        wrong += $3 != share || $7 != most
        if ($2 == 512) handed = all
    } END { print wrong, handed }' steps/10_block_order/evidence.md)"
[[ $wrong == 0 && $(($(stores) - $(stores --parts 1))) == $((handed * (8 * 32 + 2))) ]]
verdict $? 'stream-K: its hand-overs' "rows that are wrong: $wrong; hand-overs at 512: $handed"

# Blocks hand over parts of K by a release and an acquire. If a relaxed atomic replaces these, reads
# of other blocks' sums are a race.
two_parts() { # runs 130 x 130 x 100 in nine tiles
    build/simrun --races=global --grid 18 --block 128 --shared 16896 --arg i32:130 --arg i32:130 \
        --arg i32:100 --arg f32:1 \
        --arg f32[13000]:random:1 --arg i32:100 --arg f32[13000]:random:2 --arg i32:130 \
        --arg f32:0 --arg f32[16900]:zero --arg i32:130 "$@"
}
case_is 'parts are handed over without a race' 0 '' two_parts \
    build/cubin/sm_90/10_block_order/64x64.cubin
if [[ ${NVCC:-} ]]; then
    cp steps/10_block_order/{kernel.cu,*.h} "$work"
    sed -i 's/atom.acq_rel.gpu/atom.relaxed.gpu/' "$work/parts.h"
    read -ra flags <<<"$(sed 's/ --passes.*//' build/flags/10_block_order.64x64)"
    "$NVCC" -O3 -cubin -arch=sm_90 "${flags[@]}" -o "$work/relaxed.cubin" "$work/kernel.cu" \
        2>"$work/said" || true
    case_is 'a relaxed hand-over is a race' 1 '"kind": "global-race"' two_parts \
        --json "$work/relaxed.cubin"
else
    skip 'a relaxed hand-over is a race' 'no nvcc'
fi
