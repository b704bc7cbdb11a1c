#!/usr/bin/env bash
# Writes digests (hashes of the bits of C) of 250 results of tensor-core kernels: those of step 13
# and step 11's `tensor`. tests/digests_test.sh compares the simulator's digests with a GPU's, which
# are in docs/results/DEVICE/digests.csv.
#
#     tools/digests.sh gpu|sim FILE [INPUTS...]     step 13's inputs; default: uniform wide graded
#
# VARIANTS in the environment names the variants of step 13 to run. Exit status: 0 success, 2 wrong
# usage, otherwise that of build/ladder (77 without a GPU).
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."
if [[ $# -lt 2 || ! $1 =~ ^(gpu|sim)$ ]]; then
    echo "usage: tools/digests.sh gpu|sim FILE [INPUTS...]" >&2
    exit 2
fi
rm -f "$2"
shapes=(--shape 65x33x40 --shape 128x128x128 --shape 130x257x100 --shape 70x140x333
    --shape 64x64x1000)

# Kernels of reduced precision may fail the check on hard inputs; their digests are kept anyway.
digests() {
    local status=0
    build/ladder --backend "$backend" --check only --baseline off "${shapes[@]}" --beta 0,0.75 \
        --digest "$file" "$@" >&2 || status=$?
    [[ $status -le 1 ]] || exit "$status"
}
backend=$1 file=$2
wanted=("${@:3}")
if (($# == 2)); then wanted=(uniform wide graded); fi
for inputs in "${wanted[@]}"; do
    digests --step 13 --variant \
        "${VARIANTS:-tf32,tf32x3,promoted,ring,deeper,cluster,bf16x6,mended}" --inputs "$inputs"
done
digests --step 11 --variant tensor --inputs uniform
echo "$(($(wc -l <"$2") - 1)) digests in $2"
