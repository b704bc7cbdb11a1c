// Decides which instructions may be swapped, and applies random moves.
#include "moves.h"
#include "base/random.h"
#include "isa/banks.h"
#include "isa/codec.h"
#include "isa/touches.h"

#include "isa/chip.h"
#include "isa/encoding.h"
#include "lint/flow.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 16, MOST_WAY = 48 };

// --- rules for swaps -----------------------------------------------------------------------------

static bool is_memory(const struct sass_instruction *in) {
    return in->form->pipe == SASS_PIPE_LSU;
}

// Returns true if the rules of moves.h cover the instruction. Any other one stays, and nothing
// passes it.
static bool is_known(const struct sass_instruction *in) {
    switch (in->form->opcode) {
    case SASS_CS2R:
        return flow_is_zero(in);
    case SASS_NOP:
    case SASS_LDS:
    case SASS_STS:
    case SASS_LDG:
    case SASS_STG:
    case SASS_LDC:
    case SASS_LDGSTS:
    case SASS_LDGDEPBAR:
        return !sass_is_strong(in);
    case SASS_S2UR:
    case SASS_R2UR:
        return false;
    default:
        return in->form->pipe <= SASS_PIPE_XU || in->form->pipe == SASS_PIPE_UNIFORM;
    }
}

static bool overlap(const struct sass_touch *a, const struct sass_touch *b) {
    if (a->uniform != b->uniform || a->predicate != b->predicate) return false;
    if (!a->write && !b->write) return false;
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

static bool share_registers(const struct sass_instruction *a, const struct sass_instruction *b) {
    struct sass_touch x[SASS_MAX_TOUCHES], y[SASS_MAX_TOUCHES];
    const int m = sass_touches(a, x), n = sass_touches(b, y);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            if (overlap(&x[i], &y[j])) return true;
        }
    }
    return false;
}

static unsigned scoreboards(const struct sass_instruction *in) {
    const struct sass_control *c = &in->control;
    return (c->write_barrier < SASS_SCOREBOARDS ? 1U << c->write_barrier : 0) |
           (c->read_barrier < SASS_SCOREBOARDS ? 1U << c->read_barrier : 0);
}

static bool in_order(const struct sass_instruction *a, const struct sass_instruction *b) {
    const bool slow = a->form->pipe == SASS_PIPE_XU && b->form->pipe == SASS_PIPE_XU;
    return slow || (is_memory(a) && is_memory(b));
}

bool moves_may_swap(const struct sass_instruction *first, const struct sass_instruction *second) {
    return is_known(first) && is_known(second) && !first->control.wait &&
           !(scoreboards(first) & second->control.wait) && !in_order(first, second) &&
           !share_registers(first, second);
}

// --- random moves --------------------------------------------------------------------------------

static int below(uint64_t *random, int end) {
    return (int)(random_next(random) % (uint64_t)end);
}

// Moves the instruction at `at` by up to `way` positions, as far as the rules allow. Returns its
// new index.
static int walk(struct moves *m, int at, int way) {
    const int by = way < 0 ? -1 : 1;
    for (; way; way -= by, at += by) {
        const int one = by > 0 ? at : at - 1;
        if (one < m->first || one + 1 >= m->end || m->target[one + 1]) break;
        if (!moves_may_swap(&m->code[one], &m->code[one + 1])) break;
        const struct sass_instruction kept = m->code[one];
        m->code[one] = m->code[one + 1];
        m->code[one + 1] = kept;
    }
    return at;
}

static bool alike(const struct sass_instruction *a, const struct sass_instruction *b) {
    return a->form->opcode == b->form->opcode && a->modifiers.size == b->modifiers.size;
}

