-- The data of the charts, from the views of tools/views.sql: their CSV files, facts.gp
-- (titles, lists, counts) and `charts`, the list of charts that the data allow. plots/draw.py runs
-- this file. A line `.once FILE` names the file that gets the rows of the next query. draw.py fills
-- two tables: `asked` has the requested N, `predicted` the L2 hit rates by tools/l2.py's formula.

-- The rows of kernels that charts may show. gnuplot gets names as lists of words, so rows whose
-- names have other characters than letters, digits and _ are left out. Also left out are cuBLAS's
-- default mode, cublasLt's fastest algorithm, and rows of several GPUs.
create view kernel as
select * from timed where (step <> 'cublas' or variant not in ('default', 'tuned'))
    and step not glob '*[^0-9A-Za-z_]*' and variant not glob '*[^0-9A-Za-z_]*'
    and ifnull(gpus, 1) = 1 and step <> '14_several_gpus';
-- Steps 13 and 15 exceed the peak at which these charts end; they have charts of their own.
create view sgemm as select * from kernel where square and mode = 'burst' and not fp64
    and (step glob '[0-9][0-9]_*' or step = 'cublas')
    and step not in ('13_tensor_cores', '15_strassen');
create view final as select * from sgemm where last;
-- The label below a step's bar, one word per line.
create table axis as
select distinct step, '"' || iif(step = 'cublas', 'cuBLAS', replace(step, '_', '\n'))
    || '"' as label from kernel
union select distinct step, '"' || iif(step = 'cublas', 'cuBLAS', replace(step, '_', '\n')) || '"'
    from counters
where step not glob '*[^0-9A-Za-z_]*';

-- --- Facts, and where rows were measured

-- Variables of gnuplot. Text gets quotes in facts.gp.
create table fact(name text, value);
create view origin as
with drawn as (
    select 'times' as chart, * from kernel where mode = 'burst' and not fp64
        and step not in ('13_tensor_cores', '15_strassen')
    union all select 'ladder', * from final where n = (select size from asked)
        and (step glob '0[1-9]_*' or step = 'cublas')
    union all select 'sustained', * from kernel where mode = 'sustained' and not fp64
        and step not in ('13_tensor_cores', '15_strassen')
    union all select 'dgemm', * from kernel where mode = 'burst' and square and fp64
    union all select 'block_order', * from kernel where mode = 'burst'
        and step in ('10_block_order', 'shapes')
    union all select 'accuracy', * from kernel where mode = 'burst' and step = '13_tensor_cores'
        and square and n = (select size from asked)
    union all select 'orders', * from kernel where mode = 'burst' and step = '12_maxas'
        and n = (select size from asked)),
clock as (
    select chart, min(sm_mhz) || iif(min(sm_mhz) < max(sm_mhz), ' to ' || max(sm_mhz), '')
        || ' MHz' as clock
    from drawn where sm_mhz > 0 and chart <> 'sustained' group by chart),
steps as ( -- the number of steps that were measured on each device
    select chart, device, count(distinct step) as number,
        max(count(distinct step)) over (partition by chart) as most,
        group_concat(distinct substr(step, 1, 2)) as names
    from drawn where step glob '[0-9]*' group by chart, device order by number desc),
devices as (
    select chart, group_concat(device || iif(number < most, ' (step ' || names || ')', ''),
        ', ') as devices from steps group by chart)
select chart, ifnull(devices, device) || ', driver ' || driver || ifnull(', SM clock ' || clock, '')
    || ', ' || substr(max(time), 1, 10) as text
from drawn left join clock using (chart) left join devices using (chart) group by chart
union all
select 'machine', device || ', driver ' || driver || ', ' || substr(max(time), 1, 10) from machine
where backend = 'gpu' and "group" <> 'host';
insert into fact select chart || '_origin', text from origin where text is not null;
-- If no times were measured beside the L2 hit rates, their chart has no origin yet.
insert into fact select 'block_order_origin', 'counted by Nsight Compute'
    where not exists (select * from origin where chart = 'block_order');
insert into fact select iif(fp64, 'peak_fp64', 'peak'), tflops from peak;

-- --- Over N

-- The last variant of each step, named "01_naive", and its first one, "01_naive uncoalesced".
.once curves.csv
select trim(step || ' ' || iif(last, '', variant)) as name, n, tflops, n % 128 = 0 from sgemm
where last or variant = (select variant from sgemm as other where other.step = sgemm.step
    order by place limit 1) order by name, n;
-- The fastest variant of each rung at each N, and cuBLAS at the same sizes.
.once best.csv
select step, n, max(tflops), n % 128 = 0 from sgemm
where step glob '0[1-9]_*' or step = 'cublas' and n in (select n from sgemm
    where step glob '0[1-9]_*') group by step, n order by step, n;
