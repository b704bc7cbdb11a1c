#!/usr/bin/env bash
# How near the model of an SM (sasskit/model) comes to measured times: predicts what RESULTS_DIR measured, and compares.
#
#     tools/validate.sh [--sizes N,N,...] [--steps LIST] [--most MEAN,WORST] [--stalls LEAST,MOST] [--machine NAME] [--keep] [--from FILE]
#                       [RESULTS_DIR]
#
# Default: steps 01-09 at 1024, 2048 and 4096, against docs/results/h200, single launches, the shortest of each. It prints each
# variant's error and the error band by size, of steps 01 to 09, 10 to 12, and 13: mean and largest of |predicted / measured - 1|,
# and how many of the pairs of variants of a step that differ by 3 % or more are ranked rightly.
#
# Where counters.csv has what the warps waited for, as Nsight Compute saw it, it compares that too, as shares of the warps' time: how
# many of each variant's three largest states besides `selected` are predicted within 30 % of their share, and how much of the warps'
# time the model puts in another state than Nsight Compute does (half the sum of the differences), on the mean.
#
#     --keep    write RESULTS_DIR/predicted.csv and predicted_counters.csv (the model's rows), validation.csv, stalls.csv, validation.svg
#     --from    take rows that were predicted before, a predicted.csv and the predicted_counters.csv beside it, and predict nothing
#     --most    status 1 when a size's mean or largest error, in per cent, is beyond these
#     --stalls  status 1 when at a size less than LEAST per cent of the states are within 30 %, or more than MOST per cent are misplaced
#
# Exit status: 0 well, 1 beyond, or a prediction failed, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh

sizes=1024,2048,4096 steps=01-09 most=1000,1000 stalls=0,100 machine=h200 keep='' from=''
while [[ ${1:-} == --* ]]; do
    case $1 in
        --sizes) sizes=${2:-} ;;
        --steps) steps=${2:-} ;;
        --most) most=${2:-} ;;
        --stalls) stalls=${2:-} ;;
        --machine) machine=${2:-} ;;
        --from) from=${2:-} ;;
        --keep) keep=yes ;;
        *) die "unknown argument '$1'; usage: tools/validate.sh [--sizes N,...] [--steps LIST] [--most MEAN,WORST] [--stalls LEAST,MOST] [--machine NAME] [--keep] [--from FILE] [RESULTS_DIR]" ;;
    esac
    if [[ $1 != --keep ]]; then [[ -n ${2:-} ]] || die "$1 needs a value"; shift; fi
    shift
done
[[ $most =~ ^[0-9.]+,[0-9.]+$ ]] || die "--most $most: expected MEAN,WORST in per cent"
[[ $stalls =~ ^[0-9.]+,[0-9.]+$ ]] || die "--stalls $stalls: expected LEAST,MOST in per cent"
results=${1:-docs/results/h200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ $from ]]; then
    [[ -s $from ]] || die "no rows in '$from': expected a predicted.csv, as --keep writes it"
    cp -- "$from" "$work/predicted.csv"
    counted=${from%.csv}_counters.csv
    if [[ -e $counted ]]; then awk -f tools/rows.awk <"$counted"; else echo step,variant,m,counter,value; fi >"$work/predicted_counters.csv"
else
    build/ladder --backend sim --time --machine "$machine" --check off --step "$steps" --size "$sizes" --csv "$work/predicted.csv" \
        --counters "$work/predicted_counters.csv" >"$work/said" ||
        { tail -n 1 "$work/said" >&2; exit 1; }
fi
prefix=smsp__average_warps_issue_stalled_ suffix=_per_issue_active.ratio
tools/load.sh "$results" "$work"
ask() { sqlite3 -batch -bail -init /dev/null "$@"; }
ask "$work/data.db" >/dev/null <<END
.import --csv $work/predicted.csv predicted
create table compared as
select p.step, p.variant, cast(p.m as integer) as n, cast(p.ms_min as real) as predicted_ms, t.ms_min as measured_ms,
    round(100 * (cast(p.ms_min as real) / t.ms_min - 1), 2) as error_pct
