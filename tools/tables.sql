-- The views for the tables and figures that docs.py writes into the pages. The marker `table: NAME
-- ARGUMENTS` on a page shows the view table_NAME.
--
-- A view's first columns, with names in capitals, are the marker's arguments; names in brackets are
-- optional arguments. The other columns are shown. A heading that ends in ":FORMAT" belongs to a
-- column of numbers, aligned right, in a format of figures/cells.py. The columns `columns` and
-- `cells` become several columns: their texts have parts, with | between them. `note` is a sentence
-- below the table.

create view table_ladder as
with idea(number, words) as (values
    ('01', 'lanes along rows of C'), ('02', 'tiles in shared memory'),
    ('03', '8 x 8 sums per thread'), ('04', 'lanes 4 x 8'), ('05', '128-bit loads'),
    ('06', 'stores without bank conflicts'), ('07', 'lanes in z''s'),
    ('08', 'ring of buffers, 16 x 8 sums'), ('09', 'registers chosen by hand'))
select shape as SIZE, iif(step = 'cublas', 'cuBLAS', '[' || step || '](steps/' || step
    || '/)') as step, variant, ifnull(words, '') as "what is new",
    tflops as "TFLOP/s:speed", times_cublas as "x cuBLAS:2", gain as "x step before:2"
from (select shape, step, variant, tflops, pct_peak, times_cublas, gain, rung from ladder
      union all select shape, step, variant, tflops, pct_peak, times_cublas, null, 1e10 from timed
      where step = 'cublas' and variant = 'default' and mode = 'burst'
          and shape in (select shape from ladder)) left join idea on number = substr(step, 1, 2)
order by rung;

create view table_variants as
select step as STEP, shape as SIZE, variant, tflops as "TFLOP/s:speed", pct_peak as "% of peak:1",
    iif(step <> 'cublas', times_cublas, null) as "x cuBLAS:2", registers as "registers:",
        shared_bytes as "shared bytes:",
    threads as "threads:", blocks_per_sm as "blocks per SM:"
from timed join known_variant as known using (step, variant) where mode = 'burst'
    order by known.place;

-- Speeds over N: by default a step's last variant beside cuBLAS. With the argument `all`, every
-- variant of the step: a row is from one run, and its gaps are filled from others. With the STEP
-- `all`, every rung (steps 01 to 09).
create view table_sizes as
with square as (
    select timed.*, known.place as nth from timed join known_variant as known using (step, variant)
        where square and mode = 'burst'),
kept as ( -- the newest row per variant and run, without stray runs (views.sql)
    select step, variant, n, time, tflops, max(number) as number from plain
    where m = n and n = k and mode = 'burst' and ifnull(gpus, 1) = 1
        and number not in (select number from stray)
    group by step, variant, n, time),
run as ( -- per step and N the run with most variants, or the newest of these
    select step, n, time from (
        select step, n, time, row_number() over (partition by step, n order by count(*) desc,
            time desc) as rank
        from kept where step <> 'cublas' group by step, n, time)
    where rank = 1),
one_run as (
    select square.step, square.n, square.nth, square.variant,
        coalesce(own.tflops, square.tflops) as tflops,
        own.tflops is null as other, coalesce(cublas.tflops, square.cublas_usual) as cublas_tflops
    from square left join run using (step, n)
        left join kept as own on (own.step, own.variant, own.n, own.time) = (square.step,
            square.variant, square.n, run.time)
        left join kept as cublas on (cublas.step, cublas.variant, cublas.n, cublas.time)
            = ('cublas', iif(square.fp64, 'dgemm', 'pedantic'), square.n, run.time)),
cell(step, every, n, nth, heading, value) as (
    select step, '', n, 1, variant || ':speed', tflops from square where last
    union all select step, '', n, 2, 'cuBLAS:speed', cublas_tflops || iif(cublas_stray, ' !', '')
        from square where last
    union all select step, '', n, 3, 'x cuBLAS:2', iif(step <> 'cublas', times_cublas, null)
        from square where last
    union all select step, '', n, 4, '% of peak:1', pct_peak from square where last
    union all select step, 'all', n, nth, variant || ':speed', tflops from one_run
    union all select distinct step, 'all', n, 1e10, 'cuBLAS:speed', cublas_tflops from one_run
    union all select 'all', '', n, dense_rank() over (order by step), step || ':speed', tflops
        from ladder where square and step <> 'cublas'
    union all select distinct 'all', '', n, 1e10, 'cuBLAS:speed', cublas_usual from ladder
        where square and step <> 'cublas'),
apart as (
    select step, ' Timed in another run: ' || group_concat(distinct '`' || variant || '`')
        || '.' as words
    from one_run where other group by step),