insert into fact
select 'rungs', ifnull(group_concat(step, ' '), '')
    from (select distinct step from final where step glob '0[1-9]_*' order by step);
insert into fact select 'have_cublas', count(*) > 0 from sgemm where step = 'cublas';
insert into fact values
    ('size_low', (select min(n) from sgemm)),
    ('size_high', (select max(n) from sgemm));

-- --- The ladder at the requested size, or at the size with most rungs

create table at as
select n as ladder from ladder, asked where square and step <> 'cublas' group by n
    order by n = size desc, count(*) desc, n desc limit 1;
.once ladder.csv
select rung, label, tflops, gain, step from ladder join axis using (step), at where n = at.ladder
    and step <> 'cublas' order by rung;
insert into fact select 'ladder_size', ladder from at;
insert into fact select 'cublas_at', ifnull(max(tflops), 0) from final, at
    where step = 'cublas' and n = at.ladder;
insert into fact select 'ladder_gain', ifnull(times_cublas, 0)
    from (select times_cublas, max(tflops) from ladder, at where n = at.ladder and square
        and step <> 'cublas');
insert into fact select 'ladder_rungs', ifnull(group_concat(step, ' '), '')
from (select step from ladder, at where n = at.ladder and square and step <> 'cublas'
    order by step);

-- --- The bars of each step: the rung before it, then its variants

-- A step's bars are drawn at the N with most measured variants. Among several such N, the ladder's
-- is taken, otherwise the largest.

create table step as
with size as (
    select step, n, row_number() over (partition by step order by count(*) desc, n = ladder desc,
        n desc) as choice
    from sgemm left join at where step <> 'cublas' group by step, n)
select row_number() over (order by step) as i, step, n,
    iif(step glob '0[1-9]_*', (select max(b.step) from final as b where b.step < size.step
        and b.step glob '0[1-9]_*'), null) as before
from size where choice = 1;
create view bar as
select step.step, 0 as nth, substr(before, 1, 2) || ' ' || variant as label,
    tflops, 'before' as kind
from step join final on final.step = before and final.n = step.n
union all
select step, known.place, variant, tflops, iif(last, 'last', 'other')
from step join sgemm using (step, n) join known_variant as known using (step, variant);
.once bars.csv
select row_number() over (partition by step order by nth) - 1, label, tflops, kind
    from bar order by step, nth;
insert into fact select 'bar_' || column1, group_concat(case column1
    when 'steps' then step when 'sizes' then n when 'before' then ifnull(before, '-')
    when 'places' then (select count(*) from bar where bar.step = step.step)
    when 'first' then (select count(*) from bar where bar.step < step.step)
    when 'cublas' then ifnull((select tflops from final where final.step = 'cublas'
        and final.n = step.n), 0)
    when 'new' then (select count(*) from final where final.step = step.step)
    when 'other' then (select variant from sgemm where sgemm.step = step.step
        order by place limit 1)
    when 'last' then (select max(variant) from final where final.step = step.step)
    when 'gain' then ifnull((select tflops from final where final.step = step.step
        and final.n = step.n) / (select tflops from sgemm
        where sgemm.n = step.n and (sgemm.step = before and last or before is null
            and sgemm.step = step.step) order by place limit 1), 0)
    when 'highest' then (select max(tflops) from sgemm where sgemm.step = step.step)
    else (select count(*) from final where final.step = before) end, ' ')
from (values ('steps'), ('sizes'), ('before'), ('places'), ('first'), ('cublas'), ('new'), ('old'),
    ('other'), ('last'), ('gain'), ('highest')),
    (select * from step order by i) as step group by column1;

-- --- Five seconds without a pause, at the size that most steps share

create view cool as select * from kernel where mode = 'sustained' and last and square and not fp64
    and step not in ('13_tensor_cores', '15_strassen');
create view hot as select * from cool
    where n = (select n from cool group by n order by count(*) desc, n desc);
.once sustained.csv
select row_number() over (order by step) - 1, label, step, hot.tflops, final.tflops,
    hot.sm_mhz, hot.watts
from hot join axis using (step) left join final using (step, n) order by step;
insert into fact select 'sustained_steps', ifnull(group_concat(step, ' '), '')
    from (select step from hot order by step);
-- The power limit in W during the measurements, otherwise the data sheet's 700 W of an H100 or H200
-- SXM; 0 for other GPUs.
insert into fact select 'power_limit',
    coalesce((select value + 0 from probe where "group" = 'host' and what = 'power limit'),
    (select 700 from hot where device glob 'NVIDIA H[12]00*' and device not glob '*PCIe*'
        and device not glob '*NVL*'), 0);
