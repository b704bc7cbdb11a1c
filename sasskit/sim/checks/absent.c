// Finds collective operations with a missing participant: shuffles that read an inactive lane,
// votes, reductions and matches without a lane of their mask, MMAs without a warp of the warpgroup.
//
// A shuffle must not read a lane that is inactive but has not exited, if the instruction (SHFL.IDX)
// or its mask names that lane. It may read other absent lanes (exited, not in the block, left out
// by the mask), because a program expects an arbitrary value from there. That value is undefined
// and must not be stored; hazards.c follows it from register to register.
// The mask is the operand of the preceding WARPSYNC or BRA.DIV. If there was none, ptxas has proved
// that the mask is the active lanes.
#include "checks.h"

void report_absent(struct warp *w, uint32_t index, int lane, int from) {
    checks_report(w, REPORT_LANE, index, lane, false, "asks lane %d for its value, which %s", from,
                  !(w->lanes >> from & 1)   ? "the block does not have"
                  : !(w->alive >> from & 1) ? "has exited"
                                            : "is not active here");
}

void absent_read(struct warp *w, const struct uop *u, int lane, int from) {
    const struct detail *m = u->detail;
    const uint32_t named = w->named_by == w->active ? w->named : w->active;
    if ((w->alive >> from & 1) && (m->instruction.modifiers.operation == 0 || named >> from & 1)) {
        report_absent(w, m->index, lane, from);
    } else if (u->d < ROW_ZERO) {
        struct unwritten *to = &w->hazards.unwritten[u->d];
        const uint32_t lanes = to->lanes | 1u << lane;
        if (!(to->lanes & w->active)) // inactive lanes stay undefined
            *to = (struct unwritten){
                .loader = m->index, .address = (uint64_t)from, .from = FROM_LANE};
        to->lanes = lanes;
        w->hazards.any_unwritten = true;
    }
}

void absent_from_vote(struct warp *w, const struct uop *u) {
    const uint32_t absent = w->named & w->alive & ~w->active;
    if (w->named_by == w->active && absent)
        checks_report(w, REPORT_LANE, u->detail->index, first_lane(w->active), false,
                      "names the lanes 0x%08x, of which 0x%08x are not active here", w->named,
                      absent);
}

void absent_from_mma(struct block *b) {
    const uint32_t warps = b->launch->warps;
    for (uint32_t first = 0; first < warps; first += 4) {
        struct warp *w = NULL, *other = NULL;
        for (uint32_t i = first; i < first + 4 && i < warps; i++)
            if (b->warp[i].mmas.sum) w = &b->warp[i];
        for (uint32_t i = first; w && i < first + 4 && i < warps; i++)
            if (b->warp[i].mmas.sum != w->mmas.sum) other = &b->warp[i];
        if (other && !other->mmas.sum)
            checks_report(w, REPORT_LANE, w->mmas.last, -1, false,
                          "executes an MMA of four warps, and warp %u of them never does",
                          other->index);
        else if (other)
            checks_report(w, REPORT_LANE, w->mmas.last, -1, false,
                          "executes an MMA of four warps, and warp %u of them executes another one",
                          other->index);
        else if (w && first + 4 > warps)
            checks_report(w, REPORT_LANE, w->mmas.last, -1, false,
                          "executes an MMA of four warps, and the block has only %u of them",
                          warps - first);
    }
}
