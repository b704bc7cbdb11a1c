// Loads of shared memory by which a warp waits for another: `while (!flag);` with a volatile flag. In the machine code they look like
// any other, so their loops tell: a loop that loads one place again and again, and does nothing that others could see, waits
// for somebody else to write there.
#include "observed.h"

enum { LONGEST = 48, BEFORE = 24 }; // instructions of such a loop; before it, where nvcc has peeled off the first load

enum { NOT_YET, FIXED, VARIES };

// What others could see, or what makes it more than a loop.
static bool does_more(const struct detail *d, uint32_t last) {
    if (d->unknown) return true;
    switch (d->instruction.form->opcode) {
    case SASS_YIELD:
    case SASS_NANOSLEEP:
    case SASS_BSSY:
    case SASS_BSYNC:
    case SASS_NOP:
    case SASS_MEMBAR:
    case SASS_WARPSYNC:
        return false;
    case SASS_BRA:
        return d->index != last && d->target <= d->index; // one way back, others out
    case SASS_BAR:
    case SASS_EXIT:
    case SASS_CALL:
    case SASS_RET:
    case SASS_BRX:
        return true;
    default:
        return sass_facts_of(&d->instruction)->memory && !sass_facts_of(&d->instruction)->load;
    }
}

// What is in a cell at this instruction of the loop: what was there before the loop, or other values each time.
static int state_of(const uint8_t *state, const bool *written, uint16_t cell) {
    if (!written[cell]) return FIXED;
    return state[cell] == NOT_YET ? VARIES : state[cell];
}

static void look_at_loop(struct program *p, uint32_t first, uint32_t last) {
    uint8_t state[CELLS] = {NOT_YET};
    bool written[CELLS] = {false};
    for (uint32_t i = first; i <= last; i++) {
        const struct detail *d = &p->detail[i];
        if (does_more(d, last)) return;
        for (int k = 0; k < d->cells.out_count; k++) written[d->cells.out[k]] = true;
    }
    for (uint32_t i = first; i <= last; i++) {
        struct detail *d = &p->detail[i];
        const enum sass_opcode opcode = d->instruction.form->opcode;
        bool varies = false;
        for (int k = 0; k < d->cells.in_count; k++) varies |= state_of(state, written, d->cells.in[k]) == VARIES;
        if (opcode == SASS_LDS && !varies && !d->spins) {
            d->spins = ACCESS_POLL;
            p->meets = true;
            for (uint32_t back = 1; back <= BEFORE && back <= first; back++) {
                struct detail *peeled = &p->detail[first - back];
                if (peeled->unknown || peeled->instruction.form->opcode != SASS_LDS || !same_place(d, peeled)) continue;
                if (!peeled->spins) peeled->spins = ACCESS_POLL;
            }
        }
        for (int k = 0; k < d->cells.out_count; k++)
            state[d->cells.out[k]] = sass_facts[opcode].load || varies ? VARIES : FIXED;
    }
}

void program_find_polls(struct program *p) {
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *d = &p->detail[i];
        if (d->unknown || d->instruction.form->opcode != SASS_BRA || d->target >= i || i - d->target > LONGEST)
            continue;
        look_at_loop(p, d->target, i);
    }
}