insert into fact values
    ('sustained_count', (select count(*) from hot)),
    ('sustained_size', (select max(n) from hot));

-- --- Step 11: its variants over N; where N is no multiple of 128, `all` handles the borders in the
-- --- kernel, and `padded` pads the matrices

create view dgemm as select * from kernel where fp64 and square and mode = 'burst';
.once dgemm.csv
select variant, n, tflops from dgemm order by n, place;
create view border as select a.n, a.tflops as "all", b.tflops as padded from dgemm as a
    join dgemm as b using (n)
    where a.variant = 'all' and b.variant = 'padded' and n % 128 <> 0;
.once borders.csv
select row_number() over (order by n) - 1, n, "all", padded from border order by n;
insert into fact select 'dgemm_variants', ifnull(group_concat(variant, ' '), '')
from (select variant from dgemm where step <> 'cublas' group by variant order by min(place));
insert into fact values
    ('have_cublas_dgemm', (select count(*) from dgemm where step = 'cublas')),
    ('border_places', (select count(*) from border)),
    ('dgemm_low', (select min(n) from dgemm)),
    ('dgemm_high', (select max(n) from dgemm)),
    ('dgemm_highest', (select max(tflops) from dgemm));

-- --- The choice among steps 10 and shapes, beside cuBLAS; the L2 hit rates of the orders of tiles

-- N = 16384 is left out: it is not one of the 38 shapes on which the choice was measured.

create view dispatch as select * from kernel
where step = 'shapes' and variant = 'dispatch' and mode = 'burst' and vs_cublas > 0 and n < 16384;
.once squares.csv
select n, vs_cublas, n % 128 = 0 from dispatch where square order by n;
.once skinny.csv
select row_number() over (order by place) - 1, printf('"%d x %d x %d"', m, n, k), vs_cublas
    from dispatch where not square order by place;
insert into fact values
    ('square_count', (select count(*) from dispatch where square)),
    ('skinny_count', (select count(*) from dispatch where not square)),
    ('dispatch_low', (select min(n) from dispatch where square)),
    ('dispatch_high', (select max(n) from dispatch where square)),
    ('dispatch_highest', (select max(vs_cublas) from dispatch));
create view hit as
select predicted.rowid as nth, raster, n, value as measured, kept from predicted join figure
    on backend = 'gpu' and name = 'l2_hit_rate' and step = '10_block_order' and variant = raster
        and shape = cast(predicted.n as text);
.once hits.csv
select row_number() over (order by nth) + dense_rank() over (order by n) - 2,
    printf('"%s %d"', raster, n), measured, kept, raster
from hit order by nth;
insert into fact select 'hit_places', count(*) + count(distinct n) - 1 from hit;

-- --- Step 12: the FFMAs of one kernel in several orders

create view orders as
select column1 as place, kernel.variant, tflops, value as cycles
from (values (0, 'rows'), (1, 'back_and_forth'), (2, 'swirl'), (3, 'swirl_keep_2'),
    (4, 'swirl_two_banks'))
    join kernel on kernel.variant = column2
    left join figure as f on f.backend = 'gpu' and f.name = 'cycles_per_ffma'
        and (f.step, f.variant, f.shape) = (kernel.step, kernel.variant, kernel.shape)
where kernel.step = '12_maxas' and square and mode = 'burst' and n = (select size from asked);
.once orders.csv
select row_number() over (order by place) - 1, variant, tflops, cycles from orders order by place;
insert into fact values
    ('orders_count', (select count(*) from orders)),
    ('orders_cycles', (select count(cycles) from orders));

-- --- Counters per FFMA, by Nsight Compute if there are any, otherwise by the simulator; bounds

create table counted as
with here as (
    select backend, step, variant, cast(shape as integer) as n,
        max(value) filter (where name = 'ffma') as ffma,
        max(value) filter (where name = 'global_sectors') as sectors,
            max(value) filter (where name = 'dram_bytes') as dram,
        max(value) filter (where name = 'sectors_per_ffma') as sectors_per_ffma,
        max(value) filter (where name = 'wavefronts_per_ffma') as wavefronts_per_ffma
    from figure where shape not like '%x%' and (step glob '0[1-9]_*' or step = 'cublas')
        and step not glob '*[^0-9A-Za-z_]*' and variant not glob '*[^0-9A-Za-z_]*'
    group by backend, step, variant, shape),
marked as (
    select *, variant is (select variant from last_variant join here using (step, variant)
        where step = one.step and backend = one.backend and n = one.n
            -- The last timed variant if it was counted, otherwise the last counted variant.
            and source in ('times', one.backend) order by source = 'times' desc limit 1) as last
    from here as one),
