#!/usr/bin/env bash
# Predicted times are within the stated band of the measured times that come with the project. A
# time outside the band is reported.
source "$(dirname "$0")/tap.sh"

one_line_is 'a wrong limit of the stalls' 2 'expected LEAST,MOST' tools/validate.py --stalls 5
one_line_is 'a wrong limit' 2 'expected MEAN,WORST' tools/validate.py --most 5
one_line_is 'a wrong argument' 2 'usage' tools/validate.py --bogus
one_line_is 'rows that are not there' 2 "no rows in 'none.csv'" tools/validate.py --from none.csv
needs 'predicted times beside measured ones' python3 || exit 0
if of_13_0 'predicted times beside those that were measured of the same code'; then
    case_is 'the ladder at N = 1024 is within 2.5 % on the mean, 7.5 % at worst' 0 'pairs right' \
        tools/validate.py --sizes 1024 --most 2.5,7.5
    # The limits: at least 86 % of the kernels' three largest states are predicted within 30 %, and
    # at most 5.5 % of the warps' time is predicted in other states than measured.
    case_is 'what the warps wait for at N = 512' 0 'misplaced_pct' \
        tools/validate.py --sizes 512 --stalls 86,5.5
    case_is 'maxas at N = 512, texture fetches among it: 3.5 % on the mean, 8 % at worst' 0 \
        'pairs right' \
        tools/validate.py --sizes 512 --steps 12 --most 3.5,8
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows() { tools/rows.py "docs/results/h200/$1.csv"; }
head_and() {
    awk -v wanted="$1" 'NR == 1 || $0 ~ wanted'
} # head_and TEXT: prints the header and the rows that contain TEXT
for part in predicted predicted_counters; do
    rows $part | grep -v ,13_tensor_cores, >"$work/$part.csv"
    head_and ,05_float4, <"$work/$part.csv" >"$work/one${part#predicted}.csv"
done
rows predicted | head_and ,13_tensor_cores, >"$work/tensor.csv"
case_is 'the rows that come with the project, ladder and later steps' 0 'pairs right' \
    tools/validate.py --every --from "$work/predicted.csv" --most 7,21 --stalls 55,8.5
case_is 'tensor cores' 0 'pairs right' tools/validate.py --every --from "$work/tensor.csv" \
    --most 8,20
case_is 'a model with other stall reasons is refused' 1 'what the warps wait for is further' \
    tools/validate.py --from "$work/one.csv" --stalls 100,0.1
case_is 'a model with larger errors is refused' 1 'is further from' tools/validate.py \
    --from "$work/one.csv" --most 0.001,0.001
said=$(tools/validate.py --every --from "$work/predicted.csv" | awk 'length > 100')
[[ ! $said ]]
verdict $? 'its tables fit 100 columns' "$said"

# `simrun --time` states its own error, from accuracy.def.
said=$(diff <(tools/validate.py --accuracy) sasskit/model/accuracy.def)
verdict $? 'accuracy.def has the errors of validation.csv' "$said"
