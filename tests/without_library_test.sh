#!/usr/bin/env bash
# Lessons do not depend on library/. Without it the ladder builds, lists its lessons and runs them.
# A message says that kernels of the library, which a lesson would run, are left out.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A copy of the sources and of what is built from them, without the library.
mkdir -p "$work/web" "$work/build"
cp -r --preserve=timestamps Makefile mk common sasskit steps tools "$work/"
cp -r --preserve=timestamps web/engine "$work/web/"
cp -r --preserve=timestamps \
    build/{obj,cubin,flags,arch,backends,commit.h,cubin_rules,nvcc,nvcc.flags,sass,steps} \
    "$work/build/" 2>/dev/null
rm -rf "$work/build/obj/library" "$work/build/cubin"/*/{library,shapes}
commit=$(sed -n 's/.*"\(.*\)".*/\1/p' build/commit.h)
if said=$(cd "$work" && make -j"$(nproc)" NVCC="${NVCC:-}" COMMIT="$commit" build/ladder \
    build/10_block_order build/13_tensor_cores 2>&1); then
    pass 'the ladder and steps 10 and 13 build'
else
    fail 'the ladder and steps 10 and 13 build' "$(tail -n 10 <<<"$said")"
    exit
fi
[[ $said == *'note: 13_tensor_cores needs the step shapes'* ]]
verdict $? 'the step that is missing is named' "$said"

cd "$work" || exit 1
steps_of() { build/ladder --list | sed -n 's/^\([^ ]\+\) .*/\1/p' | paste -sd' '; }
if [[ $(steps_of) == *'10_block_order '*'13_tensor_cores '* && $(steps_of) != *shapes* ]]; then
    pass 'the lessons are listed'
else
    fail 'the lessons are listed' "$(steps_of)"
fi
if [[ ! -s build/cubin/sm_90/10_block_order/64x64.cubin ]]; then
    skip 'the lessons run' 'built for another ARCH'
    exit
fi
digest=(--digest "$work/digests.csv") # leaves out the trials
case_is 'step 10 runs' 0 '64x64' build/10_block_order --backend sim --variant 64x64,stream_16x8 \
    --size 65 --check only "${digest[@]}"
case_is 'step 13 runs' 0 'mended' build/13_tensor_cores --backend sim --variant promoted,mended \
    --shape 20x30x40 --check only "${digest[@]}"
case_is 'safe chooses among the rest' 0 \
    'note: 13_tensor_cores/safe chooses without shapes/dispatch' build/13_tensor_cores \
    --backend sim --variant safe --shape 20x30x40 --check only "${digest[@]}"
case_is 'step 15 says what it lacks' 0 'multiplies with shapes/dispatch, which is not linked' \
    build/ladder --backend sim --step 01,15 --variant coalesced,one_level --shape 20x30x40 \
    --check only "${digest[@]}"
