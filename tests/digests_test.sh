#!/usr/bin/env bash
# Kernels on tensor cores give the same bits on the simulator as on a GPU, by the hashes of C in
# docs/results/*/digests.csv (tools/digests.sh).
source "$(dirname "$0")/tap.sh"
shopt -s nullglob
files=(docs/results/*/digests.csv)
if [[ ${#files[@]} == 0 ]]; then
    skip 'bits as on a GPU' \
        'no docs/results/*/digests.csv: tools/digests.sh gpu FILE on a GPU writes it'
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# `make test` draws one kind of inputs and four of step 13's eight variants; `make test-all` takes
# all.
mapfile -t wanted < <(printf '%s\n' uniform wide graded | draw 1 digests)
VARIANTS=$(awk -F, '$1 ~ /^13/ && !seen[$2]++ { print $2 }' "${files[0]}" | draw 4 variants |
    paste -sd,)
export VARIANTS
said=$(tools/digests.sh sim "$work/sim.csv" "${wanted[@]}" 2>&1) ||
    fail 'the simulator gives digests' "$(tail -5 <<<"$said")"
for file in "${files[@]}"; do
    grep -E "^(step|11_)|^[^,]*,(${VARIANTS//,/|}),.*,($(tr ' ' '|' <<<"${wanted[*]}"))," "$file" |
        sort >"$work/gpu.csv"
    if said=$(diff "$work/gpu.csv" <(sort "$work/sim.csv")); then
        pass "$file: $(($(wc -l <"$work/gpu.csv") - 1)) results, the same bits on the simulator"
    else
        fail "$file: the same bits on the simulator" '< GPU, > simulator' "$(head -20 <<<"$said")"
    fi
done
