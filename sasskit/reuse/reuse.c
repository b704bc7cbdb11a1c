// Runs the chosen passes on one kernel, then proves and checks the result (sasskit/docs/reuse.md).
#include "reuse.h"
#include "base/columns.h"
#include "isa/banks.h"
#include "isa/codec.h"
#include "isa/touches.h"

#include "isa/chip.h"
#include "isa/encoding.h"
#include "lint/lint.h"
#include "rename.h"

#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    // an SM has four sub-partitions, which get warps in turn; each has its own scheduler and
    // registers
    QUARTERS = 4,
    QUARTER_REGISTERS = 16384, // number of 32-bit registers per sub-partition
    REGISTER_UNIT = 8,         // a thread's registers are allocated in units of this
    MOST_REGISTERS = 255,
    SPARE = 2, // ptxas's register count includes two above the highest in use
    BOTH_ORDERS = REUSE_ORDER | REUSE_PAIRS
};

unsigned reuse_passes(const char *list) {
    static const char *const names[] = {"banks", "order", "flags", "trim", "pairs"};
    unsigned passes = 0;
    while (*list) {
        const size_t length = strcspn(list, ",");
        unsigned found = 0;
        for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
            if (strlen(names[i]) == length && strncmp(names[i], list, length) == 0) found = 1U << i;
        }
        if (!found) return 0;
        passes |= found;
        list += length + (list[length] == ',' && list[length + 1] != 0);
        if (*list == ',') return 0;
    }
    return passes;
}

struct reuse_figures {
    int single, wide;  // numbers of FFMAs and of DFMAs
    int conflicts;     // cycles of waiting for a register bank, a part of `cycles`
    int cycles, flags; // cycles of issue; number of reuse flags
    int queue;         // like `cycles`, if each bank can queue one read (isa/banks.h)
    int reads;         // number of registers that FFMAs and DFMAs read from the register file
};

static struct reuse_figures measure(const struct sass_instruction *code, int first, int end) {
    struct sass_reuse_cache cache = {0};
    struct sass_bank_queue queue = {0};
    struct reuse_figures figures = {0};
    for (int i = first; i < end; i++) {
        int banks[2];
        sass_bank_reads(&code[i], &cache, banks);
        const int pipe = sass_pipe_cycles(&code[i]),
                  reads = banks[0] > banks[1] ? banks[0] : banks[1];
        figures.queue += sass_queue_cycles(&code[i], &queue);
        figures.reads += flow_is_fused(&code[i]) ? banks[0] + banks[1] : 0;
        figures.single += code[i].form->opcode == SASS_FFMA;
        figures.wide += code[i].form->opcode == SASS_DFMA;
        figures.cycles += reads > pipe ? reads : pipe;
        figures.conflicts += reads > pipe ? reads - pipe : 0;
        for (int role = SASS_A; role <= SASS_C; role++)
            figures.flags += code[i].operand[role].reuse;
    }
    return figures;
}

// Prints a report per loop with FFMAs or DFMAs, of the old code (`compiled`) and the new (`fresh`).
// A loop's last instruction has the same address in both.
static void report(FILE *out, const struct flow *flow, const struct sass_instruction *compiled,
                   const struct sass_instruction *fresh) {
    for (int i = 0; i < flow->count; i++) {
        const int64_t target = compiled[i].operand[SASS_T].value / SASS_BYTES;
        if (target >= i || !sass_closes_loop(compiled, (size_t)flow->count, (size_t)i)) continue;
        const int moved = (int)(fresh[i].operand[SASS_T].value / SASS_BYTES);
        const struct reuse_figures old = measure(compiled, (int)target, i + 1),
                                   new = measure(fresh, moved, i + 1);
        const int fused = old.single ? old.single : old.wide;
        const char *name = old.single ? "FFMA" : "DFMA";
        if (!fused) continue;
        columns_report(
            out,
            "%s: loop 0x%llx to 0x%llx:\n%d %s, bank-conflict cycles %d -> %d, issue "
            "cycles per %s %.3f -> %.3f,\nregisters read %.2f -> %.2f, reuse flags %d -> %d",
            flow->kernel->name, (unsigned long long)target * SASS_BYTES,
            (unsigned long long)i * SASS_BYTES, fused, name, old.conflicts, new.conflicts, name,
            (double)old.cycles / fused, (double)new.cycles / fused, (double)old.reads / fused,
            (double)new.reads / fused, old.flags, new.flags);
    }
}

// --- rewriting a kernel --------------------------------------------------------------------------

