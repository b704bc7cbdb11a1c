-- Creates the tables for the CSV files of a results folder, one table per file.
-- tools/figures/database.py fills each column from the file's column of the same name.
--
-- A column with `default null` may be missing in a file, for example if its header is older. Every
-- other column is required. Columns of a file that are not named here are ignored. `shape` is N for
-- N x N x N, otherwise MxNxK.

-- results.csv of the harness: one row per kernel, shape and mode.
create table results(
    time text, "commit" text, backend text, device text, driver text, step text, variant text,
    m integer, n integer, k integer, lda integer, ldb integer, ldc integer, alpha real,
        beta real, mode text,
    rounds integer default null, ms_median real default null, ms_min real default null,
        ms_max real default null,
    tflops real, pct_peak real default null, vs_cublas real default null,
        error_ratio real default null, "check" text,
    sm_mhz numeric default null, watts numeric default null, registers integer default null,
        shared_bytes integer default null,
    threads integer default null, blocks_per_sm integer default null, gpus integer default null,
        error_rms real default null,
    error_bias real default null, cublas_error_max real default null,
        cublas_error_rms real default null, inputs text default null,
    code_hash text default null,
        shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));

-- applications.csv: step 13 and `shapes/dispatch` on odd sizes and on shapes of applications.
create table applications(
    step text, variant text, m integer, n integer, k integer, lda integer, ldb integer, ldc integer,
        mode text, ms_median real, ms_min real, "check" text);

-- checks.csv: kernels that were checked but not timed.
create table checks(
    time text, "commit" text, step text, variant text, m integer, n integer, k integer, lda integer,
        ldb integer, ldc integer,
    alpha real, beta real, error_ratio real, "check" text);

-- order.csv: the kernels of steps 10 and shapes. `parts` is the number of parts along K, or 0 for
-- stream-K that chose it itself.
create table order_times(
    parts integer, step text, variant text, m integer, n integer, k integer, ms_median real,
    shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));

-- errors.csv of tools/errors.sh: the errors of correct kernels and of two wrong ones.
create table errors(
    time text, "commit" text, m integer, n integer, k integer, step text, variant text,
        error_ratio real, error_rms real);

-- sample.csv of tools/order.sh: the dispatcher beside cuBLAS on random shapes.
create table sample(
    variant text, m integer, n integer, k integer, ms_median real, vs_cublas real, "check" text);

-- counters.csv: counters of Nsight Compute (backend gpu) and of the simulator (sim), one per row.
create table counters(
    time text, "commit" text, backend text, step text, variant text, m integer, n integer,
        k integer, counter text, value real,
    shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));

-- machine.csv of build/00_machine: one row per probe and run. Rows of the backend sim count
-- instructions or, by the rules of the register banks, cycles.
create table machine(
    time text, "commit" text, backend text, device text, driver text, "group" text, what text,
        variant text, value text,
    unit text, documented numeric, code text, local_bytes integer, sm_mhz integer);

-- results.csv and machine.csv of docs/results/h100, to compare the folder's own results with.
create table h100_results(step text, variant text, m integer, n integer, k integer,
    mode text, tflops real,
    shape text as (iif(m = n and n = k, n, m || 'x' || n || 'x' || k)));
create table h100_machine("group" text, what text, variant text, backend text, value text);
-- strassen.csv: step 15 beside cuBLAS, steps 09 and 13, and `shapes/dispatch`.
create table strassen(
    device text, driver text, time text, "commit" text, mode text, m integer, n integer, k integer,
        step text, variant text,
    ms_median real, ms_min real default null, tflops real, vs_cublas real, sm_mhz numeric,
        watts numeric, error_ratio real, error_rms real,
    cublas_error_max real, cublas_error_rms real);
-- library.csv of library/measure.py shapes.
create table library(what text, transposes text, n integer, tflops real,
    cublas_tflops real, times_cublas real);
-- machine.csv of docs/results/h200: its ceilings are used if the folder's own `machine` has none.
create table reference as select * from machine limit 0;
-- results.csv of docs/results/h200: lists the variants that exist, also if not measured in the
-- folder.
create table reference_results(step text, variant text);

-- lint.csv of tools/lint.py: the hot loop of each variant.
create table lint(
    step text, variant text, bytes integer, instructions integer, ffma integer,
        conflict_cycles integer,
    issue_cycles_per_ffma text, expected_cycles_per_ffma text, idle_reuse_flags integer);

