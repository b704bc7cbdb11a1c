-- Curves of a results folder for the page's script: one row per kernel and square size, in bursts.
-- Three digits are what a chart shows; more would make each first visit longer.
select step, variant, n, printf('%.3g', tflops) as tflops, last,
    iif(last, round(vs_cublas, 2), null) as vs_cublas from timed
where square and mode = 'burst' and ifnull(gpus, 1) = 1
    and (step <> 'cublas' or variant <> 'default') order by step, n, place;
