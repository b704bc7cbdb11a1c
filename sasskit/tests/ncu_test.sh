#!/usr/bin/env bash
# The simulator's counters must equal those of Nsight Compute (ncu) on an H200 for kernels outside
# the course:
#   - the kernels of sasskit/tests/verdicts/clean (docs/results/h200/corpus_counters.csv);
#   - accesses to local memory with many address patterns (local_counters.csv);
#   - an asynchronous copy with many address patterns (copy_wavefronts.csv, copy_sectors.csv).
# Requires nvcc 13.0, which compiled the code that was measured. Ratios may differ by 0.005, as ncu
# prints two decimals.
source "$(dirname "$0")/../../tests/tap.sh"
needs_nvcc "counters equal Nsight Compute's" || exit 0
source sasskit/tests/verdicts/compile.sh
here=build/verdicts results=docs/results/h200
of_13_0 "counters equal Nsight Compute's" || exit 0
# Kernels that are not compared. Their counts depend on the order in which warps or diverged lanes
# run; or ncu counts more wavefronts (shared_generic_pointer, which accesses shared memory by
# generic addresses).
differ=' blocks_grid_barrier blocks_look_back blocks_spin_lock blocks_wait_for_the_next
blocks_lock_by_each_lane blocks_work_queue
divergence_loop_with_breaks divergence_nested divergence_both_sides_load
divergence_function_pointers groups_labeled_partition
groups_tile_of_64 local_recursion shared_generic_pointer '

mapfile -t measured < <(clean_sources) # without the kernels that use wgmma, which were not measured
differ_in_awk='function differ(name, a, b) {
    return name ~ /ratio$/ ? (a - b) ^ 2 > 0.0051 ^ 2 : a != b }'
compile clean sm_90 '' "${measured[@]}" 2>/dev/null &&
    cubin "$here/copies.cubin" -arch=sm_90 sasskit/tests/copies.cu &&
    cubin "$here/local.cubin" -arch=sm_90 sasskit/tests/local.cu || exit 1

for source in "${measured[@]}"; do
    awk -f sasskit/tests/verdicts/list.awk "$source" | while IFS=$'\t' read -r name arguments _; do
        [[ ! $differ =~ [[:space:]]$name[[:space:]] ]] &&
            grep -q "^$name," "$results/corpus_counters.csv" || continue
        read -ra words <<<"$arguments"
        said=$(build/simrun "$here/clean.cubin" --entry "$name" "${words[@]}" --threads 1 \
            --counters - 2>&1 | awk -F, -v kernel="$name" '
            FILENAME == "-" { ours[$1] = $2; next }
            $1 == kernel { n++; if (!($2 in ours) || differ($2, ours[$2], $3))
                print $2 ": ncu " $3 ", ours " ours[$2] }
            END { if (!n) print "nothing to compare" }'"$differ_in_awk" - \
            "$results/corpus_counters.csv")
        [[ ! $said ]]
        verdict $? "$name: counters equal ncu's" "$said"
    done
done

# Local memory: runs each launch in local_counters.csv.
tools/rows.py "$results/local_counters.csv" |
    awk -F, 'NR > 1 && !seen[$1 FS $2]++ { print $1 FS $2 }' |
    while IFS=, read -r name arguments; do
        read -ra words <<<"$arguments"
        said=$(build/simrun "$here/local.cubin" --entry "$name" "${words[@]}" --counters \
            - 2>/dev/null | awk -F, -v launch="$name,$arguments" '
        FILENAME == "-" { ours[$1] = $2; next }
        $1 { now = $1 FS $2 }
        now == launch { n++; if (!($3 in ours) || differ($3, ours[$3], $4))
            print $3 ": ncu " $4 ", ours " ours[$3] }
        END { if (!n) print "nothing to compare" }'"$differ_in_awk" - "$results/local_counters.csv")
        [[ ! $said ]]
        verdict $? "$name $arguments: counters equal ncu's" "$said"
    done

# copies FILE COUNTER,COLUMN,MOST...: runs an asynchronous copy for each address pattern in FILE
# (`make test` draws 50 patterns). COUNTER must equal column COLUMN of the file, counted from 0. It
# may differ in at most MOST patterns.
copies() {
    local file=$results/$1 count=0 rule counter column most ours values
    declare -A wrong said
    while IFS=, read -ra values; do
        [[ ${values[0]} == kernel ]] && continue
        ours=$(build/simrun "$here/copies.cubin" --entry "${values[0]}" --grid 1 --block 32 \
            --shared 40960 --arg 'u32[65536]:zero' \
            "${values[@]:1:7}" "${values[@]:8:2}" --arg u64:0 --counters -)
        ((count++))
        for rule in "${@:2}"; do
            IFS=, read -r counter column most <<<"$rule"
            [[ $ours$'\n' == *"$counter,${values[column]}"$'\n'* ]] || {
                ((wrong[$counter]++))
                said[$counter]="${values[*]}: ours $ours"
            }
        done
    done < <(awk -F, 'BEGIN { OFS = "," }
        NR > 1 { for (i = 2; i <= 10; i++) $i = "--arg=" (i < 9 ? "i32:" : "u32:") $i;
        print }' "$file" | draw 50 "$1")
    for rule in "${@:2}"; do
        IFS=, read -r counter column most <<<"$rule"
        if [[ $count -ge 50 && ${wrong[$counter]:-0} -le $most ]]; then
            pass "$counter of $count copies: $most differ at most"
        else
            fail "$counter of $count copies" \
                "${wrong[$counter]} differ, the last: ${said[$counter]}"
        fi
    done
}
wavefronts=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum
copies copy_wavefronts.csv $wavefronts,10,0
copies copy_sectors.csv $wavefronts,10,1 \
    l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum,11,6
