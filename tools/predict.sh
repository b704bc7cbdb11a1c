#!/usr/bin/env bash
# The ladder as the model of an SM predicts it, beside what the H200 measured. No GPU is needed; nothing here is measured.
#
#     tools/predict.sh OUT [SIZE]      OUT is a folder, SIZE the N, 2048 if not given
#
# Writes OUT/predicted.csv (rows of the backend `model`), with gnuplot OUT/predicted.svg, and prints the table, without sqlite3 with
# neither band nor measured times. The band is the model's
# largest error over steps 01 to 09 at that N, or over all N that were compared (docs/results/h200/validation.csv).
# Exit status: 0 well, 1 something failed, 2 wrong usage, 130 stopped.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
[[ $# -ge 1 && $# -le 2 && -d $1 ]] || die "expected a folder; usage: tools/predict.sh OUT [SIZE]"
out=$1 size=${2:-2048} measured=docs/results/h200
[[ $size =~ ^[1-9][0-9]{0,4}$ ]] || die "SIZE '$size' is not a whole number from 1 to 99999"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

rc=0
build/ladder --backend sim --time --check off --step 01-09 --variant last --size "$size" --csv "$work/rows.csv" >"$work/said" || rc=$?
if [[ $rc != 0 ]]; then
    if [[ $rc == 130 ]]; then exit 130; fi
    die "the ladder could not be predicted: $(tail -n 1 "$work/said")" 1
fi
put "$work/rows.csv" "$out/predicted.csv"

if ! command -v sqlite3 >/dev/null; then
    echo "Predicted, not measured: a model of the H200, N = $size. The band of its errors, and a chart, need sqlite3."
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; printf "\n%-28s %-16s %12s\n", "TFLOP/s", "variant", "predicted"; next }
        { printf "%-28s %-16s %12.1f\n", $at["step"], $at["variant"], $at["tflops"] }' "$work/rows.csv"
    exit
fi
tools/load.sh $measured "$work"
ask() { sqlite3 -batch -bail -init /dev/null "$@"; }
ask "$work/data.db" >/dev/null <<END
.import --csv $work/rows.csv model
create table band as
select coalesce(max(iif(n = $size, abs(error_pct), null)), max(abs(error_pct))) as most from validation where step < '10';
create table rung as
select row_number() over (order by p.step) - 1 as place, p.step, p.variant, 2e-9 * p.m * p.n * p.k / p.ms_min as predicted,
    2e-9 * p.m * p.n * p.k / t.ms_min as measured, most
from model as p, band left join newest as t on t.step = p.step and t.variant = p.variant and t.shape = '$size' and t.mode = 'burst';
END
ask "$work/data.db" "
select printf('Predicted, not measured: a model of the H200, N = %d. Its times were up to %.1f %% off over steps 01 to 09.', $size, most) from band;
select '', printf('%-28s %-16s %12s %16s %16s', 'TFLOP/s', 'variant', 'predicted', 'within the band', 'an H200 measured');
select printf('%-28s %-16s %12.1f %16s %16s', step, variant, predicted, printf('%.1f to %.1f', predicted * (1 - most / 100), predicted * (1 + most / 100)),
    printf(iif(measured is null, '', '%.1f'), measured)) from rung order by place" | tr '|' '\n'

command -v gnuplot >/dev/null || exit 0
ask -csv "$work/data.db" "select place, substr(step, 1, 2), predicted, predicted * (1 - most / 100), predicted * (1 + most / 100), ifnull(measured, 'NaN'), step
    from rung order by place" | tr -d '\r' >"$work/rungs.csv"
cp plots/{predicted,style}.gp "$work"
{
    echo "rungs = '$(ask "$work/data.db" "select group_concat(step, ' ') from (select step from rung order by place)")'"
    echo "caption = '$(ask "$work/data.db" "select printf('N = %d; hollow: predicted by a model of the H200, the line its band of %.1f %%; filled: measured on the H200', $size, most) from band")'"
} >"$work/facts.gp"
plot "$work" svg predicted.gp ''
put "$work/chart" "$out/predicted.svg"
