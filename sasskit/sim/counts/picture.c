// Prints one memory request as CSV, a row per active lane.
#include "picture.h"

#include "banks.h"

static void print_shared(const struct sim_request *r, FILE *file) {
    int8_t phase[LANES] = {0};
    uint32_t address[LANES];
    for (int l = 0; l < LANES; l++) address[l] = (uint32_t)r->address[l];
    (r->store ? banks_store : banks_load)(address, r->mask, (int)r->width, phase);
    fprintf(file, "lane,address,phase,first_bank,last_bank\n");
    for (int l = 0; l < LANES; l++) {
        if (!(r->mask >> l & 1)) continue;
        fprintf(file, "%d,%u,%d,%u,%u\n", l, address[l], phase[l], address[l] / 4 % 32,
                (address[l] + r->width - 1) / 4 % 32);
    }
}

static void print_global(const struct sim_request *r, FILE *file) {
    uint64_t least = UINT64_MAX;
    for (int l = 0; l < LANES; l++) {
        if ((r->mask >> l & 1) && r->address[l] < least) least = r->address[l];
    }
    // sectors are numbered from the lowest one
    fprintf(file, "lane,address,bytes,first_sector,last_sector\n");
    for (int l = 0; l < LANES; l++) {
        if (!(r->mask >> l & 1)) continue;
        fprintf(file, "%d,%llu,%u,%llu,%llu\n", l, (unsigned long long)r->address[l], r->width,
                (unsigned long long)(r->address[l] / 32 - least / 32),
                (unsigned long long)((r->address[l] + r->width - 1) / 32 - least / 32));
    }
}

void request_print(const struct sim_request *request, FILE *file) {
    (request->shared ? print_shared : print_global)(request, file);
}

void picture_draw(struct warp *w, const struct detail *m, const uint32_t *shared,
                  const uint64_t *global, uint32_t mask, bool store) {
    const struct sim_picture *p = w->block->launch->picture;
    const bool chosen =
        w->block->linear == 0 && w->index == 0 && m->index * SASS_BYTES == p->address;
    if (p->file && (!chosen || w->block->pictured++ != p->skip)) return;
    struct sim_request r = {
        .mask = mask, .width = m->width, .shared = shared != NULL, .store = store};
    for (int l = 0; l < LANES; l++) r.address[l] = shared ? shared[l] : global[l];
    if (p->file) {
        request_print(&r, p->file);
    } else {
        *p->latest = r;
    }
}
