#!/usr/bin/env bash
# Digests of the results of the tensor cores' kernels (step 13, and step 11's `tensor`) on 250 problems: the bits of C. On a GPU they
# are for docs/results/DEVICE/digests.csv, with which tests/digests_test.sh compares the simulator.
#
#     tools/digests.sh gpu|sim FILE [INPUTS...]     of step 13 only with these inputs (default: uniform wide graded), and
#                                                   only the variants in VARIANTS
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
if [[ $# -lt 2 || ! $1 =~ ^(gpu|sim)$ ]]; then
    echo "usage: tools/digests.sh gpu|sim FILE [INPUTS...]" >&2
    exit 2
fi
rm -f "$2"
shapes=(--shape 65x33x40 --shape 128x128x128 --shape 130x257x100 --shape 70x140x333 --shape 64x64x1000)

# A kernel that loses bits on purpose may fail its check on hard inputs; its bits are wanted all the same.
digests() {
    local status=0
    build/ladder --backend "$backend" --check only --baseline off "${shapes[@]}" --beta 0,0.75 --digest "$file" "$@" >&2 || status=$?
    [[ $status -le 1 ]] || exit "$status"
}
backend=$1 file=$2
wanted=("${@:3}")
if (($# == 2)); then wanted=(uniform wide graded); fi
for inputs in "${wanted[@]}"; do digests --step 13 --variant "${VARIANTS:-tf32,tf32x3,promoted,ring,deeper,cluster,bf16x6,mended}" --inputs "$inputs"; done
digests --step 11 --variant tensor --inputs uniform
echo "$(($(wc -l <"$2") - 1)) digests in $2"
