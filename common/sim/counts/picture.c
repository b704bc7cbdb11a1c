// One memory request as CSV, a line a lane: for shared memory the wavefront and the banks, for global memory the sector.
#include "banks.h"
#include "sim/machine/machine.h"

static void draw_shared(FILE *file, const struct detail *m, const uint32_t *address, uint32_t mask, bool store) {
    int8_t phase[LANES] = {0};
    if (store) {
        banks_store(address, mask, m->width, phase);
    } else {
        banks_load(address, mask, m->width, phase);
    }
    fprintf(file, "lane,address,phase,first_bank,last_bank\n");
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        fprintf(file, "%d,%u,%d,%u,%u\n", l, address[l], phase[l], address[l] / 4 % 32,
                (address[l] + m->width - 1) / 4 % 32);
    }
}

static void draw_global(FILE *file, const struct detail *m, const uint64_t *address, uint32_t mask) {
    uint64_t least = UINT64_MAX;
    for (int l = 0; l < LANES; l++) {
        if ((mask >> l & 1) && address[l] < least) least = address[l];
    }
    fprintf(file, "lane,address,bytes,first_sector,last_sector\n"); // sectors counted from the lowest one
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1)) continue;
        fprintf(file, "%d,%llu,%d,%llu,%llu\n", l, (unsigned long long)address[l], m->width,
                (unsigned long long)(address[l] / 32 - least / 32),
                (unsigned long long)((address[l] + m->width - 1) / 32 - least / 32));
    }
}

void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared, const uint64_t *global, uint32_t mask,
                  bool store) {
    const struct sim_picture *p = w->block->launch->picture;
    if (w->block->linear != 0 || w->index != 0 || m->index * SASS_BYTES != p->address) return;
    if (w->block->pictured++ != p->skip) return;
    if (shared) {
        draw_shared(p->file, m, shared, mask, store);
    } else {
        draw_global(p->file, m, global, mask);
    }
}
