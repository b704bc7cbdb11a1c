-- The views that the charts, the tables in the lessons and the summaries read. They are computed
-- from the tables of schema.sql.
--
-- For a new figure add a row of `ratio`, or a column or view here. Rates are in TFLOP/s,
-- percentages are 0 to 100. Some of the "views" that many queries read are tables, so that they are
-- computed once.

-- --- Times

-- The last variant of each step, on which the next step builds. Programs measure variants in the
-- step's order. So the run with most variants at one shape ends with the last variant. The last
-- variant of cuBLAS is the pedantic SGEMM.
-- source: `times` (results.csv), `gpu` or `sim` (counters.csv).
create table last_variant as
with visited as (
    select 'times' as source, rowid as place, step, variant, shape || mode as at from results
        where backend <> 'model'
    union all
    select backend, min(rowid), step, variant, shape from counters group by backend, step,
        variant, shape, time),
stepped as (
    select *, at is not lag(at) over (partition by source, step order by place) as moved
        from visited
    where step <> 'cublas' or variant = 'pedantic'),
listed as (select *, sum(moved) over (partition by source, step order by place) as visit
    from stepped),
turned as (select *, row_number() over (partition by source, step, visit, variant
    order by place) as turn from listed),
list as (
    select source, step, variant, max(place) as place, count(*) as length from turned
        group by source, step, visit, turn),
ranked as (
    select *, row_number() over (partition by source, step order by length desc, place desc) as rank
        from list)
select source, step, variant from ranked where rank = 1;

-- The rows measured on a GPU with alpha 1, beta 0, uniform inputs and no padding whose check did
-- not fail.
create view plain as
select rowid as number, * from results
where backend = 'gpu' and tflops > 0 and alpha = 1 and beta = 0 and lda = k and ldb = n and ldc = n
    and ifnull("check", '') not like 'f%' and ifnull(inputs, 'uniform') = 'uniform';

-- Stray runs differ by more than 5 % from the median of a kernel's runs, of which there must be
-- three or more, with one device and driver. A step's runs are compared within one commit, runs of
-- cuBLAS across commits.
create table stray as
with run as (
    select number, step, variant, shape, mode, tflops, row_number() over same as nth,
        count(*) over all_of as runs,
        dense_rank() over (order by device, driver, step, variant, shape, mode, ifnull(gpus, 1),
            iif(step = 'cublas', '', "commit")) as thing
    from plain
    window all_of as (partition by device, driver, step, variant, shape, mode, ifnull(gpus, 1),
        iif(step = 'cublas', '', "commit")),
        same as (all_of order by tflops)),
middle as (select thing, avg(tflops) as median from run where nth in ((runs + 1) / 2, runs / 2 + 1)
    and runs >= 3 group by thing)
select number, step, variant, shape, mode, tflops, median, runs from run join middle using (thing)
    where abs(tflops / median - 1) > 0.05;

-- The newest row of each measurement, without stray runs.
create view newest as
with latest as (
    select min(number) as place, max(number) as newest from plain
        where number not in (select number from stray)
    group by step, variant, shape, mode, ifnull(gpus, 1))
select place, m = n and n = k as square, step = '11_dgemm' or variant = 'dgemm' as fp64, plain.*,
    variant is (select variant from last_variant as l where l.source = 'times'
        and l.step = plain.step) as last
from latest join plain on plain.number = newest;

-- The newest launches of each kernel and problem on one GPU, timed one by one (bursts), with padded
-- rows and without stray runs.
create view launch as
with one as (
    select rowid + 1e9 as place, step, variant, m, n, k, lda - k as pad, ms_median,
        ms_min from results
    where backend = 'gpu' and tflops > 0 and alpha = 1 and beta = 0 and mode = 'burst'
        and ifnull(gpus, 1) = 1 and step not glob 'cublas*'
        and lda - k = ldb - n and lda - k = ldc - n and ifnull("check", '') not like 'f%'
            and ifnull(inputs, 'uniform') = 'uniform'
        and rowid not in (select number from stray)
    union all
    select rowid, step, variant, m, n, k, lda - k, ms_median, ms_min from applications
    where mode = 'burst' and step not glob 'cublas*' and lda - k = ldb - n and lda - k = ldc - n
        and ifnull("check", '') not like 'f%')
select step, variant, m, n, k, pad, ms_median, ms_min, max(place) as place from one group by step,
    variant, m, n, k, pad;