heading as (select distinct step, every, nth, heading from cell),
size as (select distinct step, every, n from cell)
select distinct step as STEP, nullif(every, '') as "[all]", n as "N:",
    group_concat(heading, '|') over line as columns,
    group_concat(ifnull(value, ''), '|') over line as cells,
    case when every <> ''
        then 'TFLOP/s. A row is one run. cuBLAS is of that run or, if it was over 5 % from its '
        || 'median there, of the newest other.'
        || ifnull(apart.words, '')
    when step = 'all' then 'TFLOP/s; cuBLAS: newest run within 5 % of its median.'
    else 'TFLOP/s; cuBLAS from the same run.'
        || iif(sum(value like '%!') over step, ' !: over 5 % from cuBLAS''s other runs.',
            '') end as note
from heading join size using (step, every) left join cell using (step, every, n, nth, heading) left
    join apart using (step)
window line as (partition by step, every, n order by nth rows between unbounded preceding
    and unbounded following), step as (partition by step, every)
order by n;

-- Errors of cuBLAS and of a step's variants that were measured on two or more kinds of inputs, one
-- row per kind. A cell has two numbers: the largest error and the root mean square, in units of
-- 2^-24 |A||B|.
create view table_accuracy as
with found as (
    select step, shape, ifnull(inputs, 'uniform') as inputs, variant,
        1.01 * (k + 2) * error_ratio as error_max, error_rms,
        cublas_error_max, cublas_error_rms, max(rowid) as newest
    from results where backend = 'gpu' and error_rms is not null and alpha = 1 and beta = 0
    group by step, shape, ifnull(inputs, 'uniform'), variant),
cell(step, shape, inputs, nth, heading, value) as (
    select step, shape, inputs, -1, 'cuBLAS', printf('%.2f / %.2f', max(cublas_error_max),
        max(cublas_error_rms))
    from found group by step, shape, inputs
    union all select step, shape, inputs, known.place, variant,
        printf('%.2f / %.2f', error_max, error_rms)
    from found join known_variant as known using (step, variant)
    where (step, shape, variant) in (select step, shape, variant from found group by 1, 2, 3
        having count(*) > 1)),
heading as (select distinct step, shape, nth, heading from cell),
line as (select step, shape, inputs, min(newest) as place from found group by step, shape, inputs)
select distinct step as STEP, shape as SIZE, inputs, group_concat(heading, '|') over row as columns,
    group_concat(ifnull(value, ''), '|') over row as cells
from heading join line using (step, shape) left join cell using (step, shape, inputs, nth, heading)
window row as (partition by step, shape, inputs order by nth rows between unbounded preceding
    and unbounded following) order by place;

-- Times of one variant with padded rows. "cycles per FFMA" are per scheduler at the nominal clock,
-- at which one cycle per FFMA is 100 % of the peak.
create view table_pads as
select step as STEP, variant as VARIANT, shape as SIZE, lda - k as "floats of padding:",
    ms_median as "ms:1", 100 / pct_peak as "cycles per FFMA:1"
from (select *, max(rowid) from results
    where backend = 'gpu' and mode = 'burst' and pct_peak > 0 and alpha = 1 and beta = 0
        and lda - k = ldb - n and lda - k = ldc - n
    group by step, variant, shape, lda)
order by lda;

-- The eight shapes at which a variant gains least over cuBLAS.
create view table_shapes as
select step as STEP, variant as VARIANT, shape, tflops as "TFLOP/s:speed", cublas_tflops
    || iif(cublas_stray, ' !', '') as "cuBLAS:speed",
    times_cublas as "x cuBLAS:2",
    'TFLOP/s; N stands for N x N x N.' as note
from (select *, row_number() over (partition by step, variant order by times_cublas) as least
    from timed where mode = 'burst') where least <= 8
order by least;

-- Milliseconds of each variant and of cuBLAS at the sizes of a marker, and the % of peak at the
-- last size. docs.py puts the marker's list of sizes into asked_list.
create table asked_list(list text);
create view table_times as
with size as (
    select list, key as nth, cast(value as text) as shape,
        key = json_array_length('[' || list || ']') - 1 as final
    from asked_list, json_each('[' || list || ']')),
kernel as (
    select step, known.place, variant, shape, ms_median, pct_peak
    from timed join known_variant as known using (step, variant) where mode = 'burst'
        and step <> 'cublas'
    union all select distinct row.step, 1e10, 'cuBLAS', shape, cublas.ms_median, cublas.pct_peak
    from timed as row join timed as cublas using (mode, shape)
    where mode = 'burst' and cublas.step = 'cublas' and cublas.variant = iif(row.fp64,
        'dgemm', 'pedantic')),
shown as (select distinct list, step, place, variant from kernel join size using (shape)
    where final),
