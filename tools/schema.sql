-- The tables that hold a results folder's CSV files, a table a file; tools/load.py fills them by the names in each header.
--
-- A column with `default null` may be missing in a file (an older file's header has none); any other one must be there. What a
-- file has beside these is not read. `shape` is N for N x N x N, else MxNxK.

create table results( -- the harness: a row a kernel, shape and mode
    time text, "commit" text, backend text, device text, driver text, step text, variant text,
    m integer, n integer, k integer, lda integer, ldb integer, ldc integer, alpha real, beta real, mode text,
    rounds integer default null, ms_median real default null, ms_min real default null, ms_max real default null,
    tflops real, pct_peak real default null, vs_cublas real default null, error_ratio real default null, "check" text,
    sm_mhz numeric default null, watts numeric default null, registers integer default null, shared_bytes integer default null,
    threads integer default null, blocks_per_sm integer default null, gpus integer default null, error_rms real default null,
    error_bias real default null, cublas_error_max real default null, cublas_error_rms real default null, inputs text default null,
    code_hash text default null, shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));

create table checks( -- docs/results/*/checks.csv: what was checked and not timed
    time text, "commit" text, step text, variant text, m integer, n integer, k integer, lda integer, ldb integer, ldc integer,
    alpha real, beta real, error_ratio real, "check" text);

create table order_times( -- order.csv: the kernels of step 10 with K in several parts (0: all blocks)
    parts integer, step text, variant text, m integer, n integer, k integer, ms_median real,
    shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));

create table errors( -- tools/errors.sh: of right kernels and of two wrong ones
    time text, "commit" text, m integer, n integer, k integer, step text, variant text, error_ratio real, error_rms real);

create table sample( -- tools/order.sh sample: the dispatcher beside cuBLAS on drawn shapes
    variant text, m integer, n integer, k integer, ms_median real, vs_cublas real, "check" text);

create table counters( -- Nsight Compute's counters (backend gpu) and the simulator's (sim), a row each
    time text, "commit" text, backend text, step text, variant text, m integer, n integer, k integer, counter text, value real,
    shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));

create table machine( -- build/00_machine: a row a probe; backend sim counts instructions
    time text, "commit" text, backend text, device text, driver text, "group" text, what text, variant text, value text,
    unit text, documented numeric, code text, local_bytes integer, sm_mhz integer);

-- docs/results/h100: what is set beside the results that are asked.
create table h100_results(step text, variant text, m integer, n integer, k integer, mode text, tflops real,
    shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));
create table h100_machine("group" text, what text, variant text, backend text, value text);
create table strassen( -- step 15 beside cuBLAS, 09 and 10
    device text, driver text, time text, "commit" text, mode text, m integer, n integer, k integer, step text, variant text,
    ms_median real, tflops real, vs_cublas real, sm_mhz numeric, watts numeric, error_ratio real, error_rms real,
    cublas_error_max real, cublas_error_rms real);
create table library(what text, transposes text, n integer, tflops real, cublas_tflops real, times_cublas real); -- library/measure.py shapes
create table reference as select * from machine limit 0; -- that of docs/results/h200, whose ceilings stand in where `machine` has none
create table reference_results(step text, variant text); -- of docs/results/h200: what variants there are, whether this folder has them or not

create table lint( -- tools/lint.py: the hot loop of each variant
    step text, variant text, bytes integer, instructions integer, ffma integer, conflict_cycles integer,
    issue_cycles_per_ffma text, expected_cycles_per_ffma text, idle_reuse_flags integer);

create table strip(step text, variant text, line integer, at integer, cycles integer, kind text); -- the loops of step 09

create table copies(what text, watts numeric); -- board power of ways of copying a tile

-- build/14_several_gpus: --details, --timeline, --links
create table traffic(
    time text, "commit" text, backend text, device text, transport text, variant text, kernel text, gpus integer, processes integer,
    m integer, n integer, k integer, panel integer, leave integer, channels integer, received_predicted real, received_counted real,
    ms_predicted real, ms_compute_predicted real, ms_travel_predicted real, ms_median real, ms_compute real, ms_travel real);
create table clusters as select * from traffic limit 0; -- measured while NCCL's blocks came in clusters of four
create table gpus_safe(variant text, gpus integer, m integer, n integer, k integer, ms_median real, tflops real); -- with step 13's `safe`
create table timeline(
    backend text, device text, variant text, kernel text, gpus integer, m integer, n integer, k integer, leave integer, rank integer,
    stream text, number integer, what text, start_ms real, end_ms real);
create table training(device text, method text, batch integer, step integer, loss real, ms real); -- library/measure.py train
create table training_calls(method text, calls integer, ms real, transposes text, m integer, n integer, k integer, function text); -- and SGEMM_LOG=1
create table links(device text, transport text, gpus integer, processes integer, what text, bytes integer, gbytes_per_second real);

create table validation( -- tools/validate.py: predicted times beside measured ones
    step text, variant text, n integer, predicted_ms real, measured_ms real, error_pct real);
create table predicted_machine("group" text, what text, variant text, value real); -- build/00_machine --backend model
create table stalls( -- tools/validate.py: shares of the warps' time by state, predicted and by Nsight Compute
    step text, variant text, n integer, state text, place integer, predicted_pct real, measured_pct real);
create table rewritten( -- compiled kernels after build/sass reuse and tune: times as fast as compiled
    step text, variant text, n integer, ms_compiled real, times_order real, times_pairs real, times_searched real);
create table search(seconds real, drawn integer, legal integer, gain_percent real, change text); -- build/sass tune --log
create table h100_validation as select * from validation limit 0;
