// Translates the kernel's instructions to what the SM model needs: unit, kind, cycles, and operands
// by register bank.
#include "isa/banks.h"
#include "isa/facts.h"
#include "parts.h"

#include <stdlib.h>
#include <string.h>

enum { SCOPE_GPU = 2, SCOPE_SYS = 3 }; // the scopes of a MEMBAR (fields.def)

// Returns the unit that executes an encoding: the opcode's entry in `others`, or the unit of the
// encoding's pipe if the entry is 0. (0 is UNIT_FMA, which no opcode in `others` uses.)
static enum unit unit_of(const struct sass_form *form) {
    static const uint8_t pipes[SASS_PIPE_COUNT] = {
        [SASS_PIPE_FMA] = UNIT_FMA,     [SASS_PIPE_ALU] = UNIT_ALU,
        [SASS_PIPE_HALF] = UNIT_HALF,   [SASS_PIPE_FP64] = UNIT_FP64,
        [SASS_PIPE_XU] = UNIT_XU,       [SASS_PIPE_LSU] = UNIT_MEMORY,
        [SASS_PIPE_TEX] = UNIT_MEMORY,  [SASS_PIPE_UNIFORM] = UNIT_UNIFORM,
        [SASS_PIPE_CBU] = UNIT_CONTROL, [SASS_PIPE_TENSOR] = UNIT_TENSOR};
    static const uint8_t others[SASS_OPCODE_COUNT] = {
        [SASS_IMAD] = UNIT_FMA_HEAVY,    [SASS_IMAD_WIDE] = UNIT_FMA_HEAVY,
        [SASS_IMAD_HI] = UNIT_FMA_HEAVY, [SASS_VIADD] = UNIT_FMA_HEAVY,
        [SASS_LDC] = UNIT_MEMORY,        [SASS_S2R] = UNIT_MEMORY,
        [SASS_UBLKCP] = UNIT_MEMORY,     [SASS_UTMALDG] = UNIT_MEMORY,
        [SASS_HGMMA] = UNIT_CONTROL, // an HGMMA is issued at once, and the tensor core queues it
        [SASS_QGMMA] = UNIT_CONTROL};
    const enum unit other = (enum unit)others[form->opcode];
    return other ? other : (enum unit)pipes[form->pipe];
}

static enum kind kind_of(const struct sass_form *form) {
    static const uint8_t kinds[SASS_OPCODE_COUNT] = {
        [SASS_LDG] = KIND_LOAD,
        [SASS_LD] = KIND_LOAD,
        [SASS_LDL] = KIND_LOAD,
        [SASS_STG] = KIND_STORE,
        [SASS_ST] = KIND_STORE,
        [SASS_STL] = KIND_STORE,
        [SASS_LDGSTS] = KIND_COPY,
        [SASS_LDGDEPBAR] = KIND_COMMIT,
        [SASS_ARRIVES] = KIND_COMMIT,
        [SASS_TLD] = KIND_TEXTURE,
        [SASS_BAR] = KIND_BARRIER,
        [SASS_DEPBAR] = KIND_DEPBAR,
        [SASS_LDC] = KIND_SHARED,
        [SASS_S2R] = KIND_SHARED,
        [SASS_HGMMA] = KIND_WGMMA,
        [SASS_QGMMA] = KIND_WGMMA,
        [SASS_WARPGROUP_DEPBAR] = KIND_WGMMA_WAIT,
        [SASS_SYNCS_ARRIVE] = KIND_MBARRIER_ARRIVE,
        [SASS_SYNCS_PHASECHK] = KIND_MBARRIER_WAIT,
        [SASS_UBLKCP] = KIND_TMA,
        [SASS_UTMALDG] = KIND_TMA,
    };
    if (kinds[form->opcode]) return (enum kind)kinds[form->opcode];
    if (sass_facts[form->opcode].atomic) return KIND_ATOMIC;
    if (form->pipe == SASS_PIPE_LSU) return KIND_SHARED;
    return form->latency == 0 && form->pipe != SASS_PIPE_CBU ? KIND_VARIABLE : KIND_PLAIN;
}

// Returns the cycles from an instruction's leaving its queue until its source registers may be
// overwritten. A store to global or local memory reads its `data` data registers when it leaves the
// queue (Huerta). A store to shared memory reads them as the data banks accept them; sources_read()
// in memory.c adds that time (step 00, `a store and a change of its source`).
static uint8_t read_latency(enum kind kind, int data) {
    if (kind == KIND_SHARED) return data ? 7 : 4;
    return (uint8_t)(kind == KIND_STORE ? 4 + 2 * data : 5);
}