size as (
    select backend, n, row_number() over (partition by backend order by n = size desc,
        count(*) desc, n desc) as choice
    from marked, asked where last group by backend, n)
select marked.* from marked join size using (backend, n) where choice = 1 and ffma is not null;
-- The counts of Nsight Compute (gpu) if there are any, otherwise the simulator's: gpu < sim.
create view shown as select * from counted where backend = (select min(backend) from counted);
.once counts.csv
select row_number() over (order by step, place) - 1,
    printf('"%s %s"', iif(step = 'cublas', 'cuBLAS', substr(step, 1, 2)), variant),
    step, variant, last, wavefronts_per_ffma, sectors_per_ffma from shown
        join known_variant using (step, variant) order by step, place;
.once rungs.csv
select row_number() over (order by step) - 1,
    '"' || iif(step = 'cublas', 'cuBLAS', replace(step, '_', ' ')) || '"', step, variant, last,
    wavefronts_per_ffma, sectors_per_ffma from shown where last order by step;
-- The text 'counted by ..., date' of each backend.
create view counted_by as
select backend, iif(backend = 'sim', 'counted by the simulator',
    'counted by Nsight Compute on the GPU')
    || ', ' || substr(max(time), 1, 10) as text
from counter where m = n and n = k and (step glob '0[1-9]_*' or step = 'cublas') group by backend;
insert into fact values
    ('counts_count', (select count(*) from shown)),
    ('rungs_count', (select count(*) from shown where last)),
    ('counts_size', (select max(n) from shown)),
    ('counts_origin',
        (select text from counted_by where backend = (select min(backend) from counted)));

-- height: the least cycles of each part of an SM, divided by those of the FMA pipe.
create view bound_bar as
select bound.step, bound.variant, n, part, bound.place, cycles / (select cycles from bound as fma
    where fma.part = 'fma_pipe'
    and (fma.step, fma.variant, fma.shape) = (bound.step, bound.variant, bound.shape)) as height
from bound join counted on backend = 'sim' and last
    and (bound.step, bound.variant, bound.shape) = (counted.step, counted.variant, cast(n as text));
.once bounds.csv
select row_number() over (order by step) - 1, label, step, binding.tflops, binding.place, parts
from (select step, variant, n, group_concat(ifnull(height, 0), ',') as parts from
        (select * from (select distinct step, variant, n from bound_bar) join part
            left join bound_bar using (step, variant, n, part) order by step, part.place)
    group by step) join axis using (step) join binding using (step, variant)
        where binding.shape = cast(n as text) order by step;
insert into fact values
    ('bounds_count', (select count(distinct step) from bound_bar)),
    ('bounds_highest', (select max(height) from bound_bar)),
    ('bounds_size', (select max(n) from bound_bar)),
    ('bounds_origin', (select text from counted_by where backend = 'sim'));

create view roof as
select shown.step, flop / (32 * sectors) as wide, flop / nullif(dram, 0) as deep,
    timed.tflops as measured,
    iif(timed.tflops is null, binding.tflops, null) as bound
from (select *, 2.0 * n * n * n as flop from shown) as shown
    left join timed on timed.mode = 'burst' and timed.square and (timed.step, timed.variant,
        timed.n) = (shown.step, shown.variant, shown.n)
    left join binding on (binding.step, binding.variant, binding.shape) = (shown.step,
        shown.variant, cast(shown.n as text))
where shown.last and wide is not null and coalesce(timed.tflops, binding.tflops) is not null;
.once roofline.csv
select * from roof order by step;
insert into fact select 'roofline_rungs', ifnull(group_concat(step, ' '), '')
    from (select step from roof order by step);
insert into fact values
    ('roofline_drams', (select count(deep) from roof)),
    ('roofline_times', (select count(measured) from roof)),
    ('roofline_bounds', (select count(bound) from roof));
insert into fact select 'measured_' || column1,
    ifnull((select max(value) from ceiling where name glob column2), 0)
from (values ('peak', 'ceiling FP32 FMA'), ('dram', 'ceiling DRAM read'), ('l1', 'ceiling L1 *'));

-- --- The machine

