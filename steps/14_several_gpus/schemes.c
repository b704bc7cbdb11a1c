// Five schemes that distribute C = alpha A B + beta C among the GPUs of a host, or of several. Each
// writes the schedule of one rank (schedule.h). The kernels of the local products are those of
// library/shapes and of steps 09, 10 and 13.
#include "gather.h"
#include "grid.h"
#include "panels.h"
#include "split_k.h"

const struct scheme lesson_schemes[] = {
    {
        .name = "gather",
        .idea = "rows of C per GPU; gathers all of B first, then computes one product",
        .write = write_gather,
        .received = gather_received,
    },
    {
        .name = "panels",
        .idea = "rows of C per GPU; multiplies one panel of B while it receives the next",
        .write = write_panels,
        .received = panels_received,
    },
    {
        .name = "grid",
        .idea = "tiles of C per GPU; sends panels of A along the grid's rows, of B along its "
                "columns (SUMMA)",
        .write = write_grid,
        .received = grid_received,
    },
    {
        .name = "split_k",
        .idea = "a part of K per GPU; a reduce-scatter adds up the GPUs' partial sums of C",
        .write = write_split_k,
        .received = split_k_received,
    },
    {
        .name = "copies",
        .idea = "panels, fetched from the other GPUs' memory by the copy engines, without SMs",
        .one_process = true,
        .no_nccl = true,
        .write = write_copies,
        .received = panels_received,
    },
    {0},
};
