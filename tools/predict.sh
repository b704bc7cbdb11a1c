#!/usr/bin/env bash
# The ladder as the model of an SM predicts it, beside what the H200 measured, or the GPU here. Without --here no GPU is needed.
#
#     tools/predict.sh [--here] OUT [SIZE [MACHINE]]      OUT is a folder, SIZE the N, 2048 if not given, MACHINE h200 or rtx-3090
#
# Writes OUT/predicted.csv (rows of the backend `model`), with --here OUT/measured.csv, with gnuplot OUT/predicted.svg, and prints the
# table, without sqlite3 with neither band nor measured times. The band is the model's largest error over steps 01 to 09 at
# that N, or over all N that were compared (docs/results/h200/validation.csv); none is known for machines that were not measured.
# Exit status: 0 well, 1 something failed, 2 wrong usage, 130 stopped.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh
here=
[[ ${1:-} != --here ]] || { here=1; shift; }
[[ $# -ge 1 && $# -le 3 && -d $1 ]] || die "expected a folder; usage: tools/predict.sh [--here] OUT [SIZE [MACHINE]]"
out=$1 size=${2:-2048} machine=${3:-h200} measured=docs/results/h200
[[ $size =~ ^[1-9][0-9]{0,4}$ ]] || die "SIZE '$size' is not a whole number from 1 to 99999"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ladder WHAT CSV OPTION...: the last variant of each step.
ladder() {
    local rc=0
    build/ladder --step 01-09 --variant last --size "$size" --csv "$2" "${@:3}" >"$work/said" 2>&1 || rc=$?
    [[ $rc != 130 ]] || exit 130
    [[ $rc == 0 ]] || die "the ladder could not be $1: $(tail -n 1 "$work/said")" 1
}
ladder predicted "$work/rows.csv" --backend sim --time --machine "$machine" --check off
put "$work/rows.csv" "$out/predicted.csv"
if [[ $here ]]; then
    ladder measured "$work/here.csv" --backend gpu --baseline off
    put "$work/here.csv" "$out/measured.csv"
fi

if ! command -v sqlite3 >/dev/null; then
    echo "Predicted, not measured: a model of the ${machine^^}, N = $size. The band of its errors, and a chart, need sqlite3."
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; printf "\n%-28s %-16s %12s\n", "TFLOP/s", "variant", "predicted"; next }
        { printf "%-28s %-16s %12.1f\n", $at["step"], $at["variant"], $at["tflops"] }' "$work/rows.csv"
    exit
fi
tools/load.sh $measured "$work"
ask() { sqlite3 -batch -bail -init /dev/null "$@"; }
who='an H200' about=
if [[ $here ]]; then
    who='the GPU here'
    ask "$work/data.db" ".import --csv $work/here.csv here" >/dev/null
    beside='select step, null as variant, ms_min from here'
else
    beside="select step, variant, ms_min from newest where shape = '$size' and mode = 'burst' and '$machine' = 'h200'"
fi
[[ $machine == h[12]00 ]] || about=' from published figures and guesses, not measured by this project'
ask "$work/data.db" >/dev/null <<END
.import --csv $work/rows.csv model
create table band as
select iif('$about' = '', coalesce(max(iif(n = $size, abs(error_pct), null)), max(abs(error_pct))), null) as most from validation where step < '10';
create table rung as
select row_number() over (order by p.step) - 1 as place, p.step, p.variant, 2e-9 * p.m * p.n * p.k / p.ms_min as predicted,
    2e-9 * p.m * p.n * p.k / t.ms_min as measured, most
from model as p, band left join ($beside) as t on t.step = p.step and coalesce(t.variant, p.variant) = p.variant;
END
ask "$work/data.db" "
select printf('Predicted, not measured: a model of the ${machine^^}$about, N = %d.', $size) ||
    ifnull(printf(' Its times were up to %.1f %% off over steps 01 to 09.', most), '') from band;
select '', printf('%-28s %-16s %12s %16s %16s', 'TFLOP/s', 'variant', 'predicted', 'within the band', '$who measured');
select printf('%-28s %-16s %12.1f %16s %16s', step, variant, predicted,
    iif(most is null, '', printf('%.1f to %.1f', predicted * (1 - most / 100), predicted * (1 + most / 100))),
    iif(measured is null, '', printf('%.1f', measured))) from rung order by place" | tr '|' '\n'

command -v gnuplot >/dev/null || exit 0
ask -csv "$work/data.db" "select place, substr(step, 1, 2), predicted, predicted * (1 - ifnull(most, 0) / 100), predicted * (1 + ifnull(most, 0) / 100), ifnull(measured, 'NaN'), step
    from rung order by place" | tr -d '\r' >"$work/rungs.csv"
cp plots/{predicted,style}.gp "$work"
{
    echo "rungs = '$(ask "$work/data.db" "select group_concat(step, ' ') from (select step from rung order by place)")'"
    echo "caption = '$(ask "$work/data.db" "select printf('N = %d; hollow: predicted by a model of the ${machine^^}$about', $size) ||
        iif(most is null, '', printf(', the line its band of %.1f %%', most)) || '; filled: measured on ${who/#an /the }' from band")'"
} >"$work/facts.gp"
plot "$work" svg predicted.gp ''
put "$work/chart" "$out/predicted.svg"
