// simrun, with a check of every instruction that runs: its function must write the registers that
// sass_touches() lists, and no others. Linked with --wrap=kernel_program and --wrap=program_close.
// At the end, the file $WRITTEN gets a line per destination that never changed, per instruction
// that wrote more, and per instruction that ran: "ran MNEMONIC".
//
// Before an instruction runs, its destinations get random values, unless it also reads them. A
// predicate may receive its random value again by chance, so only many lanes prove an omission.
#include "isa/codec.h"
#include "sim/machine/kernel.h"

#include <stdio.h>
#include <stdlib.h>

enum { ENOUGH = 40 }; // number of lanes from which an unchanged destination is reported

struct program *__real_kernel_program(const struct sim_kernel *kernel);
struct program *__wrap_kernel_program(const struct sim_kernel *kernel);
void __real_program_close(struct program *p);
void __wrap_program_close(struct program *p);

// One instruction's observations in all executions. The arrays have an element per destination.
struct watched {
    sim_execute *execute;
    uint64_t lanes[SASS_MAX_TOUCHES];   // lanes that had to write the destination, summed
    uint64_t changed[SASS_MAX_TOUCHES]; // number of executions that changed the destination
    bool strays;                        // true if it wrote anything else
};
static struct program *program;
static struct watched *watched;
static uint32_t state = 1;

static uint32_t next_random(void) { // xorshift32
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static bool is_also_read(const struct uop_cells *c, uint16_t cell) {
    for (int k = 0; k < c->in_count; k++)
        if (c->in[k] == cell) return true;
    return false;
}

// Returns the row (a value per lane) of a register, or NULL for a predicate.
static uint32_t *row_of(struct warp *w, uint16_t cell) {
    return cell < CELL_UNIFORM     ? w->row[cell]
           : cell < CELL_PREDICATE ? w->row[ROW_UNIFORM + cell - CELL_UNIFORM]
                                   : NULL;
}

static void run_watched(struct warp *w, const struct uop *u, uint32_t mask) {
    struct watched *x = &watched[u - program->code];
    const struct uop_cells *c = &u->detail->cells;
    const struct sass_form *form = u->detail->instruction.form;
    static uint32_t before[SASS_MAX_TOUCHES][LANES], rows[ROWS][LANES];
    const bool uniform = u->flags & UOP_UNIFORM,
               runs_on = form && (sass_runs_on(form) || form->opcode == SASS_WARPGROUP_DEPBAR);
    for (int k = 0; mask && k < c->out_count; k++) {
        uint32_t *row = row_of(w, c->out[k]);
        if (is_also_read(c, c->out[k])) continue;
        if (!row) {
            uint32_t *bits = &w->predicate[c->out[k] - CELL_PREDICATE];
            const uint32_t value = c->out[k] - CELL_PREDICATE >= PREDICATE_UNIFORM
                                       ? -(next_random() & 1)
                                       : next_random();
            *bits = (*bits & ~mask) | (value & mask);
            before[k][0] = *bits;
            continue;
        }
        const uint32_t value = next_random();
        EACH_LANE(l, uniform ? ALL_LANES : mask)
            row[l] = value ^ (c->out[k] < CELL_UNIFORM ? l : 0);
        memcpy(before[k], row, sizeof before[k]);
    }
    memcpy(rows, w->row, sizeof rows);
    x->execute(w, u, mask);
    for (int k = 0; mask && k < c->out_count; k++) {
        const uint32_t *row = row_of(w, c->out[k]);
        uint32_t changed = 0;
        if (is_also_read(c, c->out[k])) {
            x->changed[k]++;
            continue;
        }
        if (!row) changed = w->predicate[c->out[k] - CELL_PREDICATE] ^ before[k][0];
        for (uint32_t l = 0; row && l < LANES; l++)
            changed |= (uint32_t)(row[l] != before[k][l]) << l;
        x->lanes[k] +=
            !row && c->out[k] - CELL_PREDICATE >= PREDICATE_UNIFORM ? 1 : lanes_count(mask);
        x->changed[k] += (changed & mask) != 0;
        x->strays |= !uniform && row && c->out[k] < CELL_UNIFORM && (changed & ~mask) != 0;
    }
    for (uint32_t n = 0; n < ROW_ZERO && !runs_on; n++) {
        bool listed = false;
        for (int k = 0; k < c->out_count; k++) listed |= c->out[k] == n;
        x->strays |= !listed && memcmp(rows[n], w->row[n], sizeof rows[n]) != 0;
    }
    x->strays |= memcmp(w->row[ROW_ZERO], rows[ROW_ZERO], sizeof rows[ROW_ZERO]) != 0;
}

static void print_all(void) {
    static const char *const roles[] = {
        [SASS_D] = "D", [SASS_E] = "E", [SASS_PU] = "PU", [SASS_PV] = "PV"};
    FILE *file = getenv("WRITTEN") ? fopen(getenv("WRITTEN"), "a") : NULL;
    for (uint32_t i = 0; file && program && i < program->count; i++) {
        const struct detail *d = &program->detail[i];
        char text[SASS_MAX_TEXT];
        bool ran = false;
        if (d->unknown) continue;
        sass_print(&d->instruction, NULL, text, sizeof text);
        for (int k = 0; k < d->cells.out_count; k++) {
            const unsigned role = d->cells.written[k].role;
            ran |= watched[i].lanes[k] || watched[i].changed[k];
            if (watched[i].lanes[k] >= ENOUGH && !watched[i].changed[k])
                fprintf(file, "%s %s: `%s` of %s is not written\n", d->instruction.form->mnemonic,
                        role < sizeof roles / sizeof *roles && roles[role] ? roles[role] : "?",
                        text, program->kernel->name);
        }
        if (watched[i].strays)
            fprintf(file, "%s: `%s` of %s writes more than its destinations\n",
                    d->instruction.form->mnemonic, text, program->kernel->name);
        if (ran) fprintf(file, "ran %s\n", d->instruction.form->mnemonic);
    }
    if (file) fclose(file);
}

struct program *__wrap_kernel_program(const struct sim_kernel *kernel) {
    struct program *p = __real_kernel_program(kernel);
    if (!p || program) return p;
    program = p;
    watched = calloc((size_t)p->count + 1, sizeof *watched);
    if (!watched) abort();
    for (uint32_t i = 0; i < p->count; i++) {
        p->code[i].streak = 0; // no streaks: instructions run one at a time
        watched[i].execute = p->code[i].execute;
        p->code[i].execute = run_watched;
    }
    return p;
}

void __wrap_program_close(struct program *p) {
    if (p && p == program) print_all();
    __real_program_close(p);
}