// Draws an instruction and moves it by a drawn distance, together with others of its kind (opcode
// and size) at equal steps. A likely unroll factor is drawn, too: 1, 2, 4, 8 or 16 instructions
// move. Only one moves if it is an FFMA or DFMA, or if the factor does not divide their number.
static bool draw_places(struct moves *m, uint64_t *random, char *name, size_t size) {
    int chosen = m->first + below(random, m->end - m->first);
    if (random_next(random) & 3) { // mostly moves an instruction other than an FFMA or DFMA
        for (int i = chosen; i < m->end && flow_is_fused(&m->code[chosen]); i++) chosen = i;
    }
    const struct sass_instruction kind = m->code[chosen];
    int total = 0, before = 0, moved = 0;
    for (int i = m->first; i < m->end; i++) {
        before += i < chosen && alike(&m->code[i], &kind);
        total += alike(&m->code[i], &kind);
    }
    const bool many = flow_is_fused(&kind);
    const int parts = many ? 1 : 1 << below(random, 5),
              stride = total % parts ? total : total / parts;
    const int far = 1 + below(random, many ? 4 : MOST_WAY),
              way = random_next(random) & 1 ? far : -far;
    int at[MOST_PARTS], count = 0;
    for (int i = m->first, n = 0; i < m->end; i++) {
        if (!alike(&m->code[i], &kind)) continue;
        if (n++ % stride == before % stride && count < MOST_PARTS) at[count++] = i;
    }
    for (int k = 0; k < count; k++) {
        // the foremost in the direction of the move goes first, so that it is in nobody's way
        const int which = way > 0 ? count - 1 - k : k;
        moved += walk(m, at[which], way) != at[which];
    }
    snprintf(name, size, "%d of %d %s by %d", moved, total, sass_opcode_name(kind.form->opcode),
             way);
    return moved > 0 && is_known(&kind);
}

static bool draw_stall(struct moves *m, uint64_t *random, char *name, size_t size) {
    const int at = m->first + below(random, m->end - m->first);
    struct sass_control *c = &m->code[at].control;
    const bool more = random_next(random) & 1;
    if (!is_known(&m->code[at]) || c->stall < (more ? 1 : 2) || c->stall + more > 11) return false;
    c->stall = (uint8_t)(more ? c->stall + 1 : c->stall - 1);
    snprintf(name, size, "stall of %s at 0x%x %d", sass_opcode_name(m->code[at].form->opcode),
             at * SASS_BYTES, c->stall);
    return true;
}

static bool draw_yield(struct moves *m, uint64_t *random, char *name, size_t size) {
    const int at = m->first + below(random, m->end - m->first);
    struct sass_control *c = &m->code[at].control;
    if (!is_known(&m->code[at]) || c->stall == 0 || c->stall > 11) return false;
    c->yield = !c->yield;
    snprintf(name, size, "bit 109 of %s at 0x%x %d", sass_opcode_name(m->code[at].form->opcode),
             at * SASS_BYTES, c->yield);
    return true;
}

// Swaps the factors of an instruction: a * b + c equals b * a + c bit by bit.
static bool draw_operands(struct moves *m, uint64_t *random, char *name, size_t size) {
    const int at = m->first + below(random, m->end - m->first);
    struct sass_instruction *in = &m->code[at];
    if (!flow_is_fused(in)) return false;
    const struct sass_operand a = in->operand[SASS_A];
    in->operand[SASS_A] = in->operand[SASS_B];
    in->operand[SASS_B] = a;
    snprintf(name, size, "A and B of %s at 0x%x", sass_opcode_name(in->form->opcode),
             at * SASS_BYTES);
    return true;
}

// Updates the reuse flags after a move. Clears each flag whose register no later instruction finds
// in the reuse cache, because sass lint reports such flags. Sets a flag on each factor of an FFMA
// or DFMA that a later instruction finds there.
static void set_flags(struct moves *m) {
    for (int i = m->first; i < m->end; i++) {
        struct sass_instruction *in = &m->code[i];
        for (int role = SASS_A; role <= SASS_C; role++) {
            struct sass_operand *o = &in->operand[role];
            if (o->kind != SASS_REGISTER) continue;
            const bool found = sass_next_reader(m->code, i, m->end, role) < m->end;
            if (o->reuse || flow_is_fused(in)) o->reuse = found && (o->reuse || role != SASS_C);
            const unsigned bit = 1U << (role - SASS_A);
            in->control.reuse = (uint8_t)((in->control.reuse & ~bit) | (o->reuse ? bit : 0));
        }
    }
}

