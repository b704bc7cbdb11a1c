-- Curves of a results folder for the page's script: one row per kernel and square size, in bursts.
-- Speeds have five digits: a chart rounds them once more, and their ratios have two decimals.
-- `gain`, the speed-up over the step before, is that of the ladder's table.
select step, variant, n, printf('%.5g', tflops) as tflops, last,
    iif(last, round(vs_cublas, 2), null) as vs_cublas,
    (select printf('%.2f', gain) from ladder where n = 4096 and gain is not null
        and (ladder.step, ladder.variant, ladder.shape) = (timed.step, timed.variant, timed.shape)
    ) as gain from timed
where square and mode = 'burst' and ifnull(gpus, 1) = 1
    and (step <> 'cublas' or variant <> 'default') order by step, n, place;
