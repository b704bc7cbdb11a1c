// Finds two kinds of ordinary loads by which warps synchronise. Also marks strong loads that may
// poll or load data, and the WARPSYNCs of elect.sync.
//
// The first are polling loads of shared memory, as in `while (!flag);` with a volatile flag. A loop
// that repeatedly loads one address, and has no effect that other warps can observe, waits for one
// of them to store there.
//
// The second are loads that belong to an atomic. Some atomics have no instruction of their own: a
// loop loads a value, computes the new one, and executes a compare-and-swap, which fails if the
// loaded value is no longer there. A load that only decides whether an atomic is needed belongs to
// it, too, because the atomic loads again: `if (v > *most) atomicMax(most, v)`.
#include "isa/cubin.h"
#include "observed.h"

enum { LONGEST = 48 }; // maximal length of a polling loop in instructions, without its branch
// a first load that was peeled off the loop is at most this many instructions before the loop
enum { BEFORE = 24 };

// State of a cell (register or predicate) at one point of the loop's body. NOT_YET: not written
// since the body began; FIXED: the same value in every iteration; VARIES: possibly other values.
enum { NOT_YET, FIXED, VARIES };

static bool is_call_of(const struct detail *d, uint32_t target) {
    return !d->unknown && d->instruction.form->opcode == SASS_CALL && d->target &&
           d->target == target && d->instruction.operand[SASS_A].kind != SASS_REGISTER;
}

// Returns true if the instruction has an effect that other warps can observe, or cannot belong to a
// simple polling loop.
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
        return d->index != last && d->target <= d->index; // a second back edge
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

// Returns FIXED if a cell has one value here in every iteration, otherwise VARIES.
static int state_of(const uint8_t *state, const bool *written, uint16_t cell) {
    if (!written[cell]) return FIXED;
    return state[cell] == NOT_YET ? VARIES : state[cell];
}

// Marks the loads by which the loop from instruction `first` to the backward branch `last` may
// poll, and loads of the same addresses shortly before the loop.
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
        for (int k = 0; k < d->cells.in_count; k++)
            varies |= state_of(state, written, d->cells.in[k]) == VARIES;
        if ((opcode == SASS_LDG || opcode == SASS_LD) && sass_is_strong(&d->instruction)) {
            d->waits = true;
            for (uint32_t back = 1; back <= BEFORE && back <= first; back++) {
                struct detail *peeled = &p->detail[first - back];
                if (!peeled->unknown && peeled->instruction.form->opcode == opcode &&
                    same_place(d, peeled))
                    peeled->waits = true;
            }
        }
        if (opcode == SASS_LDS && !varies && !d->spins) {
            d->spins = ACCESS_POLL;
            p->synchronizes = true;
            for (uint32_t back = 1; back <= BEFORE && back <= first; back++) {
                struct detail *peeled = &p->detail[first - back];
                if (peeled->unknown || peeled->instruction.form->opcode != SASS_LDS ||
                    !same_place(d, peeled))
                    continue;
                if (!peeled->spins) peeled->spins = ACCESS_POLL;
            }
        }
        for (int k = 0; k < d->cells.out_count; k++)
            state[d->cells.out[k]] = sass_facts[opcode].load || varies ? VARIES : FIXED;
    }
}

// Marks the load if it belongs to the code for mbarrier.test_wait before sm_90: it loads the
// mbarrier's upper word, and a LOP3 tests this word's top bit, the parity.
static void mark_parity(struct program *p, uint32_t load) {
    enum { BEHIND = 4 };
    const int64_t top = (int64_t)1 << 31;
    for (uint32_t i = load + 1; i < p->count && i <= load + BEHIND; i++) {
        const struct detail *d = &p->detail[i];
        if (d->unknown || d->instruction.form->opcode != SASS_LOP3) continue;
        const struct sass_operand *o = d->instruction.operand;
        if (o[SASS_D].number != SASS_RZ || o[SASS_B].kind != SASS_INTEGER ||
            (o[SASS_B].value & 0xffffffff) != top)
            continue;
        p->detail[load].spins = ACCESS_POLL;
        return;
    }
}

