// Analyses a kernel's control flow for the checks. Finds words of wide loads that are never read,
// so that they cannot race, and cells (registers or predicates) that may be read before a write.
//
// The targets of BRX, RET and indirect CALLs are unknown, so code that only they reach is not
// examined for such cells. A loaded word counts as read if a BRX, RET or any CALL may follow.
#include "machine.h"
#include "successors.h"

#include <stdlib.h>

enum { FAR = 4096 }; // most instructions that are searched for a read of a loaded word

static bool always(const struct program *p, uint32_t i) {
    return p->code[i].guard == PREDICATE_TRUE && !p->code[i].guard_negate;
}

struct successors successors_of(const struct program *p, uint32_t i) {
    const struct detail *d = &p->detail[i];
    struct successors next = {.count = 0};
    bool ends = false;
    if (i >= p->count || d->unknown) return next;
    switch (d->instruction.form->opcode) {
    case SASS_BRA:
        ends = d->pp == PREDICATE_TRUE && !d->pp_flip && d->pq == PREDICATE_TRUE && d->shift == 0;
        next.to[next.count++] = d->target;
        break;
    case SASS_WARPSYNC:
        if (d->instruction.operand[SASS_T].kind == SASS_TARGET) next.to[next.count++] = d->target;
        break;
    case SASS_CALL:
        next.unknown = true;
        if (d->target && d->instruction.operand[SASS_A].kind != SASS_REGISTER)
            next.to[next.count++] = d->target;
        break;
    case SASS_RET:
    case SASS_BRX:
        ends = next.unknown = true;
        break;
    case SASS_EXIT:
        ends = d->pp == PREDICATE_TRUE && !d->pp_flip;
        break;
    default:
        break;
    }
    if (!ends || !always(p, i)) next.to[next.count++] = i + 1;
    return next;
}

static bool has_cell(const uint16_t *cells, int count, uint32_t number) {
    for (int k = 0; k < count; k++)
        if (cells[k] == number) return true;
    return false;
}

// Returns true if a path from instruction `from` may read cell `number` before writing it, or if
// the search gives up. Sets seen[i] to `mark` for the visited instructions; each call needs a new
// mark.
static bool is_read_from(const struct program *p, uint32_t from, uint32_t number, uint32_t *seen,
                         uint32_t mark) {
    uint32_t stack[64], depth = 0, steps = 0;
    for (uint32_t i = from;;) {
        bool over = i >= p->count || seen[i] == mark;
        if (!over) {
            const struct uop_cells *c = &p->detail[i].cells;
            seen[i] = mark;
            if (has_cell(c->in, c->in_count, number) || p->detail[i].unknown || ++steps > FAR)
                return true;
            over = always(p, i) && has_cell(c->out, c->out_count, number);
        }
        const struct successors next = over ? (struct successors){.count = 0} : successors_of(p, i);
        if (next.unknown) return true;
        for (int k = 0; k < next.count; k++) {
            if (depth == sizeof stack / sizeof *stack) return true;
            stack[depth++] = next.to[k];
        }
        if (depth == 0) return false;
        i = stack[--depth];
    }
}

enum { COPY_SOON = 16 }; // instructions after a load that are searched for its copying store

// Returns the first instruction after the load that reads register `number`, if it is a generic
// store of this register with at least `width` bytes. Otherwise returns UINT32_MAX.
static uint32_t copying_store(const struct program *p, uint32_t load, uint32_t number, int width) {
    for (uint32_t i = load + 1; i < p->count && i < load + COPY_SOON; i++) {
        const struct detail *d = &p->detail[i];
        const bool stores =
            !d->unknown && d->instruction.form->opcode == SASS_ST && d->width >= width;
        for (int k = 0; k < d->cells.in_count; k++)
            if (d->cells.in[k] == number)
                return stores && d->cells.read[k].role == SASS_B ? i : UINT32_MAX;
    }
    return UINT32_MAX;
}

static bool is_generic_load(const struct program *p, uint32_t i) {
    const struct detail *d = &p->detail[i];
    return !d->unknown && d->instruction.form->opcode == SASS_LD && p->code[i].d < ROW_ZERO &&
           !sass_is_strong(&d->instruction);
}

