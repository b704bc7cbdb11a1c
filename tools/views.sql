-- What the charts, the tables in the lessons and the summaries ask for; the tables below it are those of schema.sql.
--
-- A new figure is a row of `ratio`, or a column or view here. Rates are in TFLOP/s, percentages 0 to 100. What is asked for often
-- is a table: a view, worked out once.

-- Times --------------------------------------------------------------------------------------------------------------------

-- The last variant of a step is the one that the next step builds on. Programs measure variants in order, so it ends the
-- longest list of variants at one shape; a run of a few variants does not count against it. cuBLAS's is the pedantic SGEMM.
-- source: times (results.csv), gpu or sim (counters.csv).
create table last_variant as
with visited as (
    select 'times' as source, rowid as place, step, variant, shape || mode as at from results
    union all
    select backend, min(rowid), step, variant, shape from counters group by backend, step, variant, shape, time),
stepped as (
    select *, at is not lag(at) over (partition by source, step order by place) as moved from visited
    where step <> 'cublas' or variant = 'pedantic'),
listed as (select *, sum(moved) over (partition by source, step order by place) as visit from stepped),
turned as (select *, row_number() over (partition by source, step, visit, variant order by place) as turn from listed),
list as (
    select source, step, variant, max(place) as place, count(*) as length from turned group by source, step, visit, turn),
ranked as (
    select *, row_number() over (partition by source, step order by length desc, place desc) as rank from list)
select source, step, variant from ranked where rank = 1;

-- The newest row of each measurement: GPU times with alpha 1, beta 0 and no padding whose check did not fail.
create view newest as
with latest as (
    select min(rowid) as place, max(rowid) as newest from results
    where backend = 'gpu' and tflops > 0 and alpha = 1 and beta = 0 and lda = k and ldb = n and ldc = n
        and ifnull("check", '') not like 'f%'
    group by step, variant, shape, mode, gpus)
select place, m = n and n = k as square, step = '11_dgemm' or variant = 'dgemm' as fp64, results.*,
    variant is (select variant from last_variant as l where l.source = 'times' and l.step = results.step) as last
from latest join results on results.rowid = newest;

-- The same beside cuBLAS at that shape: its DGEMM for FP64, otherwise the pedantic SGEMM.
create table timed as
select row.*, cublas.tflops as cublas_tflops,
    coalesce(row.vs_cublas, row.tflops / cublas.tflops) as times_cublas
from newest as row left join newest as cublas
    on cublas.step = 'cublas' and cublas.variant = iif(row.fp64, 'dgemm', 'pedantic') and cublas.shape = row.shape
        and cublas.mode = row.mode;

-- The ladder at each shape: the last variant of each rung, its gain over the rung before, and cuBLAS after the rungs.
create view ladder as
select *, row_number() over rungs - 1 as rung, iif(step = 'cublas', null, tflops / lag(tflops) over rungs) as gain
from timed
where last and mode = 'burst' and (step glob '0[1-9]_*' or step = 'cublas')
window rungs as (partition by shape order by step);

-- The peak that the harness reckons from the clock, by precision.
create view peak as
select fp64, 100 * tflops / pct_peak as tflops from (select *, max(tflops) from newest where pct_peak > 0 group by fp64);

-- Steps by name, each also under its number; variants in the order in which they were measured, times first, then counters.
create table named_step as
with steps as (select step from results union select step from counters union select step from lint)
select step as name, step from steps
union select substr(step, 1, instr(step, '_') - 1), step from steps where instr(step, '_');
create table known_variant as
select step, variant, min(place) as place
from (select step, variant, place from newest union all select step, variant, 1e9 + rowid from counters)
group by step, variant;

-- Counters -----------------------------------------------------------------------------------------------------------------

-- The newest value of each counter. A kernel of one precision has no figures of the other one.
create table counter as
select backend, step, variant, shape, m, n, k, counter, value, time, "commit" from counters
where rowid in (select max(rowid) from counters group by backend, step, variant, shape, counter)
    and not (value = 0 and (counter glob '*fma_pred_on.sum' or counter glob 'sm__pipe_fp64_*'));
create index by_counter on counter(counter);