// Replaces register *number by the register that it was copied from, shortly before instruction
// `at`. Adds to *offset the number that the copy added. Unoptimised code copies the address of a
// variable on the stack for each access.
static void find_root(const struct program *p, uint32_t at, int *number, int64_t *offset) {
    enum { COPIES = 32 };
    const int copy = *number;
    for (uint32_t i = at; i-- > 0 && i + COPIES > at && *number == copy;) {
        const struct detail *d = &p->detail[i];
        bool writes = false;
        for (int k = 0; k < d->cells.out_count; k++) writes |= d->cells.out[k] == *number;
        if (d->unknown || !writes) continue;
        const struct sass_operand *o = d->instruction.operand;
        const enum sass_opcode opcode = d->instruction.form->opcode;
        const bool adds = opcode == SASS_IADD3 && o[SASS_A].kind == SASS_REGISTER &&
                          (o[SASS_B].kind == SASS_INTEGER || o[SASS_B].number == SASS_RZ);
        if (opcode != SASS_MOV && opcode != SASS_MOV_64 && !adds) return;
        if (o[SASS_D].number != *number || (!adds && o[SASS_B].kind != SASS_REGISTER)) return;
        if (adds && o[SASS_B].kind == SASS_INTEGER) *offset += o[SASS_B].value;
        *number = o[adds ? SASS_A : SASS_B].number;
    }
}

// Returns the uniform register from which the instruction copies to register `number`; SASS_URZ if
// it does something else.
static int uniform_source(const struct detail *d, int number) {
    const struct sass_operand *o = d->instruction.operand;
    const enum sass_opcode opcode = d->instruction.form->opcode;
    const bool adds_zeros = opcode == SASS_IMAD && o[SASS_A].number == SASS_RZ &&
                            o[SASS_B].kind == SASS_REGISTER && o[SASS_B].number == SASS_RZ;
    const struct sass_operand *from = &o[adds_zeros ? SASS_C : SASS_B];
    if (o[SASS_D].number != number || from->kind != SASS_UNIFORM_REGISTER) return SASS_URZ;
    return opcode == SASS_MOV || adds_zeros ? from->number : SASS_URZ;
}

// Returns true if a load has the address of an atomic, in the same registers. On sm_75 the load may
// have it in uniform registers, which are copied for the atomic shortly before.
static bool same_address(const struct program *p, const struct detail *load,
                         const struct detail *atomic) {
    enum { COPIED = 16 };
    const struct sass_operand *from = &load->instruction.operand[SASS_M],
                              *at = &atomic->instruction.operand[SASS_M];
    for (uint32_t back = 1; back <= COPIED && back <= atomic->index; back++) {
        const struct detail *d = &p->detail[atomic->index - back];
        if (d->unknown || d == load) break;
        for (int k = 0; k < d->cells.out_count; k++) {
            const int uniform =
                d->cells.out[k] == at->number ? uniform_source(d, at->number) : SASS_URZ;
            if (uniform != SASS_URZ)
                return from->number == SASS_RZ && from->uniform == uniform &&
                       from->value == at->value;
        }
    }
    return same_place(load, atomic);
}

// Returns the store to the word of the stack that a generic load reads, if it is shortly before the
// load; otherwise UINT32_MAX.
static uint32_t filling_store(const struct program *p, uint32_t load) {
    enum { BEFORE_LOAD = 96 };
    const struct sass_operand *from = &p->detail[load].instruction.operand[SASS_M];
    int root = from->number;
    int64_t offset = from->value;
    if (p->detail[load].instruction.form->opcode != SASS_LD || !from->has_base) return UINT32_MAX;
    find_root(p, load, &root, &offset);
    for (uint32_t i = load; i-- > 0 && i + BEFORE_LOAD > load;) {
        const struct detail *d = &p->detail[i];
        const struct sass_operand *to = &d->instruction.operand[SASS_M];
        if (d->unknown || d->instruction.form->opcode != SASS_ST || !to->has_base) continue;
        int number = to->number;
        int64_t at = to->value;
        find_root(p, i, &number, &at);
        if (number == root && at == offset) return i;
    }
    return UINT32_MAX;
}

