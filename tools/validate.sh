#!/usr/bin/env bash
# How near the model of an SM (common/sm) comes to measured times: predicts what RESULTS_DIR measured, and compares.
#
#     tools/validate.sh [--sizes N,N,...] [--steps LIST] [--most MEAN,WORST] [--machine NAME] [--keep] [--from FILE] [RESULTS_DIR]
#
# Default: steps 01-09 at 1024, 2048 and 4096, against docs/results/h200, single launches, the shortest of each. It prints each
# variant's error and the error band by size, of steps 01 to 09 and of later ones: mean and largest of |predicted / measured - 1|,
# and how many of the pairs of variants of a step that differ by 3 % or more are ranked rightly.
#
#     --keep    write RESULTS_DIR/predicted.csv (the model's rows), validation.csv and validation.svg
#     --from    take rows that were predicted before, a predicted.csv, and predict nothing
#     --most    status 1 when a size's mean or largest error, in per cent, is beyond these
#
# Exit status: 0 well, 1 beyond, or a prediction failed, 2 wrong usage.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/put.sh

sizes=1024,2048,4096 steps=01-09 most=1000,1000 machine=h200 keep='' from=''
while [[ ${1:-} == --* ]]; do
    case $1 in
        --sizes) sizes=${2:-} ;;
        --steps) steps=${2:-} ;;
        --most) most=${2:-} ;;
        --machine) machine=${2:-} ;;
        --from) from=${2:-} ;;
        --keep) keep=yes ;;
        *) die "unknown argument '$1'; usage: tools/validate.sh [--sizes N,...] [--steps LIST] [--most MEAN,WORST] [--machine NAME] [--keep] [--from FILE] [RESULTS_DIR]" ;;
    esac
    if [[ $1 != --keep ]]; then [[ -n ${2:-} ]] || die "$1 needs a value"; shift; fi
    shift
done
[[ $most =~ ^[0-9.]+,[0-9.]+$ ]] || die "--most $most: expected MEAN,WORST in per cent"
results=${1:-docs/results/h200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ $from ]]; then
    [[ -s $from ]] || die "no rows in '$from': expected a predicted.csv, as --keep writes it"
    cp -- "$from" "$work/predicted.csv"
else
    build/ladder --backend sim --time --machine "$machine" --check off --step "$steps" --size "$sizes" --csv "$work/predicted.csv" >"$work/said" ||
        { tail -n 1 "$work/said" >&2; exit 1; }
fi
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
select iif(step < '10', '01-09', '10-') as steps, n, count(*) as variants, round(avg(abs(error_pct)), 1) as mean_pct, round(max(abs(error_pct)), 1) as worst_pct,
    sum(abs(error_pct) > 10) as beyond_10_pct,
    (select sum((a.predicted_ms < b.predicted_ms) = (a.measured_ms < b.measured_ms)) || ' of ' || count(*)
     from compared as a join compared as b on a.n = b.n and a.step = b.step and a.variant < b.variant
        and max(a.measured_ms, b.measured_ms) >= 1.03 * min(a.measured_ms, b.measured_ms)
     where a.n = v.n and (a.step < '10') = (v.step < '10')) as pairs_ranked_rightly
from compared as v group by 1, n;
END
ask -header -column "$work/data.db" 'select * from compared' 'select * from band'

if [[ $keep ]]; then
    ask -header -csv "$work/data.db" 'select * from compared' | tr -d '\r' >"$work/validation.csv"
    put "$work/predicted.csv" "$results/predicted.csv"
    put "$work/validation.csv" "$results/validation.csv"
    : >"$work/facts.gp"
    export GNUPLOT_LIB=$PWD/plots
    plot "$work" svg validation.gp "caption = 'model of $machine against $(ask "$work/data.db" 'select max(device) from newest'), single launches, the shortest of each'"
    put "$work/chart" "$results/validation.svg"
fi
if [[ $(ask "$work/data.db" "select count(*) > 0 and max(mean_pct) <= ${most%,*} and max(worst_pct) <= ${most#*,} from band") != 1 ]]; then
    echo "validate.sh: the model is further from $results than $most per cent (mean, largest), or nothing was compared" >&2
    exit 1
fi
