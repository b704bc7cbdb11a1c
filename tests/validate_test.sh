#!/usr/bin/env bash
# Predicted times are within the stated band of the measured ones that come with the project; a time
# outside the band is reported.
source "$(dirname "$0")/tap.sh"

one_line_is 'a wrong limit of the stalls' 2 'expected LEAST,MOST' tools/validate.py --stalls 5
one_line_is 'a wrong limit' 2 'expected MEAN,WORST' tools/validate.py --most 5
one_line_is 'a wrong argument' 2 'usage' tools/validate.py --bogus
one_line_is 'rows that are not there' 2 "no rows in 'none.csv'" tools/validate.py --from none.csv
needs 'predicted times beside measured ones' python3 || exit 0
if of_13_0 'predicted times beside those that were measured of the same code'; then
    case_is 'the ladder at N = 1024 is within 2.5 % on the mean, 7.5 % at worst' 0 'pairs_ranked_rightly' \
        tools/validate.py --sizes 1024 --most 2.5,7.5
    case_is 'what the warps wait for at N = 512: 86 % of the largest three states within 30 %, 5.4 % of the time misplaced at most' 0 'misplaced_pct' \
        tools/validate.py --sizes 512 --stalls 86,5.4
    case_is 'maxas at N = 512, texture fetches among it: 3.5 % on the mean, 8 % at worst' 0 'pairs_ranked_rightly' \
        tools/validate.py --sizes 512 --steps 12 --most 3.5,8
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for part in predicted predicted_counters; do
    tools/rows.py docs/results/h200/$part.csv | grep -v ,13_tensor_cores, >"$work/$part.csv"
done
grep -e '^time,' -e ,13_tensor_cores, docs/results/h200/predicted.csv >"$work/tensor.csv"
case_is 'the rows that come with the project, ladder and later steps' 0 'pairs_ranked_rightly' tools/validate.py --from "$work/predicted.csv" --most 4,12 --stalls 66,8.5
case_is 'tensor cores: 6 % on the mean, 10 % at worst' 0 '17 of 17' tools/validate.py --from "$work/tensor.csv" --most 6,10
for part in predicted predicted_counters; do grep -e '^time' -e '^counter,' -e ,05_float4, "$work/$part.csv" >"$work/one${part#predicted}.csv"; done
case_is 'a model with other stall reasons is refused' 1 'what the warps wait for is further' tools/validate.py --from "$work/one.csv" --stalls 100,0.1
case_is 'a model with larger errors is refused' 1 'is further from' tools/validate.py --from "$work/one.csv" --most 0.001,0.001
