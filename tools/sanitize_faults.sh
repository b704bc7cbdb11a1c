#!/usr/bin/env bash
# Runs the faulty kernels of sasskit/tests/verdicts under compute-sanitizer on a GPU. Prints rows
# kernel,tool,findings,status for docs/results/h200/sanitizer.csv. Run `make` and
# sasskit/tests/verdict_test.sh first: they build build/gpurun and build/verdicts/*.cubin.
#
#     tools/sanitize_faults.sh FILE.cu... > rows.csv
#
# Each kernel runs on its own under each tool. `status` is 124 if it exceeded the time limit, and 1
# if the tool reported it or its launch failed. Environment: SECONDS_EACH, the time limit (20);
# JOBS, the number of parallel runs (8). Exit status: 0 success, 77 no GPU or no
# compute-sanitizer.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
sanitizer=$(command -v compute-sanitizer ||
    ls "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" 2>/dev/null) ||
    {
        echo "$0: compute-sanitizer is not installed" >&2
        exit 77
    }
build/gpurun /dev/null || exit
source sasskit/tests/verdicts/compile.sh
export sanitizer

one() { # CUBIN KERNEL ARGUMENTS TOOL
    local said status=0 findings
    said=$(printf '%s\t%s\t%s\n' "$1" "$2" "$3" | timeout -k 1 "${SECONDS_EACH:-20}" \
        "$sanitizer" --tool "$4" --error-exitcode 1 build/gpurun - 2>&1) || status=$?
    [[ $status != 137 ]] || status=124 # killed after the time limit
    findings=$(sed -n 's/^========= .*SUMMARY: \([0-9]*\) .*/\1/p' <<<"$said" | tail -n 1)
    echo "$2,$4,$findings,$status"
}
export -f one
echo kernel,tool,findings,status
for source in "$@"; do
    cubin=build/verdicts/$(cubin_of "$source").cubin
    awk -f sasskit/tests/verdicts/list.awk "$source" | while IFS=$'\t' read -r name arguments _; do
        printf '%s\0' "$cubin" "$name" "$arguments" initcheck "$cubin" "$name" \
            "$arguments" memcheck \
            "$cubin" "$name" "$arguments" racecheck "$cubin" "$name" "$arguments" synccheck
    done
done | xargs -0 -r -n 4 -P "${JOBS:-8}" bash -c 'one "$@"' one | sort