// Marks the load that belongs to a compare-and-swap: it loads from the same address, or it loads
// the value that is compared. In unoptimised code that value may pass through moves, variables on
// the stack, and called functions (up to `callers` levels). A 16-bit atomic loads its half first,
// then the word that contains the half.
static void mark_spin(struct program *p, const struct detail *cas, uint32_t from, uint8_t compared,
                      int callers) {
    enum { MOVES = 256, PLACE = 64 };
    const struct sass_operand *at = &cas->instruction.operand[SASS_M];
    // register with the half's address, from which a LOP3 makes the word's; -1 if unknown
    int whole = -1;
    bool kept = true, first = true;
    for (uint32_t i = from; i-- > 0 && i + MOVES > from;) {
        struct detail *load = &p->detail[i];
        for (uint32_t k = 0; load[1].called && callers && k < p->count; k++)
            if (is_call_of(&p->detail[k], i + 1)) mark_spin(p, cas, k, compared, callers - 1);
        if (load[1].called) return;
        if (load->unknown) continue;
        const bool makes = kept && load->cells.out_count && load->cells.out[0] == compared;
        const struct sass_operand *o = load->instruction.operand;
        const bool near = from == cas->index && i + PLACE >= from, half = load->width < cas->width;
        const bool same = near && (same_address(p, load, cas) ||
                                   (half && o[SASS_M].has_base && o[SASS_M].number == whole));
        const bool rounds =
            load->instruction.form->opcode == SASS_LOP3 && o[SASS_A].kind == SASS_REGISTER;
        if (near && whole < 0 && rounds && at->has_base && o[SASS_D].number == at->number)
            whole = o[SASS_A].number;
        const enum sass_opcode opcode = load->instruction.form->opcode;
        if (makes && (opcode == SASS_MOV || opcode == SASS_MOV_64))
            compared = load->instruction.operand[SASS_B].number;
        else
            kept &= !makes;
        if (!sass_facts_of(&load->instruction)->load || !(makes || same)) continue;
        const uint32_t store = makes && !same ? filling_store(p, i) : UINT32_MAX;
        if (store != UINT32_MAX) {
            compared = p->detail[store].instruction.operand[SASS_B].number;
            kept = true;
            i = store;
            continue;
        }
        if (!sass_is_strong(&load->instruction) && (first || half)) load->spins = ACCESS_SPIN;
        if (!same) return;
        first = false;
    }
}

// Marks a load shortly before atomic `d` on its address: `if (v > *most) atomicMax(most, v)`.
static void mark_look(const struct program *p, const struct detail *d) {
    enum { BEHIND = 64 };
    const struct sass_operand *o = &d->instruction.operand[SASS_M];
    for (uint32_t back = 1; back <= BEHIND && back <= d->index; back++) {
        struct detail *load = &p->detail[d->index - back];
        if (load->unknown) return;
        if (sass_facts_of(&load->instruction)->load && same_address(p, load, d)) {
            if (!load->spins) load->looks = true, load->spins = ACCESS_SPIN;
            return;
        }
        for (int k = 0; k < load->cells.out_count; k++)
            if (o->has_base && load->cells.out[k] == o->number) return;
    }
}

// Returns true if a load's value is data and not a flag: the instructions after it store the value,
// but use it for no predicate, address or uniform register.
static bool is_data(const struct program *p, uint32_t load) {
    enum { BEHIND = 256 };
    bool holds[CELLS] = {false}, stored = false;
    for (int k = 0; k < p->detail[load].cells.out_count; k++)
        holds[p->detail[load].cells.out[k]] = true;
    for (uint32_t i = load + 1; i < p->count && i < load + BEHIND; i++) {
        const struct detail *d = &p->detail[i];
        bool takes = false, is_value = true;
        if (d->unknown) return false;
        for (int k = 0; k < d->cells.in_count; k++) {
            if (!holds[d->cells.in[k]]) continue;
            takes = true;
            is_value &= d->cells.read[k].role == SASS_B;
        }
        const struct sass_facts *facts = sass_facts_of(&d->instruction);
        const bool computes =
            d->cells.out_count && !facts->memory && !(p->code[i].flags & UOP_CONTROL);
        if (takes && facts->memory && !is_value) return false;
        if (takes && !facts->memory && !computes) return false;
        stored |= takes && facts->memory;
        for (int k = 0; k < d->cells.out_count; k++) {
            const uint16_t cell = d->cells.out[k];
            if (takes && !facts->memory && cell >= CELL_UNIFORM) return false;
            if (takes || sass_always(&d->instruction)) holds[cell] = takes && !facts->memory;
        }
        if (d->instruction.form->opcode == SASS_EXIT && sass_always(&d->instruction)) break;
    }
    return stored;
}