-- Bars of probes. Neighbouring probes that compute the same result are one family. `beside` is
-- where the printed value begins: right of the bar, or right of the documented value's mark if that
-- is near.
create view probe_bar as
select "group", 1 - row_number() over probes as place,
    '"' || replace(replace(what || iif(variant = '', '', ': ' || variant), '"', ''), '\', '')
        || '"' as label,
    value + 0.0 as measured, documented, iif(documented > value and documented - value < 16,
        documented, value + 0.0) as beside,
    (sum(turn) over probes) % 2 as family
from (select *, what is not lag(what, 1, what) over (partition by "group" order by place) as turn
    from probe where value > 0)
window probes as (partition by "group" order by place);
.once throughput.csv
select place, label, measured, documented, beside, family from probe_bar
    where "group" = 'throughput';
.once advice.csv
select place, label, measured, documented, beside, family from probe_bar where "group" = 'advice';
insert into fact select column1 || '_count', (select count(*) from probe_bar
    where "group" = column1) from (values ('throughput'), ('advice'));

-- --- The loops of step 09

create view cycle as
select lint.rowid as place, lint.variant, issue_cycles_per_ffma as issue,
    expected_cycles_per_ffma as expected, value as measured from lint
    left join figure as f on backend = 'gpu' and name = 'cycles_per_ffma'
        and shape = (select cast(size as text) from asked)
        and (f.step, f.variant) = (lint.step, lint.variant)
where lint.step = '09_reuse_sass';
.once cycles.csv
select row_number() over (order by place) - 1, variant, issue, expected, measured
    from cycle order by place;
insert into fact values
    ('cycles_count', (select count(*) from cycle)),
    ('cycles_measured', (select count(measured) from cycle)),
    ('cycles_highest', (select max(1, max(expected + 0.0), ifnull(max(measured), 1)) from cycle)),
    ('cycles_size', (select size from asked));
create view strip_kind as select distinct variant, kind from strip where step = '09_reuse_sass'
    and variant in ('compiled', 'flags', 'hand_16x8_row', 'hand_16x12');
.once strip.csv
select variant, line, at, cycles, kind from strip join strip_kind using (variant, kind)
    where step = '09_reuse_sass' order by strip.rowid;

-- The cumulative gain after each change that `sass tune` kept.
create table found as select seconds,
    100 * (exp(sum(ln(1 + gain_percent / 100)) over (order by seconds)) - 1) as gain, gain_percent,
        change from search;
.once search.csv
select seconds, gain, iif(gain_percent > 0.2, replace(change, '; ', '\n'), '') from found;

-- --- Step 13: error over speed

create table accuracy as
with variants as (
    select * from kernel, asked where step = '13_tensor_cores' and mode = 'burst' and square
        and n = size and error_rms > 0)
select step, variant as name, tflops, error_rms from variants
union all select 'cublas', 'cuBLAS', cublas_tflops, cublas_error_rms from variants where last;
-- Points that overlap share one label, at the fastest of them; labels stand at three heights.
.once accuracy.csv
with labels as (select iif(row_number() over near = 1,
        group_concat(name, ' / ') over (near rows between unbounded preceding
            and unbounded following), '') as label,
        tflops, error_rms, step = 'cublas' as is_cublas
    from accuracy window near as (partition by round(tflops / 10), round(log10(error_rms) * 4)
        order by tflops desc))
select *, row_number() over (partition by label <> '' order by tflops) % 4 from labels;
insert into fact select 'accuracy_size', size from asked;

-- Step 15: speed and error by levels of recursion, from the measurements' strassen.csv if there
-- is one, otherwise from results.csv. Level 0 is the faster one of step 09's hand-written kernels,
-- level 4 is cuBLAS; levels 1 to 3 are the fastest variants with as many levels of recursion.
create view leveled as
with rows as (
    select n, step, variant, tflops, error_rms, device, driver, time, "commit" from strassen
        where m = n and n = k and mode = 'burst' and tflops > 0
    union all select n, step, variant, tflops, error_rms, device, driver, time, "commit" from kernel
    where square and mode = 'burst' and step in ('cublas', '09_reuse_sass', '15_strassen')
        and not exists (select * from strassen))
select *, case when step = 'cublas' and variant = 'pedantic' then 4
    when variant in ('hand_16x8_row', 'hand_16x12') then 0
        when variant in ('one_level', 'fused') then 1 when variant in ('two_levels', 'two_fused')
            then 2
        when variant in ('three_levels', 'three_fused') then 3 end as levels
from rows where n in (select n from rows where step = '15_strassen' intersect select n from rows
    where step = '09_reuse_sass');
.once strassen.csv
select levels, n, max(tflops), error_rms from leveled where levels is not null group by levels,
    n order by levels, n;
insert into fact
select 'strassen_origin', device || ', driver ' || driver || ', ' || substr(max(time), 1, 10)
    from leveled having count(*)
union all select 'strassen_highest', ifnull(max(iif(levels between 1 and 3, tflops, 0)), 0)
    from leveled
union all select 'strassen_low', ifnull(min(n), 1) from leveled
union all select 'strassen_high', ifnull(max(n), 2) from leveled;

-- --- libsgemm in training: time in matrix products and elsewhere; the loss beside FP64's

-- The median time of the training steps after the first one.
create view step_time as
with ordered as (select method, ms, row_number() over (partition by method order by ms) as at,
    count(*) over (partition by method) as all_
    from training where step > 0)
select method, avg(ms) as ms from ordered where 2 * at in (all_, all_ + 1, all_ + 2)
    group by method;
.once training_time.csv
select case method when 'fp32' then 0 when 'libsgemm' then 1 end, p.ms / steps, t.ms - p.ms / steps
from (select method, sum(ms) as ms, min(calls) as steps from training_calls group by method) as p
    join step_time as t using (method)
where method in ('fp32', 'libsgemm') order by 1;
.once training_loss.csv
select case a.method when 'fp32' then 0 when 'libsgemm' then 1 else 2 end, a.step,
    abs(a.loss - b.loss)
from training as a join training as b using (step) where b.method = 'fp64'
    and a.method in ('fp32', 'libsgemm', 'tf32') order by 1, 2;
insert into fact select 'training_origin', max(device) || ', ' || max(batch) || ' x 1024 tokens'
    from training having count(*)
union all select 'training_tf32', ifnull(max(ms), 0) from step_time where method = 'tf32';

-- --- Step 14: efficiency by N and number of GPUs; a run in time, predicted and measured

create view plain_name as select distinct variant from several
    where variant not glob '*[^0-9A-Za-z_]*';
-- A text with the points that are missing in the chart of GPUs.
create view unmeasured as
select ifnull('; not measured: ' || group_concat(variant || ' on ' || gpus || ' GPUs at N = ' || n,
    ', '), '') as text from (
    select variant, gpus, n from (select distinct variant, gpus from several
        join plain_name using (variant) where square and gpus > 1 and efficiency > 0),
        (select distinct n from several where square and gpus > 1 and efficiency > 0)
    except select variant, gpus, n from several where square and efficiency > 0 order by 1, 2, 3);
.once gpus.csv
select variant, gpus, n, 100 * efficiency from several join plain_name using (variant)
    where square and efficiency > 0 order by 1, 2, 3;
insert into fact
select 'gpus_variants', ifnull(group_concat(variant, ' '), '') from plain_name
union all select 'gpus_low', ifnull(min(n), 1) from several
    where square and gpus > 1 and efficiency > 0
union all select 'gpus_high', ifnull(max(n), 2) from several
    where square and gpus > 1 and efficiency > 0
union all select 'gpus_origin', device || ', driver ' || driver || ', ' || substr(max(time), 1, 10)
    || (select text from unmeasured) from several having count(*);

-- The newest run of each variant.
create table drawn_run as
select variant, gpus, m, n, k, kernel, leave from (select *, max(rowid) from timeline
    where backend = 'gpu' and gpus > 1 group by variant)
where variant not glob '*[^0-9A-Za-z_]*';
create table drawn_span as
select variant, backend, stream, number, start_ms, end_ms, max(timeline.rowid) from timeline
    join drawn_run using (variant, gpus, m, n, k, kernel, leave)
where rank = 0 group by variant, backend, stream, number;
.once timeline.csv
select variant, (backend = 'predicted') * 2 + (stream = 'compute'), start_ms, end_ms from drawn_span
    order by variant, number;
insert into fact select 'timeline_' || variant, gpus || ' GPUs, ' || m || ' x ' || n || ' x ' || k
    || ', ' || replace(kernel, '_', ' ') || ', ' || leave || ' SMs left' from drawn_run;

-- --- Titles: what a chart shows, in a sentence; or its name, if the data allow no sentence

create table message(chart text, text text);
insert into message
select 'sizes', 'From N = ' || min(n) || ' on, the fastest step is faster than cuBLAS' from (
    select n, max(iif(step = 'cublas', null, tflops)) as ours,
        max(iif(step = 'cublas', tflops, null)) as theirs from sgemm
    where step glob '0[1-9]_*' or step = 'cublas' group by n) as one
where ours > theirs and n > (select ifnull(max(n), 0) from (
    select n, max(iif(step = 'cublas', null, tflops)) as ours,
        max(iif(step = 'cublas', tflops, null)) as theirs from sgemm
    where step glob '0[1-9]_*' or step = 'cublas' group by n) where ours <= theirs) having count(*)
union all select 'sustained',
    printf('Five seconds without a pause, N = %d: each step keeps at least %d %% of its ' ||
        'burst speed', n, 100 * min(hot.tflops / final.tflops))
from hot join final using (step, n) having count(*) = (select count(*) from hot)
union all select 'dgemm', printf('%s reaches %.1f %% of the FP64 peak%s', variant,
    100 * max(dgemm.tflops) / peak.tflops,
    iif((select max(tflops) from dgemm where step = 'cublas') > peak.tflops,
        '; cublasDgemm passes it, with tensor cores', ''))
from dgemm join peak on peak.fp64 where step <> 'cublas' and variant <> 'tensor' and peak.tflops > 0
    having count(*)
union all select 'block_order',
    printf('Chosen by rules, kernels are %.2f times as fast as cuBLAS, in the geometric mean of ' ||
        '%d shapes', exp(avg(ln(vs_cublas))), count(*))
from dispatch having count(*)
union all select 'l2', printf('At N = %d, %s finds %.0f %% of its sectors in L2, %s %.0f %%', n,
    best, high, worst, low) from (
    select n, max(measured) as high, raster as best from hit where n = (select max(n) from hit)
        having count(*)) join (
    select min(measured) as low, raster as worst from hit where n = (select max(n) from hit))
        where best <> worst
union all select 'orders',
    printf('The same FFMAs in another order: %s is %.2f times as fast as %s, N = %d', best,
        high / low, worst, size) from asked,
    (select max(tflops) as high, variant as best from orders having count(*)),
        (select min(tflops) as low, variant as worst from orders)
where best <> worst
union all select 'accuracy', printf('%s is %.2f times as fast as cuBLAS, with a %s error', variant,
    vs_cublas, iif(error_rms < cublas_error_rms, 'smaller', 'larger'))
from kernel, asked where step = '13_tensor_cores' and mode = 'burst' and square and n = size
    and last and vs_cublas > 0 and cublas_error_rms > 0 and error_rms > 0
union all select 'counts',
    printf('From step %.2s on, an FFMA takes fewer wavefronts of shared memory than the 0.25 ' ||
        'that limit it', min(step)) from shown as one
where last and step <> 'cublas' and wavefronts_per_ffma > 0
    and step > (select ifnull(max(step), '') from shown
    where last and step <> 'cublas' and wavefronts_per_ffma >= 0.25) having count(*)
union all select 'counts_variants',
    printf('%d of %d kernels take fewer wavefronts of shared memory per FFMA than the 0.25 that ' ||
        'limit it', sum(wavefronts_per_ffma < 0.25), count(*))
from shown where wavefronts_per_ffma is not null having count(*)
union all select 'bounds', printf('By what they do, %d of %d steps are bound by %s', bound, steps,
    iif(words in ('shared memory', 'L1', 'DRAM'), words, 'the ' || words)) from (
    select words, count(*) as bound, sum(count(*)) over () as steps
        from (select distinct step, variant, cast(n as text) as shape from bound_bar)
        join binding using (step, variant, shape) group by words order by 2 desc,
            min(place) limit 1)
union all select 'roofline', printf('%s reaches %.0f %% of the FP32 peak', step,
    100 * max(measured) / tflops)
from roof join peak on not fp64 where step <> 'cublas' and tflops > 0 having count(measured)
union all select 'throughput',
    printf('%d of %d kinds of instruction run at the documented rate, within 6 %%',
        sum(abs(measured / documented - 1) <= 0.06), count(*))
from probe_bar where "group" = 'throughput' and documented > 0 having count(*)
union all select 'advice', printf('Writing it another way makes it up to %.0f times as fast: %s',
    max(ratio), what)
from (select what, value / first_value(value + 0.0) over (partition by what order by place) as ratio
    from probe where "group" = 'advice' and value > 0) having count(*)
union all select 'cycles', printf('%s takes %.2f cycles per FFMA, %s %.2f', first,
    one, best, least) from
    (select variant as first, measured as one from cycle where measured > 0 order by place limit 1),
    (select min(measured) as least, variant as best from cycle where measured > 0)
        where first <> best
union all select 'gpus', printf('%d GPUs are %.2f times as fast as one at N = %d, by %s', gpus,
    gpus * efficiency, n, variant) from (
    select * from several join plain_name using (variant) where square and gpus > 1
        and efficiency > 0 order by gpus desc, n desc, efficiency desc limit 1)
union all select 'search',
    printf('Of %d changes drawn in %.0f s, %d stay: %.1f %% less time, by the runs that judged ' ||
        'each', max(drawn), max(seconds), count(*), (
    select 100 * (1 - 1 / (1 + max(gain) / 100)) from found)) from search having count(*)
union all select 'strip_' || variant,
    printf('The loop of %s%s loses %d cycles at the register banks per %d FFMAs, by count', variant,
        iif(variant = 'compiled', ', step 08''s wide,', ''), conflict_cycles, ffma)
from lint where step = '09_reuse_sass' and variant in (select variant from strip_kind)
union all select 'timeline_' || variant, printf('%s: rank 0 computes for %.1f of %.1f ms', variant,
    sum(iif(stream = 'compute', end_ms - start_ms, 0)), max(end_ms))
from drawn_span where backend = 'gpu' group by variant having max(end_ms) > 0;
insert into message
select column1, column2 from (values ('sizes', 'The fastest form of each step over N'),
    ('sustained', 'Five seconds without a pause at N = ' || (select max(n) from hot)),
        ('dgemm', 'DGEMM, M = N = K'), ('block_order', 'Kernels chosen by rules, beside cuBLAS'),
    ('l2', 'L2 hit rate by order of the tiles'),
        ('orders', 'One kernel, its FFMAs in several orders'), ('accuracy', 'Error over speed'),
    ('counts', 'Memory work for each FFMA, rung by rung'),
        ('counts_variants', 'Memory work for each FFMA, every variant'),
    ('roofline', 'Roofline'), ('bounds', 'Bounds, rung by rung'),
        ('gpus', 'Each GPU''s speed beside one alone'), ('throughput', 'Instruction throughput'),
            ('search', 'A search'), ('advice', 'Ways to the same result'),
                ('cycles', 'Cycles per FFMA, variant by variant'))
union all select 'strip_' || variant, 'The inner loop of ' || variant || ', in issue cycles'
    from (select distinct variant from strip_kind)
union all select 'timeline_' || variant, 'What travels and what computes: ' || variant
    from drawn_run;
insert into fact select chart || '_message', text from (select chart, text,
    row_number() over (partition by chart order by rowid) as nth from message) where nth = 1;

-- Text is escaped for gnuplot's enhanced mode and put in single quotes, where gnuplot expands
-- nothing.
.once facts.gp
select name || ' = ' || iif(typeof(value) = 'text',
    '''' || replace(replace(replace(replace(replace(replace(replace(replace(replace(
    iif(name glob '*_origin' or name glob '*_message', replace(value, '_', ' '), value),
    char(10), ' '), '\', '\\'), '{', '\{'), '}', '\}'), '^', '\^'), '@', '\@'), '&', '\&'), '~',
        '\~'), '''', '''''') || '''', ifnull(value, 0))
from fact;

-- The charts: name, script, settings.
.once charts
with chart(name, script, settings, wanted) as (
    values
        ('sizes', 'sizes.gp', '', (select count(distinct n) > 1 from sgemm)),
        ('ladder', 'ladder.gp', '', (select count(*) from at)),
        ('sustained', 'sustained.gp', '', (select count(*) from hot)),
        ('dgemm', 'dgemm.gp', '', (select count(*) from dgemm where step <> 'cublas')),
        ('block-order', 'block_order.gp', '', (select count(*) > 1 from dispatch where square)),
        ('l2', 'l2.gp', '', (select count(*) from hit)),
        ('orders', 'orders.gp', '', (select count(*) from orders)),
        ('accuracy', 'accuracy.gp', '', (select count(*) > 1 from accuracy)),
        ('strassen', 'strassen.gp', '',
            (select count(distinct n) > 1 and max(levels between 1 and 3) from leveled)),
        ('training', 'training.gp', '',
            (select count(*) from step_time where method in ('fp32', 'libsgemm'))),
        ('bounds', 'bounds.gp', '', (select count(*) from bound_bar)),
        ('counts', 'counts.gp', 'form = "rungs"', (select count(*) from shown where last)),
        ('counts-variants', 'counts.gp', 'form = "counts"',
            (select count(*) from shown where last)),
        ('roofline', 'roofline.gp', '', (select count(*) from roof)),
        ('search', 'search.gp', '', (select count(*) > 1 from found)),
        ('cycles-09', 'cycles.gp', '', (select count(*) from cycle, strip))
    union all select 'gpus', 'gpus.gp', printf('counts = "%s"', group_concat(gpus, ' ')),
        max(sizes) > 1
        from (select gpus, count(distinct n) as sizes from several join plain_name using (variant)
            where square and gpus > 1 and efficiency > 0 group by gpus order by 1)
    union all select 'timeline-' || variant, 'timeline.gp', printf('variant = "%s"', variant), 1
        from drawn_run where variant in ('panels', 'grid')
    union all select printf('step-%.2s', step), 'step.gp', 'i = ' || i, 1 from step
        where step not in ('10_block_order', 'shapes') -- the chart block-order shows these two
    union all select 'machine-' || "group", 'machine.gp', printf('group = "%s"', "group"),
        1 from probe_bar
        where "group" in ('throughput', 'advice') group by "group"
    union all select 'strip-' || variant, 'strip.gp',
        printf('variant = "%s"; kinds = "%s"', variant, group_concat(kind, ' ')), 1
        from strip_kind group by variant)
select name, script, settings from chart where wanted > 0;