-- Counters under short names; of a pattern with * the sum. FFMA and DFMA are counted by the warp: 32 threads.
create table short_name(name text, pattern text, scale real default 1);
insert into short_name(name, pattern) values
    ('cycles', 'smsp__cycles_active.sum'),
    ('fma_pipe', 'sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active'),
    ('fp64_pipe', 'sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active'),
    ('instructions', 'smsp__inst_executed.sum'),
    ('issued', 'smsp__inst_issued.sum'),
    ('load_requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'),
    ('load_sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'),
    ('store_requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'),
    ('store_sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'),
    ('copy_requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_*.sum'),
    ('copy_sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_*.sum'),
    ('global_sectors', 'l1tex__t_sectors_pipe_lsu_mem_global_op_[ls][dt].sum'), -- asynchronous copies count as loads
    ('texture_fetches', 'smsp__inst_executed_op_texture.sum'),
    ('texture_sectors', 'l1tex__t_sectors_pipe_tex_mem_texture.sum'),
    ('lds', 'smsp__inst_executed_op_shared_ld.sum'),
    ('sts', 'smsp__inst_executed_op_shared_st.sum'),
    ('wavefronts', 'l1tex__data_pipe_lsu_wavefronts_mem_shared.sum'),
    ('lds_wavefronts', 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum'),
    ('sts_wavefronts', 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum'),
    ('shared_wavefronts', 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*.sum'), -- loads, stores and copies
    ('load_conflicts', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum'),
    ('store_conflicts', 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'),
    ('l2_hit_rate', 'lts__t_sector_hit_rate.pct'),
    ('dram_bytes', 'dram__bytes_*.sum'),
    ('registers_per_thread', 'launch__registers_per_thread');
insert into short_name values
    ('microseconds', 'gpu__time_duration.sum', 0.001),
    ('ffma', 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum', 1 / 32.0),
    ('dfma', 'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum', 1 / 32.0);
insert into short_name(name, pattern) -- stall_barrier and its like
select distinct replace(replace(counter, 'smsp__average_warps_issue_stalled_', 'stall_'), '_per_issue_active.ratio', ''), counter from counters
where counter glob 'smsp__average_warps_issue_stalled_*_per_issue_active.ratio';

-- Figures derived from two counters: scale x above / below.
create table ratio(name text, scale real, above text, below text);
insert into ratio values
    ('cycles_per_ffma', 1, 'cycles', 'ffma'),
    ('cycles_per_dfma', 1, 'cycles', 'dfma'),
    ('issue_slots', 100, 'issued', 'cycles'),
    ('ffma_share', 100, 'ffma', 'instructions'),
    ('dfma_share', 100, 'dfma', 'instructions'),
    ('load_requests_per_ffma', 1, 'load_requests', 'ffma'),
    ('sectors_per_load', 1, 'load_sectors', 'load_requests'),
    ('sectors_per_store', 1, 'store_sectors', 'store_requests'),
    ('sectors_per_copy', 1, 'copy_sectors', 'copy_requests'),
    ('sectors_per_fetch', 1, 'texture_sectors', 'texture_fetches'),
    ('sectors_per_ffma', 1, 'global_sectors', 'ffma'),
    ('lds_per_ffma', 1, 'lds', 'ffma'),
    ('lds_per_dfma', 1, 'lds', 'dfma'),
    ('wavefronts_per_ffma', 1, 'wavefronts', 'ffma'),
    ('wavefronts_per_dfma', 1, 'wavefronts', 'dfma'),
    ('shared_wavefronts_per_ffma', 1, 'shared_wavefronts', 'ffma'),
    ('wavefronts_per_lds', 1, 'lds_wavefronts', 'lds'),
    ('wavefronts_per_sts', 1, 'sts_wavefronts', 'sts');

-- Each kernel's counters under their short names, and the ratios.
create table named_counter as
with named as (
    select name, scale, counter from short_name join (select distinct counter from counter) on counter glob pattern)
select backend, step, variant, shape, name, scale * sum(value) as value from counter join named using (counter)
group by backend, step, variant, shape, name;
create table figure as
select * from named_counter
union all
select a.backend, a.step, a.variant, a.shape, ratio.name, scale * a.value / b.value
from ratio join named_counter as a on a.name = above
    join named_counter as b on b.name = below and (b.backend, b.step, b.variant, b.shape) = (a.backend, a.step, a.variant, a.shape)
where b.value <> 0;

-- The rows of a table of counters in order; a row without a source is the counter itself.
create table counter_row(place integer primary key, name text, words text, source text);
insert into counter_row(name, words, source) values
    ('microseconds', 'time under the profiler, us', null),
    ('cycles_per_ffma', 'cycles per FFMA and scheduler', 'smsp__cycles_active.sum / FFMA'),
    ('cycles_per_dfma', 'cycles per DFMA and scheduler', 'smsp__cycles_active.sum / DFMA'),
    ('fma_pipe', 'FMA pipe active, %', null),
    ('fp64_pipe', 'FP64 pipe active, %', null),
    ('issue_slots', 'issue slots used, %', 'smsp__inst_issued.sum / smsp__cycles_active.sum'),
    ('instructions', 'warp instructions', null),
    ('ffma', 'of which FFMA', 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum / 32'),
    ('ffma_share', 'of which FFMA, %', 'FFMA / smsp__inst_executed.sum'),
    ('dfma', 'of which DFMA', 'smsp__sass_thread_inst_executed_op_dfma_pred_on.sum / 32'),
    ('dfma_share', 'of which DFMA, %', 'DFMA / smsp__inst_executed.sum'),
    ('load_requests', 'global load requests', null),
    ('sectors_per_load', 'sectors per global load request', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / ..._requests_...'),
    ('copy_requests', 'async copy requests', 'l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts*.sum'),
    ('sectors_per_copy', 'sectors per async copy request', 'l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts*.sum / ..._requests_...'),
    ('texture_fetches', 'texture fetches', null),
    ('sectors_per_fetch', 'sectors per texture fetch', 'l1tex__t_sectors_pipe_tex_mem_texture.sum / smsp__inst_executed_op_texture.sum'),
    ('sectors_per_store', 'sectors per global store request', 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum / ..._requests_...'),
    ('lds', 'shared load instructions', null),
    ('lds_per_ffma', 'shared load instructions per FFMA', 'smsp__inst_executed_op_shared_ld.sum / FFMA'),
    ('lds_per_dfma', 'shared load instructions per DFMA', 'smsp__inst_executed_op_shared_ld.sum / DFMA'),
    ('wavefronts', 'shared wavefronts', null),
    ('wavefronts_per_ffma', 'shared wavefronts per FFMA', 'l1tex__data_pipe_lsu_wavefronts_mem_shared.sum / FFMA'),
    ('wavefronts_per_dfma', 'shared wavefronts per DFMA', 'l1tex__data_pipe_lsu_wavefronts_mem_shared.sum / DFMA'),
    ('wavefronts_per_lds', 'wavefronts per shared load', '..._wavefronts_mem_shared_op_ld.sum / smsp__inst_executed_op_shared_ld.sum'),
    ('wavefronts_per_sts', 'wavefronts per shared store', '..._wavefronts_mem_shared_op_st.sum / smsp__inst_executed_op_shared_st.sum'),
    ('load_conflicts', 'bank conflicts, loads', null),
    ('store_conflicts', 'bank conflicts, stores', null),
    ('l2_hit_rate', 'L2 hit rate, %', null),
    ('stall_dispatch_stall', 'stalled on dispatch, warps per issue', null),
    ('stall_short_scoreboard', 'stalled on shared memory (short scoreboard)', null),
    ('stall_long_scoreboard', 'stalled on global memory (long scoreboard)', null),
    ('stall_mio_throttle', 'stalled on the shared-memory queue (MIO throttle)', null),
    ('stall_lg_throttle', 'stalled on the global-memory queue (LG throttle)', null),
    ('stall_tex_throttle', 'stalled on the texture queue (TEX throttle)', null),
    ('stall_barrier', 'stalled at a barrier', null),
    ('stall_math_pipe_throttle', 'stalled on a busy pipe', null),
    ('stall_wait', 'stalled on a fixed latency (wait)', null),
    ('stall_no_instruction', 'stalled on instruction fetch', null),
    ('stall_not_selected', 'ready but not selected', null),
    ('registers_per_thread', 'registers per thread', null);

-- The machine --------------------------------------------------------------------------------------------------------------

-- The probes of step 00 in their order: measured on a GPU, counted by the simulator, reckoned by the register banks' rules.
create view probe as
with latest as (
    select min(rowid) as place, max(rowid) as newest, max(iif(backend <> 'sim', rowid, null)) as gpu,
        max(iif(backend = 'sim' and unit <> 'cycles by rule', rowid, null)) as sim,
        max(iif(backend = 'sim' and unit = 'cycles by rule', rowid, null)) as rule
    from machine group by "group", what, variant)
select latest.place, newest."group", newest.what, ifnull(newest.variant, '') as variant, gpu.value, gpu.unit, gpu.documented,
    gpu.sm_mhz, sim.value as counted, rule.value as rule, coalesce(gpu.local_bytes, sim.local_bytes) as local_bytes, newest.code
from latest join machine as newest on newest.rowid = latest.newest left join machine as gpu on gpu.rowid = latest.gpu
    left join machine as sim on sim.rowid = latest.sim left join machine as rule on rule.rowid = latest.rule;

-- What the machine can do, measured on a GPU; of a folder without such ceilings, the H200's.
create view ceiling as
with source as (
    select 1 as own, * from machine union all
    select 0, * from reference where not exists (select * from machine where "group" = 'ceiling' and unit like '%/s'))
select "group" || ' ' || what || ifnull(' ' || variant, '') as name, value + 0.0 as value
from (select *, row_number() over (partition by "group", what, variant order by own desc, time desc) as age
    from source where backend = 'gpu')
where age = 1;

-- The parts of an SM whose least cycles the simulator reckons (sim__bound_PART.cycles): by the nominal ceiling, and how many times
-- as many they are by the measured one.
create view part as
with measured(place, part, words, nominal, value) as (values
    (1, 'fma_pipe', 'FMA pipe', 128, (select value from ceiling where name = 'throughput FP32 FMA')),
    (2, 'issue_slots', 'issue slots', 1, null),
    (3, 'register_file', 'register file', 1, null),
    (4, 'shared_memory', 'shared memory', 128, (select max(value) from ceiling where name glob 'ceiling shared memory *')),
    (5, 'l1', 'L1', 128, (select max(value) from ceiling where name glob 'ceiling L1 *')),
    (6, 'dram', 'DRAM', 4800, (select value from ceiling where name = 'ceiling DRAM read')))
select place, part, words, iif(value > 0, nominal / value, 1) as scale from measured;

-- Least cycles of each part for what the simulator counted, and the TFLOP/s that the largest of them allows.
create view bound as
select c.step, c.variant, c.shape, place, part, words, c.value as nominal, c.value * scale as cycles
from part join counter as c on c.backend = 'sim' and c.counter = 'sim__bound_' || part || '.cycles';
create view binding as
select b.step, b.variant, b.shape, place, words, max(b.cycles) as cycles,
    t.value * (select max(nominal) from bound where (step, variant, shape) = (b.step, b.variant, b.shape)) / max(b.cycles) as tflops
from bound as b left join counter as t
    on t.backend = 'sim' and t.counter = 'sim__bound.tflops' and (t.step, t.variant, t.shape) = (b.step, b.variant, b.shape)
group by b.step, b.variant, b.shape;

-- TFLOP/s of step 01's kernel if every operand of a warp's FMA (132 bytes, 64 operations) came from L2; and if all came from L1
-- by two requests of 128 bytes.
create view naive as
with c as (
    select max(value) filter (where name = 'ceiling L2 read') as l2, max(value) filter (where name = 'ceiling FP32 FMA') as fma,
        max(value) filter (where name = 'ceiling L1 32-bit loads') as l1, max(value) filter (where name = 'throughput FP32 FMA') as rate
    from ceiling)
select l2 * 64 / 132 / 1000 as l2, fma * (l1 / 128 / 2) / (rate / 32) as l1 from c;

-- Summaries in plain text: run_all.sh prints the lines of one N ------------------------------------------------------------------

-- The ladder.
create view ladder_text as
select n, -1 as rung, device || ', N = ' || n || char(10, 10) ||
    printf('%-28s %-22s %8s %9s %9s %13s', 'step', 'variant', 'TFLOP/s', '% of peak', 'x cuBLAS', 'x step before') as line
from ladder where square group by n
union all
select n, rung, printf('%-28s %-22s %8.2f %9s %9s %13s', step, variant, tflops, printf(iif(pct_peak is null, '', '%.1f'), pct_peak),
    printf(iif(step = 'cublas' or times_cublas is null, '', '%.2f'), times_cublas), printf(iif(gain is null, '', '%.2f'), gain))
from ladder where square order by n, rung;

-- What the simulator counted, the last variant of each step, and the bound that binds.
create view bounds_text as
with counted as (
    select shape as n, step, variant, max(value) filter (where name = 'ffma_share') as ffma,
        max(value) filter (where name = 'shared_wavefronts_per_ffma') as wavefronts,
        max(value) filter (where name = 'sectors_per_ffma') as sectors
    from figure join last_variant using (step, variant) where backend = 'sim' and source = 'sim' group by shape, step, variant)
select n, '' as step, printf('%-28s %-12s %7s %11s %9s  %-14s %8s', 'step, N = ' || n, 'variant', '% FFMA', 'wavefronts', 'sectors',
    'binding', 'bound,') || char(10) || printf('%-28s %-12s %7s %11s %9s  %-14s %8s', '', '', '', 'per FFMA', 'per FFMA', 'bound', 'TFLOP/s') as line
from counted group by n
union all
select n, c.step, printf('%-28s %-12s %7s %11s %9s  %-14s %8s', c.step, c.variant, printf(iif(ffma is null, '', '%.1f'), ffma),
    printf(iif(wavefronts is null, '', '%.3f'), wavefronts), printf(iif(sectors is null, '', '%.3f'), sectors),
    ifnull(words, ''), printf(iif(tflops is null, '', '%.1f'), tflops))
from counted as c left join binding as b on (b.step, b.variant, b.shape) = (c.step, c.variant, c.n) order by n, step;
