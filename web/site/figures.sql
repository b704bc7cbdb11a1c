-- Prints where the figures on the site come from, by the database of docs/results/h200
-- (tools/load.py). A row has a key and a text: file, device, day and commit. Keys:
--     times STEP VARIANT SIZE MODE        VARIANT: also `last`, and `*` for all variants
--     counters STEP VARIANT SIZE BACKEND  STEP: a folder's name, its number, or cublas
--     column NAME                         a column of results.csv
--     NAME                                a whole file
create temp view device as
select ifnull((select device from newest order by time desc limit 1), 'no GPU') as name;
create temp table measured as
select 'times' as file, step, variant, shape, mode,
    device || ', ' || substr(time, 1, 10) || ', commit ' || "commit" as told, last
from newest
union all
select 'counters', step, variant, shape, backend,
    iif(backend = 'sim', 'counted by the simulator', name) || ', ' || substr(time, 1, 10)
    || ', commit ' || "commit",
    variant is (select variant from last_variant as l
        where l.step = counter.step and l.source = 'times')
from counter, device group by step, variant, shape, backend;
create temp table place as
select 'times' as file, 'docs/results/h200/results.csv' as path union all
select 'counters', 'docs/results/h200/counters.csv';

create temp view keyed as
select file, named_step.name, variant, shape, mode, told from measured join named_step using (step)
union all select file, named_step.name, 'last', shape, mode, told
    from measured join named_step using (step) where last
union all select file, named_step.name, '*', shape, mode, told
    from measured join named_step using (step);
select file || ' ' || name || ' ' || variant || ' ' || shape || ' ' || mode,
    path || '; ' || group_concat(distinct told)
from keyed join place using (file) group by 1;

select 'column ' || name, '' from pragma_table_info('results');
select 'times', 'docs/results/h200/results.csv; ' || name from device union all
select 'counters', 'docs/results/h200/counters.csv; ' || name from device union all
select 'lint', 'docs/results/h200/lint.csv; read from the machine code by sass lint' union all
select 'order', 'docs/results/h200/order.csv; ' || name from device union all
select 'copies', 'docs/results/h200/copies.csv; ' || name from device union all
select 'h100', 'docs/results/h100/strassen.csv; ' || device || ', ' || substr(max(time), 1, 10)
    || ', commit ' || replace(group_concat(distinct "commit"), ',', ', ')
from fewer union all
select 'validation', 'docs/results/h200/validation.csv; predicted, beside the times of results.csv'
union all
select 'machine', 'docs/results/h200/machine.csv; ' || max(device) || ', ' ||
    substr(max(time), 1, 10) || ', commit ' || replace(group_concat(distinct "commit"), ',', ', ')
from machine where backend = 'gpu';