// Returns the number of reads per bank for `count` registers from `first` on: bank 0 in bits 0-15,
// bank 1 in bits 16-31.
static uint32_t reads_of(int first, int count) {
    const uint32_t of_first = (uint32_t)(count + 1) / 2, of_other = (uint32_t)count / 2;
    return first & 1 ? of_first << 16 | of_other : of_other << 16 | of_first;
}

// Returns true for IMAD.WIDE and IMAD.HI, which occupy their pipe twice as long as IMAD does. With
// an addend they read their operands twice.
static bool is_wide_multiply(const struct sass_instruction *in) {
    return in->form->opcode == SASS_IMAD_WIDE || in->form->opcode == SASS_IMAD_HI;
}

static void list_operands(struct instruction *out, const struct sass_instruction *in) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    int data = 0, wide = 0;
    for (int i = 0; i < 3; i++) out->slot[i] = NO_REGISTER;
    for (int i = 0; i < count; i++) {
        const struct sass_touch *t = &touches[i];
        if (t->uniform || t->predicate) continue;
        if (t->write) {
            if (!out->results) out->first_into = (uint8_t)(t->first & 1);
            out->results = (uint8_t)(out->results + t->count);
            out->into |= t->count > 1 ? 3 : 1 << (t->first & 1);
            continue;
        }
        const int place = t->role - SASS_A;
        if (out->reuse_cache != NO_REUSE && place >= 0 && place < 3) {
            out->slot[place] = t->first;
            out->slot_reads[place] = reads_of(t->first, t->count);
        } else {
            out->reads += reads_of(t->first, t->count);
        }
        if (t->role == SASS_B) data = t->count;
        if (t->count > 1) wide = t->count;
    }
    for (int i = 0; i < 3; i++) {
        if (out->wide && out->slot[SASS_C - SASS_A] != NO_REGISTER) out->slot_reads[i] *= 2;
        out->reads += out->slot_reads[i];
    }
    out->read_latency = read_latency((enum kind)out->kind, data);
    out->stored = (uint8_t)data;
    out->reads_pairs = wide > 1;
}

// Returns the tensor-core cycles of a warp-level MMA. A DMMA's `shape` is 0 for 8x8x4, 1 for
// 16x8x4, 2 for 16x8x8 and 3 for 16x8x16.
static double mma_cycles(const struct sass_instruction *in, const struct sm_machine *m) {
    const int shape = in->modifiers.shape;
    const bool quarter = in->form->opcode == SASS_HMMA && !sass_has(in, SASS_HAS_hmma_shape);
    const bool tf32 = in->form->opcode == SASS_HMMA && in->modifiers.source_type == 2;
    if (in->form->opcode == SASS_DMMA) return m->dmma_cycles * (shape > 1 ? 1 << (shape - 1) : 1);
    return !quarter && (shape || tf32) ? m->hmma_wide_cycles : m->hmma_cycles;
}

static double variable_latency(const struct instruction *out, const struct sass_instruction *in,
                               const struct sm_machine *m) {
    if (in->form->opcode == SASS_LDC) return m->constant_latency - m->shared_latency;
    if (in->form->opcode == SASS_S2R) return 0;
    if (out->unit != UNIT_TENSOR) return m->xu_latency;
    return in->modifiers.shape ? m->dmma_wide_latency : m->dmma_latency;
}

// Returns the cycles for which an instruction occupies its unit.
static uint8_t busy(const struct instruction *out, const struct sass_instruction *in,
                    const struct sm_machine *m) {
    const double cycles[UNITS] = {[UNIT_FMA] = m->fma_cycles,
                                  [UNIT_FMA_HEAVY] = m->fma_cycles,
                                  [UNIT_FMA_ALONE] = m->fma_cycles,
                                  [UNIT_ALU] = m->alu_cycles,
                                  [UNIT_HALF] = m->half_cycles,
                                  [UNIT_FP64] = m->fp64_cycles,
                                  [UNIT_XU] = out->reads_pairs ? m->xu_wide_cycles : m->xu_cycles,
                                  [UNIT_TENSOR] = out->unit == UNIT_TENSOR ? mma_cycles(in, m) : 0,
                                  [UNIT_UNIFORM] = m->uniform_cycles,
                                  [UNIT_CONTROL] = 1,
                                  [UNIT_MEMORY] = 1};
    return (uint8_t)(is_wide_multiply(in) ? m->wide_multiply_cycles : cycles[out->unit]);
}

// Translates a wgmma with N = 8 * (shape + 1) columns. It accesses its register operands while it
// runs, not at issue. It reads shared memory in 32-byte rows: one per column of B, and 64 of A
// unless A is in registers.
static void translate_wgmma(struct instruction *out, const struct sass_instruction *in,
                            const struct sm_machine *m) {
    const int columns = 8 * (in->modifiers.shape + 1);
    out->wgmma_cycles = (uint16_t)(columns / m->hgmma_columns);
    out->wgmma_rows = (uint16_t)(columns + (in->operand[SASS_A].kind == SASS_REGISTER ? 0 : 64));
    out->ends_group = in->operand[SASS_X].number == 0;
    out->reads = 0;
    out->results = 0;
}

