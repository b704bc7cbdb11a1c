#!/usr/bin/env bash
# The simulator's counters against Nsight Compute's on an H200 for kernels beyond the course's: those of tests/verdicts/clean
# (docs/results/h200/corpus_counters.csv), and one asynchronous copy of many address patterns (copy_wavefronts.csv). Compared only
# when nvcc is 13.0, which made the code that was measured.
source "$(dirname "$0")/tap.sh"
release=$("$NVCC" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p')
here=build/verdicts results=docs/results/h200
if [[ $release != 13.0 ]]; then
    skip "counters equal Nsight Compute's" "measured with CUDA 13.0, this is $release"
    exit 0
fi
mkdir -p "$here"
# Counts that depend on when warps, or the sides of a diverged one, get their turn; and what lies in local memory or is reached
# through generic addresses, whose wavefronts and requests the simulator does not count as ncu does.
differ=' blocks_grid_barrier blocks_look_back blocks_spin_lock blocks_wait_for_the_next blocks_lock_by_each_lane blocks_work_queue
divergence_loop_with_breaks divergence_nested divergence_both_sides_load divergence_function_pointers groups_labeled_partition
groups_tile_of_64 local_recursion shared_generic_pointer '

measured=$(ls tests/verdicts/clean/*.cu | grep -v _90a) # the tensor cores' kernels were not
for source in $measured tests/copies.cu; do
    cubin=$here/clean_$(basename "${source%.cu}").cubin
    [[ $cubin -nt $source ]] || "$NVCC" -cubin -arch=sm_90 -lineinfo -o "$cubin" "$source" || exit 1
done

for source in $measured; do
    cubin=$here/clean_$(basename "${source%.cu}").cubin
    awk -f tests/verdicts/list.awk "$source" | while IFS=$'\t' read -r name arguments _; do
        [[ ! $differ =~ [[:space:]]$name[[:space:]] ]] && grep -q "^$name," "$results/corpus_counters.csv" || continue
        read -ra words <<<"$arguments"
        said=$(build/simrun "$cubin" --entry "$name" "${words[@]}" --threads 1 --counters - 2>&1 | awk -F, -v kernel="$name" '
            FILENAME == "-" { ours[$1] = $2; next }
            $1 == kernel { n++; if (!($2 in ours) || ours[$2] != $3) print $2 ": ncu " $3 ", ours " ours[$2] }
            END { if (!n) print "nothing to compare" }' - "$results/corpus_counters.csv")
        if [[ ! $said ]]; then pass "$name: counters equal ncu's"; else fail "$name: counters equal ncu's" "$said"; fi
    done
done

wrong=0 count=0
while IFS=, read -r kernel shift lanes stride column to to_stride to_column active filled waves; do
    [[ $kernel == kernel ]] && continue
    ours=$(build/simrun "$here/clean_copies.cubin" --entry "$kernel" --grid 1 --block 32 --shared 40960 --arg 'u32[65536]:zero' \
        --arg "i32:$shift" --arg "i32:$lanes" --arg "i32:$stride" --arg "i32:$column" --arg "i32:$to" --arg "i32:$to_stride" \
        --arg "i32:$to_column" --arg "u32:$active" --arg "u32:$filled" --arg u64:0 --counters - |
        sed -n 's/^smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum,//p')
    ((count++))
    [[ $ours == "$waves" ]] || { ((wrong++)); said="$kernel,$shift,$lanes,$stride,$column,$to,$to_stride,$to_column: ncu $waves, ours $ours"; }
done <"$results/copy_wavefronts.csv"
if [[ $wrong == 0 && $count -gt 100 ]]; then pass "wavefronts of $count copies equal ncu's"; else fail "wavefronts of $count copies equal ncu's" "$wrong differ, the last: $said"; fi