-- The rows of `newest` beside cuBLAS at the same shape: DGEMM for FP64, otherwise the pedantic
-- SGEMM. cublas_tflops: cuBLAS in the row's own run, or in its newest run if the row's run lacks
-- it. cublas_usual: cuBLAS in its newest run. cublas_stray: the two differ by more than 5 %.
create table timed as
with own as (
    select row.number as of, max(cublas.number) as number from plain as row join plain as cublas
        on cublas.step = 'cublas' and cublas.variant = iif(row.step = '11_dgemm'
            or row.variant = 'dgemm', 'dgemm', 'pedantic')
            and (cublas.time, cublas.shape, cublas.mode) = (row.time, row.shape, row.mode)
                and ifnull(cublas.gpus, 1) = 1
    group by row.number)
select row.*, coalesce(beside.tflops, row.tflops / row.vs_cublas, cublas.tflops) as cublas_tflops,
    cublas.tflops as cublas_usual,
    abs(coalesce(beside.tflops, row.tflops / row.vs_cublas, cublas.tflops) / cublas.tflops - 1)
        > 0.05 as cublas_stray,
    coalesce(row.vs_cublas, row.tflops / cublas.tflops) as times_cublas
from newest as row left join newest as cublas
    on cublas.step = 'cublas' and cublas.variant = iif(row.fp64, 'dgemm', 'pedantic')
        and cublas.shape = row.shape
        and cublas.mode = row.mode and ifnull(cublas.gpus, 1) = 1
    left join own on own.of = row.number left join plain as beside on beside.number = own.number;

-- The ladder at each shape: the last variant of each rung (step 01 to 09), with its gain over the
-- rung before, then cuBLAS.
create view ladder as
select *, row_number() over rungs - 1 as rung,
    iif(step = 'cublas', null, tflops / lag(tflops) over rungs) as gain
from timed
where last and mode = 'burst' and (step glob '0[1-9]_*' or step = 'cublas')
window rungs as (partition by shape order by step);

-- The newest rows of each random shape: one of the dispatcher (`dispatch`), one of cublasLt's
-- fastest algorithm (`tuned`).
create view drawn as
select variant, m || 'x' || n || 'x' || k as shape, m, n, k, vs_cublas as ratio, "check",
    ms_median as ms, 2.0 * m * n * k as flops,
    4.0 * (m * k + k * n + m * n) as bytes
from sample where rowid in (select max(rowid) from sample where vs_cublas > 0
    group by variant, m, n, k);

-- The peak in TFLOP/s, for FP32 and for FP64, that the harness computes from the clock.
create view peak as
select fp64, 100 * tflops / pct_peak as tflops from (select *, max(tflops) from newest
    where pct_peak > 0 and ifnull(gpus, 1) = 1 group by fp64);

-- Step 14: several GPUs beside the fastest variant on one GPU.
create view several as
with one as (select shape, max(tflops) as tflops from newest where step = '14_several_gpus'
    and gpus = 1 and mode = 'burst' group by shape)
select row.variant, row.gpus, row.shape, row.n, row.square, row.tflops, row.ms_median,
    row.tflops / one.tflops as times_one,
    row.tflops / one.tflops / row.gpus as efficiency, row.device, row.driver, row.time, row."commit"
from newest as row left join one using (shape) where row.step = '14_several_gpus'
    and row.mode = 'burst';

-- Step 15: the newest row of each measurement.
create view fewer as
select iif(m = n and n = k, n || '', m || 'x' || n || 'x' || k) as shape, m = n and n = k as square,
    *, 1.01 * (k + 2) * error_ratio as error_max,
    watts * ms_median / 1000 as joules, max(rowid) as place from strassen where tflops > 0
        group by step, variant, m, n, k, mode;

-- Each step under its full name and under its number.
create table named_step as
with steps as (select step from results union select step from counters union select step from lint)
select step as name, step from steps
union select substr(step, 1, instr(step, '_') - 1), step from steps where instr(step, '_');
-- All variants in the order of measurement: first those with times, then those with counters alone.
create table known_variant as
select step, variant, min(place) as place
from (select step, variant, place from newest union all select step, variant,
    1e9 + rowid from counters)
group by step, variant;

-- --- Counters

-- The newest value of each counter. FMA counters of the precision that a kernel does not use are
-- left out.
create table counter as
select backend, step, variant, shape, m, n, k, counter, value, time, "commit" from counters
where rowid in (select max(rowid) from counters group by backend, step, variant, shape, counter)
    and not (value = 0 and (counter glob '*fma_pred_on.sum' or counter glob 'sm__pipe_fp64_*'));
create index by_counter on counter(counter);

-- Short names of counters. If several counters match a pattern with *, they are added. FFMA and
-- DFMA are counted per warp of 32 threads.
-- place, words: position and label of the row in a table of counters; null if it has no row.
-- source: text of the table's last column; null: the pattern.
create table short_name(place integer, name text, words text, pattern text,
    scale real, source text);