// Returns true if the load is one of several 4-byte loads that all come before the stores of their
// results. Unoptimised code copies a structure in this way if it is not aligned for a wide load.
static bool is_copied_in_pieces(const struct program *p, uint32_t load) {
    const uint32_t store = copying_store(p, load, p->code[load].d, 4),
                   first = load > COPY_SOON ? load - COPY_SOON : 0;
    for (uint32_t i = first; store != UINT32_MAX && i < store; i++) {
        if (i == load || !is_generic_load(p, i) || p->detail[i].width != 4) continue;
        const uint32_t other = copying_store(p, i, p->code[i].d, 4);
        if (other != UINT32_MAX && other > load && i < store) return true;
    }
    return false;
}

// Marks the words of wide loads that no instruction reads, and the words of generic loads that are
// only copied to the stack. checks/races.c checks a copied word when its copy is read.
static void find_unread(struct program *p, uint32_t *seen) {
    uint32_t mark = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        struct detail *d = &p->detail[i];
        if (d->unknown || !sass_facts_of(&d->instruction)->load || p->code[i].d >= ROW_ZERO)
            continue;
        const bool generic = is_generic_load(p, i);
        if (generic && d->width == 4) d->copied = is_copied_in_pieces(p, i);
        if (d->width < 8 || d->width > 16) continue;
        for (int k = 0; k < d->width / 4; k++)
            if (!is_read_from(p, i + 1, p->code[i].d + (uint32_t)k, seen, ++mark))
                d->unread |= (uint8_t)(1u << k);
        for (int k = 0; generic && k < d->width / 4; k++)
            if (copying_store(p, i, p->code[i].d + (uint32_t)k, 8) != UINT32_MAX)
                d->copied |= (uint8_t)(1u << k);
        // if no word is read, the load is checked like other loads
        if (d->unread == (1u << d->width / 4) - 1) d->unread = 0;
    }
}

struct set {
    uint64_t word[CELL_WORDS];
};

// Returns `set` (the cells written on every path to i) plus the cells that i always writes.
static struct set with_written(const struct program *p, uint32_t i, struct set set) {
    const struct uop_cells *c = &p->detail[i].cells;
    for (int k = 0; always(p, i) && k < c->out_count; k++)
        set.word[c->out[k] / 64] |= (uint64_t)1 << c->out[k] % 64;
    return set;
}

// Sets before[i], for each reachable instruction i, to the cells that every path to i writes.
static void find_written(const struct program *p, struct set *before, uint32_t *list,
                         bool *listed) {
    uint32_t count = 0;
    memset(before, 0xff, p->count * sizeof *before);
    before[0] = (struct set){{0}};
    for (list[count++] = 0; count;) {
        const uint32_t i = list[--count];
        const struct set set = with_written(p, i, before[i]);
        const struct successors next = successors_of(p, i);
        listed[i] = false;
        for (int n = 0; n < next.count; n++) {
            const uint32_t to = next.to[n];
            bool less = false;
            for (int k = 0; to < p->count && k < CELL_WORDS; k++) {
                less |= (before[to].word[k] & ~set.word[k]) != 0;
                before[to].word[k] &= set.word[k];
            }
            if (less && !listed[to]) listed[list[count++] = to] = true;
        }
    }
}

bool program_follow(struct program *p) {
    uint32_t *words = calloc((size_t)p->count + 1, sizeof *words);
    struct set *before = calloc((size_t)p->count + 1, sizeof *before);
    bool *listed = calloc((size_t)p->count + 1, sizeof *listed);
    const bool done = words && before && listed;
    if (done) {
        find_unread(p, words);
        if (p->count) find_written(p, before, words, listed);
    }
    for (uint32_t i = 0; done && i < p->count; i++) {
        const struct uop_cells *c = &p->detail[i].cells;
        if (p->detail[i].unknown || p->detail[i].instruction.form->opcode == SASS_STL)
            continue; // an STL may be saving a caller's register, which may be undefined
        for (int k = 0; k < c->in_count; k++) {
            const uint32_t n = c->in[k];
            if (n < CELL_NONE && !(before[i].word[n / 64] >> n % 64 & 1))
                p->unset[n / 64] |= (uint64_t)1 << n % 64;
        }
    }
    free(words);
    free(before);
    free(listed);
    return done;
}
