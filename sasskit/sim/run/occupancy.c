// Occupancy: the number of blocks that an SM holds at once.
#include "base/arith.h"
#include "isa/chip.h"
#include "sim/sim.h"

enum { WARP = 32, REGISTER_UNIT = 256, SHARED_UNIT = 128 };

struct sim_sm sim_sm_of(int arch) {
    const struct sass_chip *chip = sass_chip(arch);
    if (!chip || !chip->runs) return (struct sim_sm){0};
    return (struct sim_sm){.blocks = chip->blocks,
                           .warps = chip->warps,
                           .schedulers = 4,
                           .registers = 65536,
                           .shared_bytes = chip->shared_kbytes * 1024,
                           .system_shared = chip->system_shared,
                           .block_shared = chip->block_kbytes * 1024};
}

int sim_blocks_that_fit(const struct sim_sm *sm, int registers, int warps, int shared_bytes) {
    const int64_t of_warp = round_up(registers * WARP, REGISTER_UNIT),
                  shared = round_up(shared_bytes + sm->system_shared, SHARED_UNIT);
    int64_t fit = min(sm->blocks, sm->warps / warps);
    if (of_warp) fit = min(fit, sm->registers / sm->schedulers / of_warp * sm->schedulers / warps);
    return (int)(shared ? min(fit, sm->shared_bytes / shared) : fit);
}