static int highest(const struct flow *flow, const uint8_t *colour) {
    int most = -1;
    for (int k = 0; k < flow->first_ref[flow->count]; k++) {
        const int web = flow->refs[k].web, reg = web < 0 ? flow->refs[k].reg : colour[web];
        if (reg > most) most = reg;
    }
    return most;
}

// Returns the most registers per thread with which an SM's register file still holds as many blocks
// as now; if the size of a block is unknown, the present number, rounded up.
static int register_limit(const struct sass_kernel *kernel) {
    const int rounded = (kernel->registers + REGISTER_UNIT - 1) / REGISTER_UNIT * REGISTER_UNIT;
    if (!kernel->max_threads || !rounded)
        return rounded < MOST_REGISTERS ? rounded : MOST_REGISTERS;
    const int warps = (kernel->max_threads + LANES - 1) / LANES;
    const int blocks = QUARTER_REGISTERS / (rounded * LANES) * QUARTERS / warps;
    const int quarter_warps = (blocks * warps + QUARTERS - 1) / QUARTERS;
    const int most =
        blocks ? QUARTER_REGISTERS / (quarter_warps * LANES) / REGISTER_UNIT * REGISTER_UNIT
               : rounded;
    return most < MOST_REGISTERS ? most : MOST_REGISTERS;
}

static void rename_all(const struct flow *flow, const uint8_t *colour,
                       struct sass_instruction *fresh) {
    for (int i = 0; i < flow->count; i++) {
        for (int k = flow->first_ref[i]; !flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
            const struct flow_ref *ref = &flow->refs[k];
            if (ref->index == 0) fresh[i].operand[ref->role].number = colour[ref->web];
        }
    }
}

struct work {
    struct arena memory;
    struct flow flow;
    struct sass_instruction *fresh;
    uint8_t *colour;    // per web: its new register
    int *origin;        // per instruction: its index in flow.code; arbitrary for FFMAs and DFMAs
    int64_t *old_clock; // per instruction of flow.code: its issue cycle by the stall counts
    uint8_t *backup;    // the kernel's original bytes
    struct sass_instruction *compiled; // the instructions decoded from `backup`
    int removed;                       // number of instructions that trim removed
};

static bool hazard_free(const struct sass_kernel *kernel, const char *whose, struct error *error) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return error_fail(error, "not enough host memory");
    const int found = lint_kernel(&(struct lint_options){.out = out}, kernel, error);
    fclose(out);
    if (found > 0)
        error_fail(error, "%s has %d hazards by sass lint: %.*s", whose, found,
                   (int)strcspn(text, "\n"), text);
    free(text);
    return found == 0;
}

static struct bits in_flight(const struct flow_block *block, const uint8_t *colour) {
    struct bits registers = {{0}};
    for (int r = 0; r < FLOW_REGISTERS; r++) {
        if (bits_has(&block->in_flight, r)) bits_add(&registers, colour[block->web_in[r]]);
    }
    return registers;
}

// Makes the new code: assigns the registers of `colour`, then orders and flags the hot blocks as
// `passes` says.
static void transform(struct work *work, const uint8_t *colour, unsigned passes) {
    struct flow *flow = &work->flow;
    memcpy(work->fresh, flow->code, (size_t)flow->count * sizeof *work->fresh);
    rename_all(flow, colour, work->fresh);
    for (int i = 0; i < flow->count; i++) work->origin[i] = i;
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        const bool hot = flow_is_hot(block);
        const struct bits flying = in_flight(block, colour);
        if (hot && passes & BOTH_ORDERS) {
            gather_block(work->fresh, work->origin, block->first, block->end);
            order_block(work->fresh, block->first, block->end, &flying, passes & REUSE_PAIRS);
        }
        if (hot && passes & (BOTH_ORDERS | REUSE_FLAGS))
            reuse_stalls(work->fresh, work->old_clock, work->origin, block->first, block->end);
        if (hot && passes & REUSE_FLAGS) set_flags(work->fresh, block->first, block->end);
        drop_stale_flags(work->fresh, block->first, block->end);
    }
}

// Returns the cost of the hot blocks, weighted as in take() of order.c.
static int hot_cost(const struct work *work, bool pairs) {
    int cost = 0;
    for (int b = 0; b < work->flow.block_count; b++) {
        const struct flow_block *block = &work->flow.blocks[b];
        if (!flow_is_hot(block)) continue;
        const struct reuse_figures figures = measure(work->fresh, block->first, block->end);
        cost += pairs ? 2 * figures.queue + figures.cycles + figures.reads : figures.cycles;
    }
    return cost;
}