cell(list, step, place, variant, nth, heading, value) as (
    select list, step, shown.place, variant, nth, 'N = ' || shape || ':3', ms_median
    from shown join size using (list) left join kernel using (step, variant, shape)
    union all select list, step, kernel.place, variant, 1e9, '% of peak at ' || shape || ':1',
        pct_peak
    from kernel join size using (shape) where final)
select distinct step as STEP, list as SIZES, variant as milliseconds,
    group_concat(heading, '|') over line as columns,
    group_concat(ifnull(value, ''), '|') over line as cells
from cell
window line as (partition by list, step, variant order by nth rows between unbounded preceding
    and unbounded following) order by place;

-- Counters, and figures derived from them, one column per variant. A row of zeros is left out,
-- unless it counts conflicts.
create view table_counters as
with kernel as (select distinct backend, step, variant, shape from counter),
grid as (
    select kernel.*, known.place as nth, row.place, words, source, value
    from kernel join known_variant as known using (step, variant) join counter_row as row
        left join figure using (backend, step, variant, shape, name)),
line as (
    select *, group_concat(variant || ':count', '|') over line as columns,
        group_concat(ifnull(value, ''), '|') over line as cells,
        max(value <> 0 or (words like '%conflict%' and value is not null)) over line as any
    from grid
    window line as (partition by backend, step, shape, place
        order by nth rows between unbounded preceding and unbounded following))
select distinct step as STEP, shape as SIZE, iif(backend = 'sim', 'sim', null) as "[sim]",
    words as " ", columns, cells
from line where any order by step, shape, place;

-- What the rows of table_counters are made of.
create view table_counter_rows as
select words as "row", '`' || source || '`' as "counters of Nsight Compute"
from counter_row order by place;

-- The errors of each group of kernels (tools/errors.sh), for outputs of 100 elements or more: the
-- range of the root mean squares, and the largest error.
create view table_errors as
with grouped as (
    select iif(variant glob '* inputs', variant, iif(step = 'cublas', 'cuBLAS, ' || variant,
        iif(step = '11_dgemm', 'FP64',
        iif(variant glob 'stream*', 'stream-K',
            iif(variant in ('thin', 'dispatch') or variant glob '[0-9]*x*', 'split K and dispatch',
        'the other variants'))))) as kernels, error_rms, error_ratio * 1.01 * (k + 2) as single
    from errors where error_rms is not null and m * n >= 100)
select kernels, count(*) as "rows:",
    printf('%.3g to %.3g', min(error_rms), max(error_rms)) as "root mean square:",
    printf('%.3g', max(single)) as "largest single error:"
from grouped group by kernels;

-- Cycles per FFMA of each variant's loop, as lint expects them and as measured. Gains are relative
-- to the step's first variant.
create view table_cycles as
with loop as (
    select lint.*, lint.rowid as place, expected_cycles_per_ffma as expected, f.value as took,
        timed.tflops, size.shape
    from lint join (select distinct step, shape from timed
        where mode = 'burst') as size using (step)
        left join timed on timed.mode = 'burst' and (timed.step, timed.variant,
            timed.shape) = (lint.step, lint.variant, size.shape)
        left join figure as f on f.backend = 'gpu' and f.name = 'cycles_per_ffma'
            and (f.step, f.variant, f.shape) = (lint.step, lint.variant, size.shape))
select step as STEP, shape as SIZE, variant, instructions as "instructions in the loop:",
    ffma as "FFMA:",
    conflict_cycles as "bank conflicts, cycles:", issue_cycles_per_ffma as "cycles per FFMA:",
        expected as "expected:",
    ifnull(took, '?') as "measured:3",
        ifnull(100 * (expected / took - 1), '?') as "difference, %:+1",
    first_value(expected) over variants / expected as "gain, expected:3",
    ifnull(tflops / first_value(tflops) over variants, '?') as "gain, measured:3"
from loop window variants as (partition by step, shape order by place) order by place;

-- Speed, clock and power of the five-second runs, beside the speed in bursts. Both ratio columns
-- compare a kernel with cuBLAS in the kernel's own run. cuBLAS's own speed in bursts is from the
-- run that has most kernels.
create view table_sustained as
select row.shape as SIZE, iif(row.step = 'cublas', 'cuBLAS', '[' || row.step || '](steps/'
    || row.step || '/)') as step, row.variant,
    row.tflops as "TFLOP/s sustained:speed",
    iif(row.step <> 'cublas', burst.tflops, (
        select cublas_tflops from timed where mode = 'burst' and shape = row.shape and last
            and step <> 'cublas' and not fp64
        group by time order by count(*) desc, time desc limit 1)) as "in bursts:speed",
    iif(row.step <> 'cublas', row.times_cublas, null) as "x cuBLAS:2",
    iif(row.step <> 'cublas' and not burst.cublas_stray, burst.times_cublas,
        null) as "x cuBLAS in bursts:2",
    row.sm_mhz as "SM MHz:0", row.watts as "W:0", 1000 * row.tflops / row.watts as "GFLOP/J:1"
