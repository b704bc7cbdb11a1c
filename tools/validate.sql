-- Predicted times beside measured ones, and stall reasons of the warps (tools/validate.py). The
-- tables `predicted` and `predicted_counters` have the model's rows, as text.

create table compared as
select p.step, p.variant, cast(p.m as integer) as n, cast(p.ms_min as real) as predicted_ms, t.ms_min as measured_ms,
    round(100 * (cast(p.ms_min as real) / t.ms_min - 1), 2) as error_pct
from predicted as p join newest as t on t.step = p.step and t.variant = p.variant and t.m = p.m and t.square and t.mode = 'burst'
order by n, p.step, t.place;

-- The band of errors by size. Step shapes counts with step 10.
create view lesson as
select iif(step = 'shapes', '10_block_order', step) as step, variant, n, predicted_ms, measured_ms, error_pct from compared;
create view band as
select iif(step < '10', '01-09', iif(step < '13', '10-12', '13')) as steps, n, count(*) as variants, round(avg(abs(error_pct)), 1) as mean_pct,
    round(max(abs(error_pct)), 1) as worst_pct, sum(abs(error_pct) > 10) as beyond_10_pct,
    (select sum((a.predicted_ms < b.predicted_ms) = (a.measured_ms < b.measured_ms)) || ' of ' || count(*)
     from lesson as a join lesson as b on a.n = b.n and a.step = b.step and a.variant < b.variant
        and max(a.measured_ms, b.measured_ms) >= 1.03 * min(a.measured_ms, b.measured_ms)
     where a.n = v.n and (a.step < '10') = (v.step < '10') and (a.step < '13') = (v.step < '13')) as pairs_ranked_rightly
from lesson as v group by 1, n;

-- Shares of the warps' time by stall reason: counters of warps per issued instruction. The state of
-- a warp that issues is `selected`.
create view state as
with affix(prefix, suffix) as (values ('smsp__average_warps_issue_stalled_', '_per_issue_active.ratio')),
sources as (
    select 'model' as source, step, variant, cast(m as integer) as n, counter, cast(value as real) as value from predicted_counters
    union all select 'ncu', step, variant, m, counter, value from counter where backend = 'gpu' and m = n and n = k
    union all select distinct 'ncu', step, variant, m, prefix || 'selected' || suffix, 1 from counter, affix
        where backend = 'gpu' and m = n and n = k)
select source, step, variant, n, substr(counter, 1 + length(prefix), length(counter) - length(prefix) - length(suffix)) as state,
    100 * value / sum(value) over (partition by source, step, variant, n) as pct
from sources, affix where counter glob prefix || '*' || suffix;
create table stall as
select a.step, a.variant, a.n, a.state, row_number() over (partition by a.step, a.variant, a.n order by a.state = 'selected', a.pct desc) as place,
    round(b.pct, 2) as predicted_pct, round(a.pct, 2) as measured_pct
from state as a join state as b on (a.step, a.variant, a.n, a.state) = (b.step, b.variant, b.n, b.state) and a.source = 'ncu' and b.source = 'model'
order by a.n, a.step, a.variant, place;
create view stall_band as
select iif(step < '10', '01-09', iif(step < '13' or step = 'shapes', '10-12', '13')) as steps, n, count(distinct step || variant) as variants, sum(place <= 3) as states,
    sum(place <= 3 and abs(predicted_pct - measured_pct) <= 0.3 * measured_pct) as within_30_pct,
    round(sum(abs(predicted_pct - measured_pct)) / 2 / count(distinct step || variant), 1) as misplaced_pct
from stall group by 1, n;

-- The model's counters of states alone, as predicted_counters.csv has them.
create view kept_counter as
select counter, step, variant, m, printf('%.6g', value) as value from predicted_counters
where counter glob 'smsp__average_warps_issue_stalled_*_per_issue_active.ratio' order by counter, rowid;