// Tries a renaming per rule (rename.h) and keeps the one with the cheapest hot blocks after
// ordering and flags; keeps the compiler's registers if no renaming is cheaper.
static void rename_best(struct work *work, bool pairs) {
    static const struct choice_rule rules[] = {
        {192, true, false}, {96, true, false}, {48, true, false}, {24, true, false},
        {0, true, false},   {0, false, false}, {192, true, true}, {96, true, true},
        {48, true, true},   {24, true, true},  {0, true, true},   {0, false, true},
    };
    const struct flow *flow = &work->flow;
    const int limit = register_limit(flow->kernel) - SPARE;
    const unsigned passes = REUSE_FLAGS | (pairs ? REUSE_PAIRS : REUSE_ORDER);
    uint8_t *colour;
    ARENA_NEW(&work->memory, colour, (size_t)flow->web_count + 1);
    transform(work, work->colour, passes);
    int best = hot_cost(work, pairs);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (!choose_registers(flow, limit, &rules[i], colour)) continue;
        transform(work, colour, passes);
        const int cost = hot_cost(work, pairs);
        if (cost >= best) continue;
        best = cost;
        memcpy(work->colour, colour, (size_t)flow->web_count);
    }
}

// Returns true if hot blocks have FFMAs, since banks can be chosen for operands of FFMAs only.
static bool has_banks(const struct flow *flow) {
    bool found = false;
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        for (int i = block->first; flow_is_hot(block) && i < block->end; i++)
            found |= flow_is_ffma(&flow->code[i]);
    }
    return found;
}

static void explain_no_renaming(const struct flow *flow, char *text, size_t size) {
    int most = 0, doubles = 0;
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        int fused = 0;
        for (int i = block->first; block->in_loop && i < block->end; i++) {
            fused += flow_is_ffma(&flow->code[i]);
            doubles += flow->code[i].form->opcode == SASS_DFMA;
        }
        if (fused > most) most = fused;
    }
    if (has_banks(flow))
        snprintf(text, size, ", none renamed: no better choice found");
    else if (most)
        snprintf(text, size, ", none renamed: %d FFMA in the loop; at least %d are needed", most,
                 HOT_FUSED);
    else if (doubles)
        snprintf(text, size, ", none renamed: a DFMA's pairs take both banks");
    else
        snprintf(text, size, ", none renamed: no loop has an FFMA");
}

static void rewrite(struct work *work, unsigned passes) {
    memcpy(work->colour, work->flow.web_reg, (size_t)work->flow.web_count);
    if (passes & REUSE_BANKS && has_banks(&work->flow)) rename_best(work, passes & REUSE_PAIRS);
    transform(work, work->colour, passes);
}

// Sets the reuse bits of the control field from the operands.
static void collect_flags(struct sass_instruction *in) {
    for (int slot = 0; slot < 3; slot++) {
        const struct sass_operand *operand = &in->operand[SASS_A + slot];
        if (operand->kind != SASS_REGISTER) continue;
        in->control.reuse =
            (uint8_t)((in->control.reuse & ~(1U << slot)) | (unsigned)operand->reuse << slot);
    }
}

// Encodes the new code into the kernel's bytes and decodes it again, so that the checks see what
// the file will contain.
static bool store(struct work *work, struct error *error) {
    const struct sass_kernel *kernel = work->flow.kernel;
    for (int i = 0; i < work->flow.count; i++) {
        struct sass_word word;
        collect_flags(&work->fresh[i]);
        if (!sass_encode(&work->fresh[i], (uint64_t)i * SASS_BYTES, &word, error)) return false;
        cubin_store(word, kernel->code + (size_t)i * SASS_BYTES);
        word = cubin_word(kernel, (size_t)i);
        if (!sass_decode(word, (uint64_t)i * SASS_BYTES, &work->fresh[i], error)) return false;
    }
    return same_flow(&work->flow, work->fresh, work->colour, error);
}

static void store_count(struct sass_cubin *cubin, struct sass_kernel *kernel, int registers) {
    kernel->registers = registers;
    if (kernel->registers_at) cubin->bytes[kernel->registers_at] = (uint8_t)registers;
    for (int i = 0; i < 4; i++)
        cubin->bytes[kernel->regcount_at + (uint64_t)i] = (uint8_t)(registers >> (8 * i));
}