from timed as row left join timed as burst
    on burst.mode = 'burst' and (burst.step, burst.variant, burst.shape) = (row.step,
        row.variant, row.shape)
where row.mode = 'sustained' and row.last order by row.step;

-- Step 14: every variant by number of GPUs, measured and predicted. Predictions start from a
-- recorded speed of one GPU, so they are shown as a ratio to one GPU. They are from the rows of
-- traffic.csv with --leave 4, the default, with which all rows of results.csv were measured.
create view expected_ratio as
with run as (select variant, gpus, m, n, k, ms_predicted, max(rowid) from traffic
    where backend = 'gpu' and leave = 4 group by variant, gpus, m, n, k)
select run.*, one.ms_predicted / run.ms_predicted as times_one
from run left join (select m, n, k, ms_predicted from run where gpus = 1) as one using (m, n, k);
create view table_gpus as
select s.shape as SIZE, s.gpus as "GPUs:", s.variant, s.ms_median as "ms:three",
    s.tflops as "TFLOP/s:speed", p.times_one as "x one GPU: predicted:2",
    s.times_one as "measured:2", 100 * s.efficiency as "efficiency, %:1"
from several as s left join expected_ratio as p on s.square and (p.variant, p.gpus, p.m, p.n, p.k)
    = (s.variant, s.gpus, s.n, s.n, s.n)
order by s.n, s.gpus, s.tflops;
-- All GPUs with kernels other than the library's choice. Each is compared with the same kernel on
-- one GPU.
create view table_gpus_kernels as
with run as (select '09_reuse_sass/hand_16x12' as kernel, * from gpus_hand
    union all select '13_tensor_cores/safe', * from gpus_safe),
one as (select kernel, n, max(tflops) as tflops from run where gpus = 1 group by kernel, n)
select n as SIZE, kernel, variant, run.ms_median as "ms:three", run.tflops as "TFLOP/s:speed",
    run.tflops / one.tflops as "x one GPU:2"
from run join one using (kernel, n) where run.gpus > 1 order by kernel, run.tflops;
create view table_gpus_host as
select shape as SIZE, gpus as "GPUs:", variant, tflops as "TFLOP/s:speed", ms_median as "ms:three"
from newest where step = 'cublasxt' and mode = 'burst' order by n, gpus, tflops desc;
-- `gather`, which waits for its copies, beside variants that hide the copies behind computation, by
-- N and number of GPUs.
create view table_waiting as
with pair as (select s.n, s.gpus, s.variant, s.ms_median as ms, p.ms_predicted as predicted
    from several as s join expected_ratio as p on (p.variant, p.gpus, p.m, p.n, p.k)
        = (s.variant, s.gpus, s.n, s.n, s.n) where s.square and s.gpus > 1),
wide as (select n, gpus, max(ms) filter (where variant = 'gather') as gather,
    max(ms) filter (where variant = 'copies') as copies,
    max(ms) filter (where variant = 'panels') as panels,
    max(predicted) filter (where variant = 'gather') as gather_predicted,
    max(predicted) filter (where variant = 'copies') as copies_predicted
    from pair group by n, gpus having max(variant = 'gather'))
select n as "N:", gpus as "GPUs:", gather as "gather, ms:three", copies as "copies:three",
    panels as "panels:three",
    100 * (gather_predicted / copies_predicted - 1) as "copies ahead of gather, %: predicted:1",
    100 * (gather / copies - 1) as "measured:1"
from wide order by n, gpus;
-- Times of `panels` by the number of SMs left to NCCL, side by side: when NCCL launched its blocks
-- in clusters of four (clusters.csv), and in the newest run without clusters (traffic.csv).
create view table_clusters as
with without as (select gpus, n, leave, ms_travel, ms_median, max(rowid) from traffic
    where backend = 'gpu' and variant = 'panels' group by gpus, n, leave),
four as (select gpus, n, leave, ms_travel, ms_median, max(rowid) from clusters
    where variant = 'panels' group by gpus, n, leave)
select n as SIZE, gpus as "GPUs:", leave as "SMs left:",
    four.ms_travel as "clusters of four: travel, ms:three",
    without.ms_travel as "no clusters: travel, ms:three",
    without.ms_median as "no clusters: whole, ms:three"
from without left join four using (gpus, n, leave) where leave < 8 or four.gpus
    order by gpus, leave;