from predicted as p join newest as t on t.step = p.step and t.variant = p.variant and t.m = p.m and t.square and t.mode = 'burst'
order by n, p.step, t.place;
create view band as
select iif(step < '10', '01-09', iif(step < '13', '10-12', '13')) as steps, n, count(*) as variants, round(avg(abs(error_pct)), 1) as mean_pct, round(max(abs(error_pct)), 1) as worst_pct,
    sum(abs(error_pct) > 10) as beyond_10_pct,
    (select sum((a.predicted_ms < b.predicted_ms) = (a.measured_ms < b.measured_ms)) || ' of ' || count(*)
     from compared as a join compared as b on a.n = b.n and a.step = b.step and a.variant < b.variant
        and max(a.measured_ms, b.measured_ms) >= 1.03 * min(a.measured_ms, b.measured_ms)
     where a.n = v.n and (a.step < '10') = (v.step < '10') and (a.step < '13') = (v.step < '13')) as pairs_ranked_rightly
from compared as v group by 1, n;

.import --csv $work/predicted_counters.csv predicted_counters
create view state as
with sources as (
    select 'model' as source, step, variant, cast(m as integer) as n, counter, cast(value as real) as value from predicted_counters
    union all select 'ncu', step, variant, m, counter, value from counter where backend = 'gpu' and m = n and n = k
    union all select distinct 'ncu', step, variant, m, '$prefix' || 'selected' || '$suffix', 1 from counter where backend = 'gpu' and m = n and n = k)
select source, step, variant, n, substr(counter, 1 + length('$prefix'), length(counter) - length('$prefix') - length('$suffix')) as state,
    100 * value / sum(value) over (partition by source, step, variant, n) as pct
from sources where counter glob '$prefix*$suffix';
create table stall as
select a.step, a.variant, a.n, a.state, row_number() over (partition by a.step, a.variant, a.n order by a.state = 'selected', a.pct desc) as place,
    round(b.pct, 2) as predicted_pct, round(a.pct, 2) as measured_pct
from state as a join state as b on (a.step, a.variant, a.n, a.state) = (b.step, b.variant, b.n, b.state) and a.source = 'ncu' and b.source = 'model'
order by a.n, a.step, a.variant, place;
create view stall_band as
select iif(step < '10', '01-09', iif(step < '13', '10-12', '13')) as steps, n, count(distinct step || variant) as variants, sum(place <= 3) as states,
    sum(place <= 3 and abs(predicted_pct - measured_pct) <= 0.3 * measured_pct) as within_30_pct,
    round(sum(abs(predicted_pct - measured_pct)) / 2 / count(distinct step || variant), 1) as misplaced_pct
from stall group by 1, n;
END
ask -header -column "$work/data.db" 'select * from compared' 'select * from band' 'select * from stall_band'

if [[ $keep ]]; then
    ask -header -csv "$work/data.db" 'select * from compared' | tr -d '\r' >"$work/validation.csv"
    put "$work/predicted.csv" "$results/predicted.csv"
    put "$work/validation.csv" "$results/validation.csv"
    ask -header -csv "$work/data.db" 'select * from stall' | tr -d '\r' >"$work/stalls.csv"
    if [[ -s $work/stalls.csv ]]; then
        ask -header -csv "$work/data.db" "select counter, step, variant, m, printf('%.6g', value) as value from predicted_counters
            where counter glob '$prefix*$suffix' order by counter, rowid" | tr -d '\r' >"$work/states.csv"
        awk -v columns=counter,step,variant,m,value -f tools/condense.awk "$work/states.csv" >"$work/kept.csv"
        put "$work/kept.csv" "$results/predicted_counters.csv"
        awk -v columns="$(head -1 "$work/stalls.csv")" -f tools/condense.awk "$work/stalls.csv" >"$work/kept.csv"
        put "$work/kept.csv" "$results/stalls.csv"
    fi
    : >"$work/facts.gp"
    export GNUPLOT_LIB=$PWD/plots
    plot "$work" svg validation.gp "caption = 'model of $machine against $(ask "$work/data.db" 'select max(device) from newest'), single launches, the shortest of each'"
    put "$work/chart" "$results/validation.svg"
fi
if [[ $(ask "$work/data.db" "select count(*) > 0 and max(mean_pct) <= ${most%,*} and max(worst_pct) <= ${most#*,} from band") != 1 ]]; then
    echo "validate.sh: the model is further from $results than $most per cent (mean, largest), or nothing was compared" >&2
    exit 1
fi
if [[ $stalls != 0,100 && $(ask "$work/data.db" "select count(*) > 0 and count(*) = sum(100.0 * within_30_pct >= ${stalls%,*} * states and misplaced_pct <= ${stalls#*,}) from stall_band") != 1 ]]; then
    echo "validate.sh: what the warps wait for is further from Nsight Compute's counters than $stalls per cent (within 30 % at least, misplaced at most), or nothing was compared" >&2
    exit 1
fi