static bool apply(FILE *out, struct work *work, struct sass_cubin *cubin,
                  struct sass_kernel *kernel, unsigned passes, struct error *error) {
    const struct flow *flow = &work->flow;
    for (int i = 0; i < flow->count; i++)
        work->old_clock[i + 1] =
            work->old_clock[i] + (flow->code[i].control.stall ? flow->code[i].control.stall : 1);
    rewrite(work, passes);
    if (!store(work, error) || !hazard_free(kernel, "the result", error)) return false;
    const int before = kernel->registers, spare = before - 1 - highest(flow, flow->web_reg);
    store_count(cubin, kernel, highest(flow, work->colour) + 1 + spare);
    report(out, flow, work->compiled, work->fresh);
    if (work->removed)
        columns_report(out, "%s: %d instructions that never run left out", kernel->name,
                       work->removed);
    const bool kept = memcmp(work->colour, flow->web_reg, (size_t)flow->web_count) == 0;
    char why[160] = "";
    if (passes & REUSE_BANKS && kept) explain_no_renaming(flow, why, sizeof why);
    columns_report(out, "%s: %d -> %d registers%s", kernel->name, before, kernel->registers, why);
    return true;
}

// Returns true for an LDC without scoreboards to a register that the kernel never reads, such as
// nvcc's load of R1, the stack pointer. Nothing waits for such a load, so it could at any time
// overwrite a later value of the register.
static bool is_unread_load(const struct flow *flow, int i) {
    const struct sass_instruction *in = &flow->code[i];
    if (in->form->opcode != SASS_LDC || in->control.write_barrier < SASS_SCOREBOARDS ||
        in->control.read_barrier < SASS_SCOREBOARDS)
        return false;
    for (int k = 0; k < flow->first_ref[flow->count]; k++) {
        for (int mine = flow->first_ref[i]; mine < flow->first_ref[i + 1]; mine++) {
            if (!flow->refs[k].write && flow->refs[mine].write &&
                flow->refs[k].reg == flow->refs[mine].reg)
                return false;
        }
    }
    return true;
}

static bool leave_out_unread(const struct flow *flow, const struct sass_kernel *kernel,
                             struct error *error) {
    for (int i = 0; i < flow->count; i++) {
        struct sass_instruction nop;
        struct sass_word word;
        if (!is_unread_load(flow, i)) continue;
        if (!sass_parse("--:-:-:-:1  NOP", (uint64_t)i * SASS_BYTES, NULL, &nop, error))
            return false;
        nop.control = flow->code[i].control;
        if (!sass_encode(&nop, (uint64_t)i * SASS_BYTES, &word, error)) return false;
        cubin_store(word, kernel->code + (size_t)i * SASS_BYTES);
    }
    return true;
}

// Saves the kernel's bytes and instructions. Then, as `passes` says, replaces unread loads by NOPs
// and runs trim, and prepares the other passes.
static bool start(struct work *work, struct sass_kernel *kernel, unsigned passes,
                  struct error *error) {
    const size_t count = kernel->count + 1;
    ARENA_NEW(&work->memory, work->compiled, count);
    ARENA_NEW(&work->memory, work->fresh, count);
    ARENA_NEW(&work->memory, work->origin, count);
    ARENA_NEW(&work->memory, work->old_clock, count);
    ARENA_NEW(&work->memory, work->backup, count * SASS_BYTES);
    memcpy(work->backup, kernel->code, kernel->count * SASS_BYTES);
    if (!flow_open(&work->flow, kernel, error)) return false;
    memcpy(work->compiled, work->flow.code, kernel->count * sizeof *work->compiled);
    if (passes & REUSE_BANKS && !leave_out_unread(&work->flow, kernel, error)) return false;
    flow_close(&work->flow);
    if (passes & REUSE_TRIM && !trim_kernel(kernel, &work->removed, error)) return false;
    if (!flow_open(&work->flow, kernel, error)) return false;
    flow_webs(&work->flow);
    flow_flight(&work->flow);
    if (!flow_returns(&work->flow, error)) return false;
    ARENA_NEW(&work->memory, work->colour, (size_t)work->flow.web_count + 1);
    return true;
}

bool reuse_kernel(FILE *out, struct sass_cubin *cubin, struct sass_kernel *kernel, unsigned passes,
                  struct error *error) {
    struct work work = {0};
    if (!kernel->chip->knows_banks)
        return error_fail(error, "reuse: the register banks of %s are not known",
                          kernel->chip->name);
    if (!kernel->regcount_at)
        return error_fail(error, "reuse: the cubin does not say how many registers it takes");
    if (!hazard_free(kernel, "the kernel", error)) return false;
    const bool good =
        start(&work, kernel, passes, error) && apply(out, &work, cubin, kernel, passes, error);
    if (!good && work.backup) memcpy(kernel->code, work.backup, kernel->count * SASS_BYTES);
    arena_clear(&work.memory);
    flow_close(&work.flow);
    return good;
}