// Returns true if the instruction is in a function that returns. Code for a debugger (-G) has such
// functions, and may call them in a loop.
static bool is_in_function(const struct program *p, uint32_t i) {
    for (; i < p->count; i++) {
        const struct sass_instruction *in = &p->detail[i].instruction;
        if (!in->form || (in->form->opcode == SASS_EXIT && sass_always(in))) return false;
        if (in->form->opcode == SASS_RET) return true;
    }
    return false;
}

// Marks the WARPSYNCs of elect.sync, which ptxas translates to a WARPSYNC and an ELECT. The
// WARPSYNC of a preceding __syncwarp() has another source line.
static void find_elections(struct program *p) {
    enum { NEAR = 2 };
    for (uint32_t i = 0; i < p->count; i++) {
        const struct sass_instruction *in = &p->detail[i].instruction;
        if (!in->form || in->form->opcode != SASS_ELECT) continue;
        const struct sass_line *line = cubin_line(p->kernel, i * SASS_BYTES);
        for (uint32_t k = i; line && k-- > 0 && i - k <= NEAR;) {
            struct detail *d = &p->detail[k];
            const struct sass_line *own = cubin_line(p->kernel, k * SASS_BYTES);
            if (!d->instruction.form || d->instruction.form->opcode != SASS_WARPSYNC) continue;
            d->elects = own && own->line == line->line && own->file == line->file;
        }
    }
}

// Marks the loads by which code for chips before sm_90 waits for an mbarrier in a called function.
// They are the function's only LDS, because functions use generic addresses for data.
static void find_waits(struct program *p) {
    bool arrives = false;
    for (uint32_t i = 0; i < p->count; i++)
        arrives |=
            !p->detail[i].unknown && p->detail[i].instruction.form->opcode == SASS_ATOMS_ARRIVE;
    for (uint32_t i = 0; arrives && i < p->count; i++) {
        struct detail *d = &p->detail[i];
        if (!d->unknown && d->instruction.form->opcode == SASS_LDS && is_in_function(p, i))
            d->spins = ACCESS_POLL;
    }
}

void program_find_polls(struct program *p) {
    find_elections(p);
    find_waits(p);
    enum { CALLERS = 4 };
    for (uint32_t i = 0; i < p->count; i++)
        if (is_call_of(&p->detail[i], p->detail[i].target))
            p->detail[p->detail[i].target].called = true;
    bool has_words = false;
    for (uint32_t i = 0; i < p->count; i++)
        has_words |=
            !p->detail[i].unknown && p->detail[i].instruction.form->opcode == SASS_ATOMS_ARRIVE;
    for (uint32_t i = 0; i < p->count; i++) {
        struct detail *d = &p->detail[i];
        if (d->unknown) continue;
        if (sass_facts_of(&d->instruction)->load && sass_is_strong(&d->instruction)) {
            d->data = is_data(p, i);
            d->waits |= is_in_function(p, i);
        }
        switch (d->instruction.form->opcode) {
        case SASS_LDS:
            if (has_words && !d->spins && d->width == 4) mark_parity(p, i);
            break;
        case SASS_BRA:
            if (d->target < i && i - d->target <= LONGEST) look_at_loop(p, d->target, i);
            break;
        case SASS_ATOM_CAS:
        case SASS_ATOMG_CAS:
        case SASS_ATOMS_CAS:
            mark_spin(p, d, i, d->instruction.operand[SASS_B].number, CALLERS);
            break;
        case SASS_ATOM:
        case SASS_ATOMG:
        case SASS_ATOMS:
        case SASS_RED:
        case SASS_REDG:
            if (p->synchronizes && !d->unsigned32) mark_look(p, d); // `unsigned32`: float atomic
            break;
        default:
            break;
        }
    }
}