static void translate(struct instruction *out, const struct sass_instruction *in,
                      const struct sm_machine *m) {
    const struct sass_control *c = &in->control;
    const struct sass_form *form = in->form;
    out->kind = (uint8_t)kind_of(form);
    out->unit = (uint8_t)unit_of(form);
    if (m->fma_pipes < 2 && out->unit <= UNIT_FMA_HEAVY) out->unit = UNIT_FMA_ALONE;
    // a warp that yields (bit 109 is clear) waits at least two cycles
    out->stall = c->stall > 1 ? c->stall : c->yield ? 1 : 2;
    out->wait = c->wait & 63;
    out->write_barrier = c->write_barrier;
    out->read_barrier = c->read_barrier;
    out->keeps_turn = c->yield;
    out->empties_reuse = sass_empties_reuse_cache(in);
    out->reuse_cache = form->pipe == SASS_PIPE_FP64  ? REUSE_FP64
                       : form->pipe < SASS_PIPE_FP64 ? REUSE_32
                                                     : NO_REUSE;
    out->bypass = form->opcode == SASS_LDGSTS
                      ? !in->modifiers.flag
                      : out->kind == KIND_LOAD && sass_is_strong(in) && !sass_is_narrow(in);
    out->local = form->opcode == SASS_STL;
    out->fence = form->opcode == SASS_MEMBAR &&
                 (in->modifiers.type == SCOPE_GPU || in->modifiers.type == SCOPE_SYS);
    out->reconverges = form->opcode == SASS_BSYNC;
    out->swaps = form->opcode == SASS_ATOM_CAS || form->opcode == SASS_ATOMG_CAS;
    out->floats = out->kind == KIND_ATOMIC &&
                  (sass_has(in, SASS_HAS_fatom_type) || sass_has(in, SASS_HAS_fatom_type_a));
    out->copies = in->modifiers.flag ? 2 : 1;
    out->special = form->opcode == SASS_LDC || form->opcode == SASS_S2R;
    out->wide = is_wide_multiply(in);
    list_operands(out, in);
    for (int i = 0; i < 3; i++) out->kept[i] = c->reuse >> i & 1;
    out->busy = busy(out, in, m);
    // an HMMA occupies both register banks as long as its unit
    if (form->opcode == SASS_HMMA) out->reads = out->busy * 0x10001u;
    out->writes = out->kind == KIND_PLAIN && out->results > 0;
    out->latency = (uint8_t)variable_latency(out, in, m);
    if (out->kind == KIND_WGMMA) translate_wgmma(out, in, m);
    if (out->kind == KIND_WGMMA_WAIT) out->leave = (uint8_t)in->operand[SASS_I].value;
    if (out->kind == KIND_DEPBAR) {
        out->scoreboard = in->operand[SASS_X].number % SCOREBOARDS;
        out->leave = (uint8_t)in->operand[SASS_I].value;
        out->wait |=
            (uint8_t)(in->operand[SASS_J].kind == SASS_SET ? in->operand[SASS_J].value & 63 : 0);
    }
}

// Returns true for an instruction that cannot issue while its warp waits at a barrier. After
// BAR.SYNC.DEFER_BLOCKING, a warp continues up to its next memory instruction, branch, barrier or
// wgmma (samples of Nsight Compute).
static bool blocks(const struct instruction *in) {
    return in->unit == UNIT_MEMORY || in->control || in->kind == KIND_BARRIER ||
           in->kind == KIND_WGMMA;
}

static bool runs_on(const struct instruction *in, const struct instruction *next) {
    return !in->control && !in->fence && in->kind != KIND_WGMMA_WAIT && !next->wait &&
           next->kind != KIND_DEPBAR && !next->blocks;
}

struct instruction *code_open(const struct sim_kernel *kernel, const struct sm_machine *machine) {
    const size_t count = sim_instruction_count(kernel);
    struct instruction *code = calloc(count + 1, sizeof *code);
    for (size_t i = 0; code && i < count; i++) {
        const struct sass_instruction *in =
            sim_instruction(kernel, i, &code[i].control, &code[i].observed);
        if (in) translate(&code[i], in, machine);
        code[i].blocks = blocks(&code[i]);
    }
    for (size_t i = 0; code && i < count; i++) {
        code[i].runs_on = (i + 1) % INSTRUCTIONS_PER_LINE != 0 && runs_on(&code[i], &code[i + 1]);
    }
    return code;
}
