-- Compares predicted times with measured ones, and stall reasons of the warps (tools/validate.py).
-- The tables `predicted` and `predicted_counters` have the model's rows, as text.

insert into compared(step, variant, m, n, k, pad, predicted_ms, measured_ms, error_pct,
    median_ms, median_pct)
select p.step, p.variant, l.m, l.n, l.k, l.pad, cast(p.ms_min as real), l.ms_min,
    round(100 * (cast(p.ms_min as real) / l.ms_min - 1), 2),
    l.ms_median, round(100 * (cast(p.ms_min as real) / l.ms_median - 1), 2)
from predicted as p join launch as l on (l.step, l.variant, l.m, l.n, l.k, l.pad) = (p.step,
    p.variant, p.m, p.n, p.k, p.lda - p.k)
order by l.pad, l.m <> l.n or l.n <> l.k, l.m, l.n, l.k, l.step, l.place;

-- Pairs of a step's variants whose times differ by 3 % or more; and error bands by size and by kind
-- of problem. Step shapes counts as step 10.
create view grouped as
select iif(step < '10', '01-09', iif(step < '13' or step = 'shapes', '10-12', '13')) as steps,
    iif(step = 'shapes', '10_block_order', step) as lesson, *
from compared;
create view pair as
select a.steps, a.kind, a.m,
    (a.predicted_ms < b.predicted_ms) = (a.measured_ms < b.measured_ms) as right
from grouped as a join grouped as b on (a.lesson, a.m, a.n, a.k, a.pad) = (b.lesson, b.m, b.n, b.k,
    b.pad) and a.variant < b.variant
    and max(a.measured_ms, b.measured_ms) >= 1.03 * min(a.measured_ms, b.measured_ms);
create view band as
select steps, kind, m as rows_of_a, m, count(*) as launches,
    round(avg(abs(error_pct)), 1) as mean_pct, round(max(abs(error_pct)), 1) as worst_pct,
    sum(abs(error_pct) > 10) as beyond_10_pct, sum(abs(error_pct) > 15) as beyond_15_pct,
    round(avg(abs(median_pct)), 1) as median_mean_pct,
        round(max(abs(median_pct)), 1) as median_worst_pct,
    (select sum(right) || ' of ' || count(*) from pair as p where p.steps = v.steps
        and p.kind = v.kind and p.m = v.m) as pairs_ranked_rightly
from grouped as v group by steps, kind, m;
create view kind_band as
select steps, kind, iif(min(m) < max(m), min(m) || ' to ' || max(m), min(m)) as rows_of_a,
    count(*) as launches, round(avg(abs(error_pct)), 1) as mean_pct,
        round(max(abs(error_pct)), 1) as worst_pct,
    sum(abs(error_pct) > 10) as beyond_10_pct, sum(abs(error_pct) > 15) as beyond_15_pct,
    round(avg(abs(median_pct)), 1) as median_mean_pct,
        round(max(abs(median_pct)), 1) as median_worst_pct,
    (select sum(right) || ' of ' || count(*) from pair as p where p.steps = v.steps
        and p.kind = v.kind) as pairs_ranked_rightly
from grouped as v group by steps, kind;

-- Shares of the warps' time by stall reason, from the counters of warp cycles per issued
-- instruction. A warp that issues is in the state `selected`.
create view state as
with affix(prefix, suffix) as (values ('smsp__average_warps_issue_stalled_',
    '_per_issue_active.ratio')),
sources as (
    select 'model' as source, step, variant, cast(m as integer) as n, counter,
        cast(value as real) as value from predicted_counters
    union all select 'ncu', step, variant, m, counter, value from counter where backend = 'gpu'
        and m = n and n = k
    union all select distinct 'ncu', step, variant, m, prefix || 'selected' || suffix, 1
        from counter, affix
        where backend = 'gpu' and m = n and n = k)
select source, step, variant, n,
    substr(counter, 1 + length(prefix), length(counter) - length(prefix) - length(suffix)) as state,
    100 * value / sum(value) over (partition by source, step, variant, n) as pct
from sources, affix where counter glob prefix || '*' || suffix;
create table stall as
select a.step, a.variant, a.n, a.state, row_number() over (partition by a.step, a.variant, a.n
    order by a.state = 'selected', a.pct desc) as place,
    round(b.pct, 2) as predicted_pct, round(a.pct, 2) as measured_pct
from state as a join state as b on (a.step, a.variant, a.n, a.state) = (b.step, b.variant, b.n,
    b.state) and a.source = 'ncu' and b.source = 'model'
order by a.n, a.step, a.variant, place;
create view stall_band as
select iif(step < '10', '01-09', iif(step < '13' or step = 'shapes', '10-12', '13')) as steps, n,
    count(distinct step || variant) as variants, sum(place <= 3) as states,
    sum(place <= 3 and abs(predicted_pct - measured_pct) <= 0.3 * measured_pct) as within_30_pct,
    round(sum(abs(predicted_pct - measured_pct)) / 2 / count(distinct step || variant),
        1) as misplaced_pct
from stall group by 1, n;

-- The model's counters of states, in the columns of predicted_counters.csv.
create view kept_counter as
select counter, step, variant, m, printf('%.6g', value) as value from predicted_counters
where counter glob 'smsp__average_warps_issue_stalled_*_per_issue_active.ratio'
    and (step, variant, m) in (select step, variant, n from stall)
order by counter, rowid;