bool moves_draw(struct moves *m, uint64_t *random, char *name, size_t size) {
    const int which = below(random, 16);
    const bool drawn = which == 0   ? draw_stall(m, random, name, size)
                       : which == 1 ? draw_yield(m, random, name, size)
                       : which == 2 ? draw_operands(m, random, name, size)
                                    : draw_places(m, random, name, size);
    if (drawn) set_flags(m);
    return drawn;
}

// --- the kernel ----------------------------------------------------------------------------------

// Returns true for a branch that tune cannot follow: a BRX, RET or CALL. A call out of the kernel
// is an exception: it returns to the address that an LEPC took.
static bool goes_anywhere(const struct sass_instruction *in) {
    const enum sass_opcode code = in->form->opcode;
    return code == SASS_BRX || code == SASS_RET || (code == SASS_CALL && !flow_calls_out(in));
}

static bool decode(struct moves *m, struct error *error) {
    for (int i = 0; i < m->count; i++) {
        struct error why = {0};
        const unsigned at = (unsigned)i * SASS_BYTES;
        if (!sass_decode(cubin_word(m->kernel, (size_t)i), at, &m->code[i], &why)) {
            return error_fail(error, "tune does not know the instruction at 0x%x: %s", at,
                              why.message);
        }
        if (goes_anywhere(&m->code[i])) {
            return error_fail(error, "tune cannot tell where the %s at 0x%x goes",
                              m->code[i].form->mnemonic, at);
        }
    }
    for (int i = 0; i < m->count; i++) {
        const int64_t to = m->code[i].operand[SASS_T].value / SASS_BYTES;
        if (sass_has_target(&m->code[i]) && to >= 0 && to < m->count) m->target[to] = true;
    }
    return true;
}

// Returns the start of the loop that the back edge at `i` closes; -1 if `i` is no back edge.
static int loop_of(const struct moves *m, int i) {
    const int64_t to = m->code[i].operand[SASS_T].value / SASS_BYTES;
    const bool closes = m->code[i].form->opcode == SASS_BRA && to <= i &&
                        sass_closes_loop(m->code, (size_t)m->count, (size_t)i);
    return closes ? (int)to : -1;
}

static bool find_loop(struct moves *m, const uint64_t *issued) {
    uint64_t most = 0;
    for (int i = 0; i < m->count; i++) {
        const int to = loop_of(m, i);
        bool innermost = to >= 0;
        for (int k = to; innermost && k < i; k++) innermost = loop_of(m, k) < 0;
        if (!innermost) continue;
        uint64_t weight = 0;
        for (int k = to; k < i; k++) weight += issued[k];
        if (weight <= most) continue;
        most = weight;
        m->first = to;
        m->end = i;
    }
    return most > 0;
}

bool moves_open(struct moves *m, const struct sass_kernel *kernel, struct error *error) {
    *m = (struct moves){.kernel = kernel, .count = (int)kernel->count};
    m->code = calloc(kernel->count + 1, sizeof *m->code);
    m->target = calloc(kernel->count + 1, sizeof *m->target);
    if (!m->code || !m->target) return error_fail(error, "not enough host memory");
    if (!kernel->chip->knows_banks || kernel->relocated) {
        return error_fail(error, "expected linked code of sm_90, this is %s %s",
                          kernel->relocated ? "unlinked, of" : "of", kernel->chip->name);
    }
    return decode(m, error);
}

bool moves_choose(struct moves *m, const uint64_t *issued, struct error *error) {
    return find_loop(m, issued) ||
           error_fail(error, "the launch runs no loop in which instructions could be swapped");
}

void moves_close(struct moves *m) {
    free(m->code);
    free(m->target);
}

bool moves_store(struct moves *m, struct error *error) {
    for (int i = m->first; i < m->end; i++) {
        struct sass_word word;
        if (!sass_encode(&m->code[i], (uint64_t)i * SASS_BYTES, &word, error)) return false;
        cubin_store(word, m->kernel->code + (size_t)i * SASS_BYTES);
    }
    return true;
}