create view table_copies as
select what as "copies of a tile", watts as "W:", iif(rowid > 1, watts - (select watts from copies),
    null) as "more than none:1"
from copies;

-- The device, driver, clocks and commits of the measurements.
create view table_device as
with clock as (
    select mode, min(sm_mhz) as low, max(sm_mhz) as high from newest
        where sm_mhz > 0 group by mode),
fact as (
    select 1 as place, 'device' as what,
        group_concat(device || iif(steps < most, ' (step ' || numbers || ')', ''), ', ') as value
        from (select device, count(distinct step) as steps,
            max(count(distinct step)) over () as most,
                group_concat(distinct substr(step, 1, 2)) as numbers
            from newest where step glob '[0-9]*' group by device order by count(*) desc)
    union all select 2, 'driver', driver from (select * from newest order by place desc limit 1)
    union all select 3 + place / 1e6, what, value || ifnull(' ' || unit, '') from probe
        where "group" = 'host'
    union all select 4, 'FP32 peak', printf('%.1f TFLOP/s', tflops) from peak where not fp64
    union all select 5, 'FP32 FMA, measured', printf('%.1f TFLOP/s', value) from probe
        where "group" = 'ceiling' and what = 'FP32 FMA'
    union all select 6 + (mode = 'sustained'), 'SM clock, ' || iif(mode = 'burst', 'bursts', mode),
        low || iif(low < high, ' to ' || high, '') || ' MHz' from clock
    union all select 8, 'times in `results.csv`', min(date(time))
        || iif(min(date(time)) < max(date(time)), ' to ' || max(date(time)), '') from newest
    union all select 9, 'commits', count(distinct "commit")
        || ', one named in each row of `results.csv`' from newest)
select what as " ", value as "  " from fact where value is not null
    and exists (select * from newest) order by place;

-- The probes of step 00 by group. A group without times is shown if its counts are useful alone.
create view table_machine as
select "group" as "GROUP", what, variant as " ", value as "measured:three", unit
from probe where "group" in (select "group" from machine where backend = 'gpu') order by place;
create view table_machine_ceiling as
select what, variant as " ", value as "measured:three", unit, documented as "documented:"
from probe where "group" = 'ceiling' and exists (select * from machine where "group" = 'ceiling'
    and backend = 'gpu') order by place;
create view table_machine_throughput as
select what as operation, replace(code, '|', ' or ') as "instructions in the loop",
    counted as "instructions per result:three",
    value as "results/clk/SM:three", documented as "documented:"
from probe where "group" = 'throughput' and exists (select * from machine
    where "group" = 'throughput' and backend = 'gpu') order by place;
create view only_counted as
select "group", iif(sum(value is not null), null, 'Counted by the simulator; not measured yet.')
    as note from probe group by "group";
create view table_machine_advice as
select iif(what is lag(what) over probes, '', what) as what, '`' || variant || '`' as way,
    value as "results/clk/SM:three",
    value / first_value(value) over (partition by what order by place) as "x the first:2",
        counted as "instructions per result:three",
    local_bytes as "local memory, bytes:", note
from probe join only_counted using ("group") where "group" = 'advice'
    window probes as (order by place) order by place;
create view table_machine_banks as
select variant as "operands of `FFMA C, A, B, C`", value as "cycles, measured:2",
    rule as "cycles by rule 1:2", note
from probe join only_counted using ("group") where "group" = 'banks' order by place;

-- The GPU of the results (an H200) beside the H100: speeds, and the probes of step 00. Only
-- differences of more than 1.25 % (speeds) and 0.5 % (probes) are shown.
create view table_chips as
select shape as SIZE, step, variant, here.tflops as "TFLOP/s, H200:speed",
    there.tflops as "H100:speed",
    there.tflops / here.tflops as "H100 / H200:2"
from timed as here join (select step, variant, shape, mode, tflops, max(rowid)
    from h100_results where tflops > 0
    group by step, variant, shape, mode) as there using (step, variant, shape, mode)
    join known_variant as known using (step, variant)
where mode = 'burst' and here.device not glob '*H100*'
    and abs(there.tflops / here.tflops - 1) > 0.0125 order by step, known.place;
create view table_chips_machine as
select here."group" as "GROUP", here.what, here.variant as " ", here.value as "H200:three",
    there.value as "H100:three", here.unit,
    there.value / here.value as "H100 / H200:2"
from probe as here join (select "group", what, ifnull(variant, '') as variant, value, max(rowid)
    from h100_machine where backend = 'gpu'
    group by "group", what, variant) as there using ("group", what, variant)
where abs(there.value / here.value - 1) > 0.005 order by here.place;

