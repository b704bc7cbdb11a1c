// Five ways of sharing C = alpha A B + beta C out among the GPUs of a host, or of several. Each scheme writes the schedule of one
// rank (schedule.h); the local products are those of steps 09, 10 and 13.
#include "gather.h"
#include "grid.h"
#include "panels.h"
#include "split_k.h"

const struct scheme lesson_schemes[] = {
    {
        .name = "gather",
        .idea = "rows of C; all of B is gathered first, then one product",
        .write = write_gather,
        .received = gather_received,
    },
    {
        .name = "panels",
        .idea = "rows of C; B's panels go round, the next travels while one is multiplied",
        .write = write_panels,
        .received = panels_received,
    },
    {
        .name = "grid",
        .idea = "tiles of C; panels of A along the grid's rows, of B along its columns (SUMMA)",
        .write = write_grid,
        .received = grid_received,
    },
    {
        .name = "split_k",
        .idea = "parts of K; every rank has a sum for all of C, which are added up where they belong",
        .write = write_split_k,
        .received = split_k_received,
    },
    {
        .name = "copies",
        .idea = "as panels, fetched by the copy engines from the other GPUs' memory: no SM has to work for it",
        .one_process = true,
        .no_nccl = true,
        .write = write_copies,
        .received = panels_received,
    },
    {0},
};