insert into short_name values
    (1, 'microseconds', 'time under the profiler, us', 'gpu__time_duration.sum', 0.001, null),
    (4, 'fma_pipe', 'FMA pipe active, %',
        'sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active', 1, null),
    (5, 'fp64_pipe', 'FP64 pipe active, %',
        'sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active', 1, null),
    (7, 'instructions', 'warp instructions', 'smsp__inst_executed.sum', 1, null),
    (8, 'ffma', 'of which FFMA', 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', 0.03125,
        'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum / 32'),
    (10, 'dfma', 'of which DFMA', 'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum', 0.03125,
        'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum / 32'),
    (12, 'load_requests', 'global load requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum',
        1, null),
    (14, 'copy_requests', 'async copy requests',
        'l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_*.sum', 1,
            'l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts*.sum'),
    (16, 'texture_fetches', 'texture fetches', 'smsp__inst_executed_op_texture.sum', 1, null),
    (19, 'lds', 'shared load instructions', 'smsp__inst_executed_op_shared_ld.sum', 1, null),
    (22, 'wavefronts', 'shared wavefronts',
        'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*.sum', 1, null),
    (27, 'load_conflicts', 'shared bank conflicts, loads',
        'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum', 1, null),
    (28, 'store_conflicts', 'shared bank conflicts, stores',
        'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum', 1, null),
    (29, 'l2_hit_rate', 'L2 hit rate, %', 'lts__t_sector_hit_rate.pct', 1, null),
    (41, 'registers_per_thread', 'registers per thread', 'launch__registers_per_thread', 1, null),
    (null, 'cycles', null, 'smsp__cycles_active.sum', 1, null),
    (null, 'issued', null, 'smsp__inst_issued.sum', 1, null),
    (null, 'load_sectors', null, 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum', 1, null),
    (null, 'store_requests', null, 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum', 1, null),
    (null, 'store_sectors', null, 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum', 1, null),
    (null, 'copy_sectors', null, 'l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_*.sum', 1,
        null),
    (null, 'global_sectors', null, 'l1tex__t_sectors_pipe_lsu_mem_global_op_[ls][dt].sum', 1, null),
    (null, 'texture_sectors', null, 'l1tex__t_sectors_pipe_tex_mem_texture.sum', 1, null),
    (null, 'sts', null, 'smsp__inst_executed_op_shared_st.sum', 1, null),
    (null, 'lds_wavefronts', null, 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum', 1, null),
    (null, 'sts_wavefronts', null, 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum', 1, null),
    (null, 'dram_bytes', null, 'dram__bytes_*.sum', 1, null);
insert into short_name
select column1, 'stall_' || column2, column3, 'smsp__average_warps_issue_stalled_' || column2
    || '_per_issue_active.ratio', 1,
    '..._issue_stalled_' || column2 || '_per_issue_active.ratio'
from (values
    (30, 'dispatch_stall', 'stalled on dispatch, warp-cycles per issue'),
    (31, 'short_scoreboard', 'stalled on shared memory (short scoreboard)'),
    (32, 'long_scoreboard', 'stalled on global memory (long scoreboard)'),
    (33, 'mio_throttle', 'stalled on the shared-memory queue (MIO throttle)'),
    (34, 'lg_throttle', 'stalled on the global-memory queue (LG throttle)'),
    (35, 'tex_throttle', 'stalled on the texture queue (TEX throttle)'),
    (36, 'barrier', 'stalled at a barrier'),
    (37, 'math_pipe_throttle', 'stalled on a busy pipe'),
    (38, 'wait', 'stalled on a fixed latency (wait)'),
    (39, 'no_instruction', 'stalled on instruction fetch'),
    (40, 'not_selected', 'ready but not selected'),
    (null, 'branch_resolving', null));

-- Figures that are ratios of two short names: scale x above / below.
create table ratio(place integer, name text, words text, scale real, above text,
    below text, source text);
insert into ratio values
    (2, 'cycles_per_ffma', 'cycles per FFMA and scheduler', 1, 'cycles', 'ffma',
        'smsp__cycles_active.sum / FFMA'),
    (3, 'cycles_per_dfma', 'cycles per DFMA and scheduler', 1, 'cycles', 'dfma',
        'smsp__cycles_active.sum / DFMA'),
    (6, 'issue_slots', 'issue slots used, %', 100, 'issued', 'cycles',
        'smsp__inst_issued.sum / smsp__cycles_active.sum'),
    (9, 'ffma_share', 'of which FFMA, %', 100, 'ffma', 'instructions',
        'FFMA / smsp__inst_executed.sum'),
    (11, 'dfma_share', 'of which DFMA, %', 100, 'dfma', 'instructions',
        'DFMA / smsp__inst_executed.sum'),
    (13, 'sectors_per_load', 'sectors per global load request', 1, 'load_sectors', 'load_requests',
        'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / ..._requests_...'),
    (15, 'sectors_per_copy', 'sectors per async copy request', 1, 'copy_sectors', 'copy_requests',
        'l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts*.sum / ..._requests_...'),
    (17, 'sectors_per_fetch', 'sectors per texture fetch', 1, 'texture_sectors', 'texture_fetches',
        'l1tex__t_sectors_pipe_tex_mem_texture.sum / smsp__inst_executed_op_texture.sum'),
    (18, 'sectors_per_store', 'sectors per global store request', 1, 'store_sectors',
        'store_requests', 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum / ..._requests_...'),
    (20, 'lds_per_ffma', 'shared load instructions per FFMA', 1, 'lds', 'ffma',
        'smsp__inst_executed_op_shared_ld.sum / FFMA'),
    (21, 'lds_per_dfma', 'shared load instructions per DFMA', 1, 'lds', 'dfma',
        'smsp__inst_executed_op_shared_ld.sum / DFMA'),
    (23, 'wavefronts_per_ffma', 'shared wavefronts per FFMA', 1, 'wavefronts', 'ffma',
        'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*.sum / FFMA'),
    (24, 'wavefronts_per_dfma', 'shared wavefronts per DFMA', 1, 'wavefronts', 'dfma',
        'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*.sum / DFMA'),
    (25, 'wavefronts_per_lds', 'wavefronts per shared load', 1, 'lds_wavefronts', 'lds',
        '..._wavefronts_mem_shared_op_ld.sum / smsp__inst_executed_op_shared_ld.sum'),
    (26, 'wavefronts_per_sts', 'wavefronts per shared store', 1, 'sts_wavefronts', 'sts',
        '..._wavefronts_mem_shared_op_st.sum / smsp__inst_executed_op_shared_st.sum'),
    (null, 'load_requests_per_ffma', null, 1, 'load_requests', 'ffma', null),
    (null, 'sectors_per_ffma', null, 1, 'global_sectors', 'ffma', null);
create view counter_row as
select place, name, words, ifnull(source, pattern) as source from short_name where place union all
select place, name, words, source from ratio where place;

-- named_counter has the counters of each kernel under their short names; `figure` has the ratios,
-- too.
create table named_counter as
with named as (
    select name, scale, counter from short_name join (select distinct counter from counter)
        on counter glob pattern)
select backend, step, variant, shape, name, scale * sum(value) as value from counter
    join named using (counter)
group by backend, step, variant, shape, name;
create table figure as
select * from named_counter
union all
select a.backend, a.step, a.variant, a.shape, ratio.name, scale * a.value / b.value
from ratio join named_counter as a on a.name = above
    join named_counter as b on b.name = below and (b.backend, b.step, b.variant,
        b.shape) = (a.backend, a.step, a.variant, a.shape)
where b.value <> 0;

-- --- The machine

-- The probes of step 00 in their order. A value is measured on a GPU, `counted` by the simulator,
-- and `rule` computed by the rules of the register banks.
create view probe as
with latest as (
    select min(rowid) as place, max(rowid) as newest, max(iif(backend = 'gpu', rowid, null)) as gpu,
        max(iif(backend = 'sim' and unit <> 'cycles by rule', rowid, null)) as sim,
        max(iif(backend = 'sim' and unit = 'cycles by rule', rowid, null)) as rule
    from machine group by "group", what, variant)
select latest.place, newest."group", newest.what, ifnull(newest.variant, '') as variant, gpu.value,
    gpu.unit, gpu.documented,
    gpu.sm_mhz, sim.value as counted, rule.value as rule,
        coalesce(gpu.local_bytes, sim.local_bytes) as local_bytes, newest.code
from latest join machine as newest on newest.rowid = latest.newest left join machine as gpu
    on gpu.rowid = latest.gpu
    left join machine as sim on sim.rowid = latest.sim left join machine as rule
        on rule.rowid = latest.rule;

-- The newest value of each probe on the GPU, `ceiling` and others. If the folder has no ceilings,
-- the probes of the H200 are added.
create view ceiling as
with source as (
    select 1 as own, * from machine union all
    select 0, * from reference where not exists (select * from machine where "group" = 'ceiling'
        and unit like '%/s'))
select "group" || ' ' || what || ifnull(' ' || variant, '') as name, value + 0.0 as value
from (select *, row_number() over (partition by "group", what, variant
    order by own desc, time desc) as age
    from source where backend = 'gpu')
where age = 1;

-- The parts of an SM for which the simulator computes the least number of cycles that a launch
-- takes (sim__bound_PART.cycles). The simulator assumes nominal rates; `scale` is the nominal rate
-- divided by the measured one.
create view part as
with measured(place, part, words, nominal, value) as (values
    (1, 'fma_pipe', 'FMA pipe', 128,
        (select value from ceiling where name = 'throughput FP32 FMA')),
    (2, 'issue_slots', 'issue slots', 1, null),
    (3, 'register_file', 'register file', 1, null),
    (4, 'shared_memory', 'shared memory', 128,
        (select max(value) from ceiling where name glob 'ceiling shared memory *')),
    (5, 'l1', 'L1', 128, (select max(value) from ceiling where name glob 'ceiling L1 *')),
    (6, 'dram', 'DRAM', 4800, (select value from ceiling where name = 'ceiling DRAM read')))
select place, part, words, iif(value > 0, nominal / value, 1) as scale from measured;

-- bound: the least number of cycles of each part, for the simulator's counts and measured rates.
-- binding: the part with the largest bound, and the TFLOP/s that it allows.
create view bound as
select c.step, c.variant, c.shape, place, part, words, c.value as nominal, c.value * scale as cycles
from part join counter as c on c.backend = 'sim' and c.counter = 'sim__bound_' || part || '.cycles';
create view binding as
select b.step, b.variant, b.shape, place, words, max(b.cycles) as cycles,
    t.value * (select max(nominal) from bound where (step, variant, shape) = (b.step, b.variant,
        b.shape)) / max(b.cycles) as tflops
from bound as b left join counter as t
    on t.backend = 'sim' and t.counter = 'sim__bound.tflops'
        and (t.step, t.variant, t.shape) = (b.step, b.variant, b.shape)
group by b.step, b.variant, b.shape;

-- --- Summaries in plain text, one line per row

-- The view `ladder` as a table in text, one per square size.
create view ladder_text as
with measured as (
    select n, device, count(*) as steps, max(count(*)) over (partition by n) as most,
        group_concat(substr(step, 1, 2)) as names
    from ladder where square and step <> 'cublas' group by n, device order by steps desc)
select n, -1 as rung, group_concat(device || iif(steps < most, ' (step ' || names || ')', ''), ', ')
    || ', N = ' || n || char(10, 10) ||
    printf('%-28s %-22s %8s %9s %9s %13s', 'step', 'variant', 'TFLOP/s', '% of peak', 'x cuBLAS',
        'x step before') as line
from measured group by n
union all
select n, rung, printf('%-28s %-22s %8.2f %9s %9s %13s', step, variant, tflops,
    printf(iif(pct_peak is null, '', '%.1f'), pct_peak),
    printf(iif(step = 'cublas' or times_cublas is null, '', '%.2f'), times_cublas),
        printf(iif(gain is null, '', '%.2f'), gain))
from ladder where square order by n, rung;

-- The simulator's counts for the last variant of each step, and the bound that limits it.
create view bounds_text as
with counted as (
    select shape as n, step, variant, max(value) filter (where name = 'ffma_share') as ffma,
        max(value) filter (where name = 'wavefronts_per_ffma') as wavefronts,
        max(value) filter (where name = 'sectors_per_ffma') as sectors
    from figure join last_variant using (step, variant) where backend = 'sim' and source = 'sim'
        group by shape, step, variant)
select n, '' as step, printf('%-28s %-12s %7s %11s %9s  %-14s %8s', 'step, N = ' || n, 'variant',
    '% FFMA', 'wavefronts', 'sectors',
    'binding', 'bound,') || char(10) || printf('%-28s %-12s %7s %11s %9s  %-14s %8s', '', '', '',
        'per FFMA', 'per FFMA', 'bound', 'TFLOP/s') as line
from counted group by n
union all
select n, c.step, printf('%-28s %-12s %7s %11s %9s  %-14s %8s', c.step, c.variant,
    printf(iif(ffma is null, '', '%.1f'), ffma),
    printf(iif(wavefronts is null, '', '%.3f'), wavefronts),
        printf(iif(sectors is null, '', '%.3f'), sectors),
    ifnull(words, ''), printf(iif(tflops is null, '', '%.1f'), tflops))
from counted as c left join binding as b on (b.step, b.variant, b.shape) = (c.step, c.variant, c.n)
    order by n, step;