-- Step 15: speeds by level and N.
create view table_strassen as
select n as "N:", max(tflops) filter (where step = 'cublas') as "cuBLAS:speed",
    max(tflops) filter (where step glob '09*') as "step 09:speed",
    max(tflops) filter (where variant = 'one_level') as "one_level:speed",
        max(tflops) filter (where variant = 'fused') as "fused:speed",
    max(tflops) filter (where variant = 'two_levels') as "two_levels:speed",
        max(tflops) filter (where variant = 'two_fused') as "two_fused:speed",
    max(tflops) filter (where variant = 'three_levels') as "three_levels:speed",
        max(tflops) filter (where variant = 'three_fused') as "three_fused:speed",
    max(tflops) filter (where variant = 'strassen') as "strassen:speed",
        max(vs_cublas) filter (where variant = 'strassen') as "x cuBLAS:2",
    'TFLOP/s, counted as 2 N^3, in bursts; all of a row in one run. Step 09: the faster of '
        || '`hand_16x8_row` and `hand_16x12`.' as note
from fewer where square and mode = 'burst' group by n having max(step glob '09*') order by n;
-- libsgemm's speed for each combination of transposed operands.
create view table_library as
with transposed as (
    select n, 'libsgemm' as who, transposes, tflops, rowid as place from library
        where what = 'transposes'
    union all select n, 'cuBLAS', transposes, cublas_tflops, rowid from library
        where what = 'transposes')
select n as "N:", who as " ", max(tflops) filter (where transposes = 'NN') as "NN:speed",
    max(tflops) filter (where transposes = 'TN') as "TN:speed",
    max(tflops) filter (where transposes = 'NT') as "NT:speed",
        max(tflops) filter (where transposes = 'TT') as "TT:speed",
    'TFLOP/s of single calls on an H200, uniform inputs, as PyTorch calls cuBLAS, by columns.'
        as note
from transposed group by n, who order by n, who desc;
-- Step 09: the speed of rewritten kernels after each pass of `sass reuse`, and after `sass tune`,
-- divided by that of the compiled kernel.
create view table_rewritten as
select step, variant, n as "N:", ms_compiled as "compiled, ms:three", times_order as "order:3",
    times_pairs as "pairs:3", times_searched as "pairs and tune:3",
    'Times as fast as compiled; whole runs in turns, five of each, medians.' as note
from rewritten order by rowid;
-- Step 15: errors by level and N.
create view table_strassen_errors as
select n as "N:", printf('%.1f / %.2f', max(cublas_error_max), max(cublas_error_rms)) as cuBLAS,
    max(printf('%.1f / %.2f', error_max, error_rms)) filter (where variant = 'hand_16x12')
        as "no level",
    max(printf('%.1f / %.2f', error_max, error_rms)) filter (where variant = 'one_level')
        as "one level",
    max(printf('%.1f / %.2f', error_max, error_rms)) filter (where variant = 'two_levels')
        as "two levels",
    max(printf('%.1f / %.2f', error_max, error_rms)) filter (where variant = 'three_levels')
        as "three levels",
    'Largest error / root mean square, in units of 2^-24 |A||B|; by passes, uniform inputs.' as note
from fewer where square and mode = 'burst' and error_rms > 0 group by n having max(step glob '09*')
    order by n;
create view table_strassen_sustained as
select hot.shape as SIZE, iif(hot.step = 'cublas', 'cuBLAS',
    iif(hot.step glob '15*', '', substr(hot.step, 1, 2) || ' ') || hot.variant) as kernel,
    hot.tflops as "TFLOP/s sustained:speed", burst.tflops as "in bursts:speed",
        iif(hot.step <> 'cublas', hot.vs_cublas, null) as "x cuBLAS:2",
    hot.sm_mhz as "SM MHz:0", hot.watts as "W:0", hot.joules as "J per product:1",
        'Five seconds each.' as note
from fewer as hot left join fewer as burst on (burst.step, burst.variant, burst.shape,
    burst.mode) = (hot.step, hot.variant, hot.shape, 'burst')
where hot.mode = 'sustained' order by hot.place;
create view table_strassen_shapes as
select m || ' x ' || n || ' x ' || k as "M x N x K",
    max(tflops) filter (where variant = 'dispatch') as "dispatch:speed",
    max(tflops) filter (where variant = 'strassen') as "strassen:speed",
    max(tflops) filter (where variant = 'strassen')
        / max(tflops) filter (where variant = 'dispatch') as "strassen / dispatch:3",
    (select variant from fewer as f where (f.mode, f.m, f.n, f.k) = ('burst', fewer.m, fewer.n,
        fewer.k) and variant <> 'strassen' order by tflops desc limit 1)
        as "fastest but for strassen",
    max(tflops) filter (where variant not in ('strassen', 'dispatch', 'pedantic'))
        as "TFLOP/s of the fastest with a level:speed",
    'TFLOP/s; dispatch: `shapes/dispatch`.' as note
