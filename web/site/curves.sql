-- Curves of a results folder for the page's script: one row per kernel and square size, in bursts.
select step, variant, n, round(tflops, 3) as tflops, last,
    iif(last, round(vs_cublas, 3), null) as vs_cublas from timed
where square and mode = 'burst' and ifnull(gpus, 1) = 1
    and (step <> 'cublas' or variant <> 'default') order by step, n, place;
