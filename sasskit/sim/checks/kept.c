// Follows undefined values through a thread's stack. They are words that the thread has never
// written (e.g. behind the end of an array), and undefined registers that it has stored (e.g. to
// save them around a call). Storing such a value is not reported. A register that loads it becomes
// undefined (hazards.c). Limit: words below the stack pointer that an earlier call has written
// count as written.
#include "checks.h"
#include "sim/machine/room.h"

struct kept { // an undefined word of local memory
    uint32_t address;
    struct unwritten what;
    uint32_t unset[LANES]; // undefined bits or address per lane, like warp_hazards.unset
};

static struct kept *find(const struct warp *w, uint32_t address) {
    for (int i = 0; i < w->hazards.kept_count; i++)
        if (w->hazards.kept[i].address == address) return &w->hazards.kept[i];
    return NULL;
}

static struct kept *new_kept(struct warp *w, uint32_t address) {
    for (int i = 0; i < w->hazards.kept_count; i++)
        if (!w->hazards.kept[i].what.lanes)
            return w->hazards.kept[i].address = address, &w->hazards.kept[i];
    MAKE_ROOM(w->hazards.kept, w->hazards.kept_count, w->hazards.kept_capacity);
    w->hazards.kept[w->hazards.kept_count] = (struct kept){.address = address};
    return &w->hazards.kept[w->hazards.kept_count++];
}

void kept_store(struct warp *w, uint32_t number, int lane, uint32_t address) {
    const struct unwritten *from = &w->hazards.unwritten[number];
    const bool unwritten =
        number < ROW_ZERO && w->cell[number].ready == UNWRITTEN && from->lanes >> lane & 1;
    struct kept *k = unwritten || w->hazards.kept_count ? find(w, address) : NULL;
    if (!unwritten) {
        if (k) k->what.lanes &= ~(1u << lane);
        return;
    }
    if (!k) k = new_kept(w, address);
    const uint32_t lanes = k->what.lanes | 1u << lane;
    k->what = *from;
    k->what.lanes = lanes;
    k->unset[lane] = w->hazards.unset[number][lane];
}

void kept_load(struct warp *w, uint32_t number, int lane, uint32_t address, bool copies) {
    const struct kept *k = find(w, address);
    struct unwritten *to = &w->hazards.unwritten[number];
    if (!k || !(k->what.lanes >> lane & 1) || number >= ROW_ZERO) return;
    if (k->what.from == FROM_COPY && !copies) {
        shadow_read_copied(w, &k->what, lane, k->unset[lane]);
        return;
    }
    const uint32_t lanes = to->lanes | 1u << lane;
    *to = k->what;
    to->lanes = lanes;
    w->hazards.unset[number][lane] = k->unset[lane];
}

void kept_load_unset(struct warp *w, const struct uop *u, uint32_t number, int lane,
                     uint32_t address) {
    struct unwritten *to = &w->hazards.unwritten[number];
    if (number >= ROW_ZERO) return;
    w->hazards.any_unwritten = true;
    to->lanes = (to->from == FROM_LOCAL ? to->lanes : 0) | 1u << lane;
    to->loader = u->detail->index;
    to->address = address;
    to->from = FROM_LOCAL;
    w->hazards.unset[number][lane] =
        u->detail->width < 4 ? (1u << 8 * u->detail->width) - 1 : UINT32_MAX;
}