from fewer where mode = 'burst' group by m, n, k having max(variant = 'dispatch')
    and not max(step glob '09*') order by min(place);

-- Errors of predicted times by kind of problem.
create view table_bands as
with measured as (
    select 'H200' as gpu, rowid as place, step, variant, m, n, k, pad, predicted_ms, measured_ms,
        error_pct, median_pct, kind from validation
    union all
    select 'H100', rowid, step, variant, m, n, k, pad, predicted_ms, measured_ms, error_pct,
        median_pct, kind from h100_validation),
compared as ( -- rows of step `shapes` belong to step 10
    select *, iif(step = 'shapes', '10_block_order', step) as lesson,
        iif(step < '10', '01 to 09', iif(step < '13' or step = 'shapes', '10 to 12', '13')) as steps
    from measured),
pair as (
    select a.gpu, a.steps, a.kind,
        (a.predicted_ms < b.predicted_ms) = (a.measured_ms < b.measured_ms) as right
            from compared as a
    join compared as b on (a.gpu, a.lesson, a.m, a.n, a.k, a.pad) = (b.gpu, b.lesson, b.m, b.n, b.k,
        b.pad) and a.variant < b.variant
        and max(a.measured_ms, b.measured_ms) >= 1.03 * min(a.measured_ms, b.measured_ms))
select gpu as "measured on", kind as "kind of problem", steps,
    iif(min(m) = max(m), min(m), min(m) || ' to ' || max(m)) as "rows of A",
        count(*) as "launches:",
    avg(abs(error_pct)) as "mean error, %:1", max(abs(error_pct)) as "largest, %:1",
        sum(abs(error_pct) > 10) as "beyond 10 %:",
    avg(abs(median_pct)) as "mean to the median, %:1",
        max(abs(median_pct)) as "largest to the median, %:1",
    (select sum(right) || ' of ' || count(*) from pair as p
        where (p.gpu, p.kind, p.steps) = (c.gpu, c.kind, c.steps)) as "pairs ranked rightly", note
from compared as c,
    (select 'Error: of predicted / measured - 1, without its sign, for the shortest launch and for '
        || 'the median one. Pairs: two variants of a step that differ by 3 % or more.' as note)
group by gpu, kind, steps order by gpu desc, min(place), steps;
-- A lesson's variants: predicted and measured speed, and a bound that follows from the counts. The
-- bound is the peak / max(1, the largest of three demands per FFMA): issue slots; 4 x data-bank
-- cycles (wavefronts and load requests; four schedulers share the banks); sectors through L1.
create view table_predicted as
with needs as (
    select step, variant, shape, max(iif(name = 'ffma', value, null)) as ffma,
        max(iif(name = 'instructions', value, 0)) as issue,
        sum(iif(name in ('wavefronts', 'load_requests'), value, 0)) as banks,
            max(iif(name = 'global_sectors', value, 0)) as sectors
    from figure where backend = 'gpu' group by step, variant, shape)
select v.step as STEP, n as SIZE, v.variant, peak.tflops / max(1, issue / ffma, 4 * banks / ffma,
    sectors / ffma) as "bound, TFLOP/s:speed",
    2e-9 * n * n * n / predicted_ms as "model:speed",
        2e-9 * n * n * n / measured_ms as "measured, shortest launch:speed",
    error_pct as "predicted time over measured, - 1, %:1"
from validation as v join peak on peak.fp64 = 0
    join known_variant as known on known.step = v.step and known.variant = v.variant
    left join needs on needs.step = v.step and needs.variant = v.variant and needs.shape = n
where m = n and n = k and pad = 0 order by known.place;

-- Stall reasons by the model and by Nsight Compute: the errors by steps and size.
create view table_stall_bands as
select iif(step < '10', '01 to 09', iif(step < '13', '10 to 12', '13')) as steps, n as "N:",
    count(distinct step || variant) as "variants:", sum(place <= 3) as "largest three states:",
    sum(place <= 3 and abs(predicted_pct - measured_pct) <= 0.3 * measured_pct) as "within 30 %:",
    sum(abs(predicted_pct - measured_pct)) / 2 / count(distinct step
        || variant) as "misplaced, % of the time:1"
from stalls group by 1, n;
-- Errors of the model in the probes of step 00.
create view table_probe_bands as
with compared as (
    select place, m."group" as part, abs(100 * (p.value / m.value - 1)) as error,
        row_number() over (partition by m."group" order by abs(p.value / m.value - 1)) as rank,
        count(*) over (partition by m."group") as rows
    from probe as m join predicted_machine as p on (p."group", p.what, ifnull(p.variant, ''))
        = (m."group", m.what, m.variant))