-- strip.csv of tools/lint.py: the loops of step 09.
create table strip(step text, variant text, line integer, at integer, cycles integer, kind text);

-- copies.csv: board power for each way of copying a tile.
create table copies(what text, watts numeric);

-- traffic.csv, timeline.csv and links.csv of build/14_several_gpus --details, --timeline, --links.
create table traffic(
    time text, "commit" text, backend text, device text, transport text, variant text, kernel text,
        gpus integer, processes integer,
    m integer, n integer, k integer, panel integer, leave integer, channels integer,
        received_predicted real, received_counted real,
    ms_predicted real, ms_compute_predicted real, ms_travel_predicted real, ms_median real,
        ms_compute real, ms_travel real);
-- clusters.csv: like traffic.csv, measured while NCCL launched its blocks in clusters of four.
create table clusters as select * from traffic limit 0;
-- gpus_hand.csv: step 14 with step 09's kernel. gpus_safe.csv: step 14 with step 13's `safe`.
create table gpus_hand(
    step text, variant text, gpus integer, m integer, n integer, k integer, mode text,
        ms_median real, tflops real);
create table gpus_safe as select * from gpus_hand limit 0;
create table timeline(
    backend text, device text, variant text, kernel text, gpus integer, m integer, n integer,
        k integer, leave integer, rank integer,
    stream text, number integer, what text, start_ms real, end_ms real);
-- training.csv of library/measure.py train; training_calls has the calls that SGEMM_LOG=1 reports.
create table training(device text, method text, batch integer, step integer, loss real, ms real);
create table training_calls(method text, calls integer, ms real, transposes text, m integer,
    n integer, k integer, function text);
create table links(device text, transport text, gpus integer, processes integer, what text,
    bytes integer, gbytes_per_second real);

-- validation.csv of tools/validate.py: predicted times beside measured ones.
-- measured_ms is the shortest launch. median_ms is the median of about 31 launches; median_pct is
-- the error relative to it. `pad` is the number of elements by which each leading dimension exceeds
-- its least. `kind`: kind_of() in common/harness/report.c has the same rule.
create table validation(
    step text, variant text, m integer, n integer, k integer, pad integer, predicted_ms real,
        measured_ms real, error_pct real,
    median_ms real default null, median_pct real default null,
    kind text as (case when pad <> 0 then 'padded rows' when m <> n or n <> k then 'rectangle'
        when n < 512 then 'small'
        when n & (n - 1) = 0 then 'power of two' when n % 128 = 0 then 'multiple of 128'
            else 'odd size' end));
-- The rows of validation.csv, newly computed by tools/validate.py.
create table compared(
    step text, variant text, m integer, n integer, k integer, pad integer, predicted_ms real,
        measured_ms real, error_pct real,
    median_ms real default null, median_pct real default null,
    kind text as (case when pad <> 0 then 'padded rows' when m <> n or n <> k then 'rectangle'
        when n < 512 then 'small'
        when n & (n - 1) = 0 then 'power of two' when n % 128 = 0 then 'multiple of 128'
            else 'odd size' end));
-- held_out.csv: measured times of kernels from other projects, and the model's first predictions,
-- made before these kernels led to changes of the model.
create table held_out(us_clean real, model_before_us real);
-- predicted_machine.csv of build/00_machine --backend model.
create table predicted_machine("group" text, what text, variant text, value real);
-- stalls.csv of tools/validate.py: the shares of the warps' time by state, predicted and measured
-- by Nsight Compute.
create table stalls(
    step text, variant text, n integer, state text, place integer, predicted_pct real,
        measured_pct real);
-- rewritten.csv: compiled kernels, rewritten by build/sass reuse and tune. The times_... columns
-- are speed-ups over the compiled kernel.
create table rewritten(
    step text, variant text, n integer, ms_compiled real, times_order real, times_pairs real,
        times_searched real);
-- search.csv of build/sass tune --log.
create table search(seconds real, drawn integer, legal integer, gain_percent real, change text);
create table h100_validation(
    step text, variant text, m integer, n integer, k integer, pad integer, predicted_ms real,
        measured_ms real, error_pct real,
    median_ms real default null, median_pct real default null,
    kind text as (case when pad <> 0 then 'padded rows' when m <> n or n <> k then 'rectangle'
        when n < 512 then 'small'
        when n & (n - 1) = 0 then 'power of two' when n % 128 = 0 then 'multiple of 128'
            else 'odd size' end));