select part as "group", rows as "rows:", avg(iif(rank * 2 between rows and rows + 2, error, null))
    as "median error, %:1", avg(error) as "mean, %:1",
    max(error) as "largest, %:1", sum(error > 8) as "beyond 8 %:"
from compared group by part order by min(place);
-- The three largest stall reasons of each variant, by Nsight Compute and by the model.
create view table_stalls as
select n as SIZE, step, variant, max(iif(place = 1, state, null)) as "most",
    max(iif(place = 1, measured_pct, null)) as "ncu, %:1",
    max(iif(place = 1, predicted_pct, null)) as "model, %:1",
        max(iif(place = 2, state, null)) as "second",
    max(iif(place = 2, measured_pct, null)) as "ncu, % :1",
        max(iif(place = 2, predicted_pct, null)) as "model, % :1",
    max(iif(place = 3, state, null)) as "third",
        max(iif(place = 3, measured_pct, null)) as "ncu, %  :1",
    max(iif(place = 3, predicted_pct, null)) as "model, %  :1"
from stalls group by n, step, variant order by min(stalls.rowid);

-- Single figures that sentences on pages quote, found by METRIC STEP VARIANT SIZE [MODE]; each with
-- its format.
create table value as
with figures as (
    select step, variant, shape, mode, key as name, value.value
    from timed, json_each(json_object('tflops', tflops, 'pct_peak', pct_peak, 'vs_cublas',
        times_cublas, 'joules_per_tflop', watts / tflops,
        'watts', watts, 'sm_mhz', sm_mhz, 'ms_median', ms_median, 'ms_min', ms_min, 'ms_max',
            ms_max, 'registers', registers,
        'shared_bytes', shared_bytes, 'threads', threads, 'blocks_per_sm', blocks_per_sm, 'rounds',
            rounds, 'gpus', gpus,
        'error_ratio', error_ratio, 'error_rms', error_rms, 'error_bias', error_bias,
            'cublas_error_max', cublas_error_max,
        'cublas_error_rms', cublas_error_rms)) as value)
select step, variant, shape, mode, name, value, case
        when name = 'tflops' then 'speed'
        when name in ('pct_peak', 'joules_per_tflop') then '1'
        when name in ('watts', 'sm_mhz') then '0'
        when name = 'vs_cublas' then '2'
        when name glob '*error_*' and value >= 1 then 'three'
        when name glob 'ms_*' or name glob '*error_*' then '3'
        else 'short' end as format
from figures where value is not null
union all select step, variant, shape, iif(backend = 'gpu', 'burst', backend), name, value,
    iif(name glob 'stall_*', 'three', 'count') from figure
union all select step, variant, shape, iif(backend = 'gpu', 'burst', backend), counter, value,
    'count' from counter
-- The shortest launch's speed, in % of the bound.
union all select "STEP", variant, cast("SIZE" as text), 'burst', 'share_of_bound',
    100 * "measured, shortest launch:speed" / "bound, TFLOP/s:speed", '0' from table_predicted
union all select "STEP", variant, cast("SIZE" as text), 'burst', 'bound', "bound, TFLOP/s:speed",
    'speed' from table_predicted;
create index by_kernel on value(name, step, variant, shape, mode);

-- The figures METRIC STEP VARIANT SIZE from strassen.csv.
create view strassen_value as
select step, variant, shape, mode, key as name, value.value, case when key = 'tflops' then 'speed'
    when key in ('watts', 'sm_mhz', 'joules') then '0'
    when key glob 'ms_*' or key = 'error_max' then 'three' else '2' end as format
from fewer, json_each(json_object('tflops', tflops, 'vs_cublas', vs_cublas, 'watts', watts,
    'sm_mhz', sm_mhz, 'joules', joules, 'ms_median', ms_median, 'ms_min', ms_min,
    'error_rms', error_rms, 'error_max', error_max)) as value;
-- Figures found by METRIC STEP VARIANT, from lint.csv and rewritten.csv.
create view lint_value as
select step, variant, key as name, value.value, iif(key = 'kilobytes', '1', '') as format
from lint, json_each(json_object('bytes', bytes, 'kilobytes', bytes / 1000.0, 'instructions',
    instructions, 'ffma', ffma,
    'others', instructions - ffma, 'conflict_cycles', conflict_cycles, 'issue_cycles_per_ffma',
        issue_cycles_per_ffma,
    'expected_cycles_per_ffma', expected_cycles_per_ffma, 'idle_reuse_flags', idle_reuse_flags))
        as value
union all select step, variant, 'times_order', times_order, '2' from rewritten where n = 4096
union all select step, variant, 'times_pairs', times_pairs, '2' from rewritten where n = 4096;
