// Sums tallies into counters under Nsight Compute's names. Each counter is a row of a table: a
// class of instructions, and the figure of their tallies that is summed.
#include "base/channel.h"
#include "isa/codec.h"
#include "isa/place.h"
#include "sim/machine/kernel.h"

#include <math.h>

// The figures that counters sum. Up to SPLITS, a figure is a member of struct tally, given by its
// offset. From CONFLICTS on, figure() or value() computes it.
enum figure {
    EXECUTED = offsetof(struct tally, executed),
    THREADS = offsetof(struct tally, threads),
    ACTIVE = offsetof(struct tally, active),
    REQUESTS = offsetof(struct tally, requests),
    SECTORS = offsetof(struct tally, sectors),
    WAVEFRONTS = offsetof(struct tally, wavefronts),
    LANE_EXECUTIONS = offsetof(struct tally, lanes),
    LOCAL_REQUESTS = offsetof(struct tally, local_requests),
    LOCAL_SECTORS = offsetof(struct tally, local_sectors),
    SPLITS = offsetof(struct tally, splits),
    CONFLICTS = sizeof(struct tally),
    BANK_CYCLES,
    REUSE_HITS,
    TARGETS, // executions of a branch, as Nsight Compute counts them (targets())
    UNIFORM, // executions of a branch after which all lanes continue together
    LANES_PER_INSTRUCTION
};

// Nsight Compute does not always count an instruction for the pipe that executes it: HFMA2.MMA
// counts for neither FMA nor HALF, R2UR counts for the ALU. It also counts instructions whose guard
// is false. The rules here gave an H200's counts in all 190 launches that were compared.

// Returns true for an S2R of SR_LANEID, SR_TID or a lane mask, which counts for the pipe LSU.
static bool comes_through_lsu(const struct sass_instruction *i) {
    const int number = i->operand[SASS_X].number;
    return i->form->opcode == SASS_S2R && (number == 0x00 || (number >= 0x20 && number <= 0x23) ||
                                           (number >= 0x38 && number <= 0x3c));
}
static bool is_fma(enum sass_pipe pipe) {
    return pipe == SASS_PIPE_FMA || pipe == SASS_PIPE_HALF;
}
static bool is_beside_lsu(enum sass_opcode opcode) {
    return opcode == SASS_LDC || opcode == SASS_REDUX || opcode == SASS_MATCH ||
           opcode == SASS_MEMBAR || opcode == SASS_ERRBAR || opcode == SASS_CGAERRBAR;
}
static bool is_quick_uniform(enum sass_opcode opcode) {
    return opcode == SASS_ULDC || opcode == SASS_UMOV || opcode == SASS_VOTEU ||
           opcode == SASS_R2UR;
}

static bool is(enum sass_opcode opcode, enum sass_opcode one, enum sass_opcode other,
               enum sass_opcode third) {
    return opcode == one || opcode == other || opcode == third;
}

static bool is_exclusive(const struct detail *d) {
    // run/branch.c sets bit 1 of a WARPSYNC's `width`
    return d->instruction.form->opcode == SASS_WARPSYNC && d->width & 2;
}

// Classes of instructions: a name, and a condition on an instruction `i`, its detail `d`, `opcode`
// and `pipe`. A COPY goes through L1, a COPY_BYPASS bypasses it. HMMA includes warpgroup MMAs, as
// in ncu. BULK is a copy by the copy engine.
#define CLASSES(CLASS) \
    CLASS(ANY, true) \
    CLASS(FFMA, opcode == SASS_FFMA) \
    CLASS(FFMA2, opcode == SASS_FFMA2) \
    CLASS(DFMA, opcode == SASS_DFMA) \
    CLASS(GLOBAL_LOAD, is(opcode, SASS_LDG, SASS_LD, SASS_LDGSTS) || opcode == SASS_LDG_256) \
    CLASS(GLOBAL_STORE, is(opcode, SASS_STG, SASS_ST, SASS_STG_256)) \
    CLASS(COPY, opcode == SASS_LDGSTS && i->modifiers.flag) \
    CLASS(COPY_BYPASS, opcode == SASS_LDGSTS && !i->modifiers.flag) \
    CLASS(COPY_ANY, opcode == SASS_LDGSTS) \
    CLASS(LOCAL_LOAD, opcode == SASS_LDL) \
    CLASS(LOCAL_STORE, opcode == SASS_STL) \
    CLASS(LOCAL_OR_GENERIC_LOAD, opcode == SASS_LDL || opcode == SASS_LD) \
    CLASS(LOCAL_OR_GENERIC_STORE, opcode == SASS_STL || opcode == SASS_ST) \
    CLASS(SPILL, d->spills) \
    CLASS(SPILL_LOAD, d->spills &&opcode == SASS_LDL) \
    CLASS(SPILL_STORE, d->spills &&opcode == SASS_STL) \
    CLASS(BRANCH, \
          is(opcode, SASS_BRA, SASS_BRX, SASS_CALL) || opcode == SASS_RET || is_exclusive(d)) \
    CLASS(TEXTURE, opcode == SASS_TLD) \
    CLASS(SHARED_LOAD, opcode == SASS_LDS) \
    CLASS(SHARED_STORE, opcode == SASS_STS) \
    CLASS(BARRIER, opcode == SASS_BAR) \
    CLASS(PIPE_FMA, (is_fma(pipe) && opcode != SASS_HFMA2_MMA) || opcode == SASS_VIADD) \
    CLASS(PIPE_HALF, pipe == SASS_PIPE_HALF && opcode != SASS_HFMA2_MMA) \
    CLASS(PIPE_ALU, (pipe == SASS_PIPE_ALU && opcode != SASS_VIADD) || opcode == SASS_R2UR) \
    CLASS(PIPE_FP64, pipe == SASS_PIPE_FP64) \
    CLASS(PIPE_XU, pipe == SASS_PIPE_XU && opcode != SASS_S2R && opcode != SASS_S2UR) \
    CLASS(PIPE_LSU, (pipe == SASS_PIPE_LSU && !is_beside_lsu(opcode)) || comes_through_lsu(i)) \
    CLASS(PIPE_CBU, is(opcode, SASS_BREAK, SASS_BSSY, SASS_BSYNC) || \
                        is(opcode, SASS_CALL, SASS_EXIT, SASS_RET) || opcode == SASS_WARPSYNC) \
    CLASS(HMMA, opcode == SASS_HMMA || opcode == SASS_HGMMA) \
    CLASS(DMMA, opcode == SASS_DMMA) \
    CLASS(TENSOR, is(opcode, SASS_HMMA, SASS_DMMA, SASS_HGMMA)) \
    CLASS(HGMMA, opcode == SASS_HGMMA) \
    CLASS(BULK, is(opcode, SASS_UBLKCP, SASS_UTMALDG, SASS_UTMASTG)) \
    CLASS(PIPE_UNIFORM, pipe == SASS_PIPE_UNIFORM && !is_quick_uniform(opcode))

#define NAME(name, condition) CLASS_##name,
enum class { CLASSES(NAME) };
#undef NAME

static bool belongs(const struct detail *d, enum class which) {
    const struct sass_instruction *i = &d->instruction;
    const enum sass_opcode opcode = i->form->opcode;
    const enum sass_pipe pipe = i->form->pipe;
#define CASE(name, condition) \
    case CLASS_##name: \
        return condition;
    switch (which) { CLASSES(CASE) }
#undef CASE
    return false;
}

static const struct {
    const char *name;
    enum class class;
    enum figure figure;
} rows[] = {
    {"smsp__inst_executed.sum", CLASS_ANY, EXECUTED},
    {"smsp__thread_inst_executed.sum", CLASS_ANY, LANE_EXECUTIONS},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", CLASS_ANY, LANES_PER_INSTRUCTION},
    {"smsp__thread_inst_executed_pred_on.sum", CLASS_ANY, THREADS},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", CLASS_FFMA, THREADS},
    {"smsp__sass_thread_inst_executed_op_ffma2_pred_on.sum", CLASS_FFMA2, THREADS},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", CLASS_DFMA, THREADS},
    {"sm__inst_executed_pipe_fma.sum", CLASS_PIPE_FMA, EXECUTED},
    {"sm__inst_executed_pipe_fma_type_fp16.sum", CLASS_PIPE_HALF, EXECUTED},
    {"sm__inst_executed_pipe_alu.sum", CLASS_PIPE_ALU, EXECUTED},
    {"sm__inst_executed_pipe_fp64.sum", CLASS_PIPE_FP64, EXECUTED},
    {"sm__inst_executed_pipe_xu.sum", CLASS_PIPE_XU, EXECUTED},
    {"sm__inst_executed_pipe_lsu.sum", CLASS_PIPE_LSU, EXECUTED},
    {"sm__inst_executed_pipe_uniform.sum", CLASS_PIPE_UNIFORM, EXECUTED},
    {"sm__inst_executed_pipe_cbu.sum", CLASS_PIPE_CBU, EXECUTED},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", CLASS_GLOBAL_LOAD, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", CLASS_GLOBAL_LOAD, SECTORS},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", CLASS_GLOBAL_STORE, REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", CLASS_GLOBAL_STORE, SECTORS},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum", CLASS_COPY_ANY, ACTIVE},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum", CLASS_COPY_ANY, SECTORS},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum", CLASS_COPY, ACTIVE},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum", CLASS_COPY, SECTORS},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum", CLASS_COPY_BYPASS, ACTIVE},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_bypass.sum", CLASS_COPY_BYPASS, SECTORS},
    {"smsp__inst_executed_op_ldgsts.sum", CLASS_COPY_ANY, EXECUTED},
    {"smsp__inst_executed_op_texture.sum", CLASS_TEXTURE, EXECUTED},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", CLASS_TEXTURE, SECTORS},
    {"smsp__inst_executed_op_local_ld.sum", CLASS_LOCAL_LOAD, EXECUTED},
    {"smsp__inst_executed_op_local_st.sum", CLASS_LOCAL_STORE, EXECUTED},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", CLASS_LOCAL_OR_GENERIC_LOAD, LOCAL_REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", CLASS_LOCAL_OR_GENERIC_LOAD, LOCAL_SECTORS},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", CLASS_LOCAL_OR_GENERIC_STORE,
     LOCAL_REQUESTS},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", CLASS_LOCAL_OR_GENERIC_STORE, LOCAL_SECTORS},
    {"sass__inst_executed_register_spilling", CLASS_SPILL, EXECUTED},
    {"sass__inst_executed_register_spilling_op_read", CLASS_SPILL_LOAD, EXECUTED},
    {"sass__inst_executed_register_spilling_op_write", CLASS_SPILL_STORE, EXECUTED},
    {"smsp__sass_branch_targets.sum", CLASS_BRANCH, TARGETS},
    {"smsp__sass_branch_targets_threads_divergent.sum", CLASS_BRANCH, SPLITS},
    {"smsp__sass_branch_targets_threads_uniform.sum", CLASS_BRANCH, UNIFORM},
    {"smsp__inst_executed_op_shared_ld.sum", CLASS_SHARED_LOAD, EXECUTED},
    {"smsp__inst_executed_op_shared_st.sum", CLASS_SHARED_STORE, EXECUTED},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", CLASS_SHARED_LOAD, WAVEFRONTS},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", CLASS_SHARED_STORE, WAVEFRONTS},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", CLASS_SHARED_LOAD,
     WAVEFRONTS},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", CLASS_SHARED_STORE,
     WAVEFRONTS},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum", CLASS_COPY_ANY,
     WAVEFRONTS},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", CLASS_SHARED_LOAD, CONFLICTS},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", CLASS_SHARED_STORE, CONFLICTS},
    {"sm__inst_executed_pipe_tensor.sum", CLASS_TENSOR, ACTIVE},
    {"sm__inst_executed_pipe_tensor_op_hmma.sum", CLASS_HMMA, ACTIVE},
    {"sm__inst_executed_pipe_tensor_op_dmma.sum", CLASS_DMMA, ACTIVE},
    {"sm__inst_executed_pipe_tensor_op_gmma.sum", CLASS_HGMMA, ACTIVE},
    {"sm__inst_executed_pipe_tma.sum", CLASS_BULK, EXECUTED},
    {"sim__copy_engine_sectors.sum", CLASS_BULK, SECTORS},
    {"sim__barriers.sum", CLASS_BARRIER, ACTIVE},
    {"sim__register_bank_cycles_lost.sum", CLASS_ANY, BANK_CYCLES},
    {"sim__reuse_hits.sum", CLASS_ANY, REUSE_HITS},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

// Returns the cycles that reading operands took, beyond one cycle per execution. The first
// instruction after a jump may take more cycles, because a jump empties the reuse cache.
static uint64_t bank_cycles_lost(const struct detail *d, const struct tally *t) {
    const uint64_t jumped = t->arrivals < t->executed ? t->arrivals : t->executed;
    return (t->executed - jumped) * (uint64_t)(d->bank_cycles - 1) +
           jumped * (uint64_t)(d->bank_cycles_jump - 1);
}

// Returns how often Nsight Compute counts a branch or WARPSYNC.EXCLUSIVE. An execution counts once
// if its lanes go to one or two places, and once more for each further place. For a WARPSYNC that
// splits a warp, returns the number of splits: the simulator executes it once per group of lanes.
static uint64_t targets(const struct detail *d, const struct tally *t) {
    if (d->instruction.form->opcode == SASS_WARPSYNC && t->splits) return t->splits;
    return t->executed + t->again;
}

static uint64_t figure(const struct detail *d, const struct tally *t, enum figure which) {
    uint64_t value;
    if (which == TARGETS) return targets(d, t);
    if (which == UNIFORM) return targets(d, t) - t->splits;
    if (which == CONFLICTS) return t->wavefronts - t->least_wavefronts;
    if (which == BANK_CYCLES) return bank_cycles_lost(d, t);
    if (which == REUSE_HITS)
        return (t->executed - (t->arrivals < t->executed ? t->arrivals : t->executed)) *
               (uint64_t)d->reuse_hits;
    memcpy(&value, (const char *)t + which, sizeof value);
    return value;
}

static double sum(const struct sim_result *r, enum class class, enum figure which) {
    const struct program *p = kernel_program(r->kernel);
    uint64_t total = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *d = &p->detail[i];
        if (!r->tally[i].executed || !d->instruction.form || !belongs(d, class)) continue;
        // an H200 counts a CCTL twice for the pipe LSU
        const bool twice = class == CLASS_PIPE_LSU && d->instruction.form->opcode == SASS_CCTL;
        total += figure(d, &r->tally[i], which) * (twice ? 2 : 1);
    }
    return (double)total;
}

// Returns true if the kernel accesses local memory, and its compiler did not mark which of the
// accesses are spills of registers.
static bool spills_are_unknown(const struct program *p) {
    bool local = false;
    for (uint32_t i = 0; i < p->count && p->kernel->spill_count < 0; i++)
        local |= p->detail[i].instruction.form && (belongs(&p->detail[i], CLASS_LOCAL_LOAD) ||
                                                   belongs(&p->detail[i], CLASS_LOCAL_STORE));
    return local;
}

static double value(const struct sim_result *result, int row) {
    const enum class class = rows[row].class;
    if ((class == CLASS_SPILL || class == CLASS_SPILL_LOAD || class == CLASS_SPILL_STORE) &&
        spills_are_unknown(kernel_program(result->kernel)))
        return NAN;
    if (rows[row].figure == LANES_PER_INSTRUCTION)
        return sum(result, class, LANE_EXECUTIONS) / sum(result, class, EXECUTED);
    return sum(result, class, rows[row].figure);
}

int sim_counters(const struct sim_result *result, struct sim_counter *counters, int most) {
    int count = 0;
    for (; count < ROW_COUNT && count < most; count++)
        counters[count] = (struct sim_counter){rows[count].name, value(result, count)};
    return count;
}

double counters_active(const struct sim_result *result, enum sass_pipe pipe) {
    return sum(result, pipe == SASS_PIPE_FMA ? CLASS_PIPE_FMA : CLASS_PIPE_FP64, ACTIVE);
}

struct counters_least counters_least(const struct sim_result *result) {
    const struct program *p = kernel_program(result->kernel);
    struct counters_least least = {{0}, 0, 0};
    for (uint32_t i = 0; i < p->count; i++) {
        const struct tally *t = &result->tally[i];
        const bool loads =
            p->detail[i].instruction.form && sass_facts_of(&p->detail[i].instruction)->load;
        least.bank_cycles += (double)t->bank_cycles + (loads ? (double)t->local_requests : 0);
        least.lines += (double)t->lines + (loads ? (double)t->local_lines : 0);
        for (int bank = 0; bank < 2; bank++)
            least.bank_reads[bank] += (double)t->executed * p->detail[i].bank_reads[bank];
    }
    return least;
}

double sim_counter(const struct sim_result *result, const char *name) {
    for (int i = 0; i < ROW_COUNT; i++) {
        if (strcmp(rows[i].name, name) == 0) return value(result, i);
    }
    return NAN;
}

// Prints part / whole in a column of `width` characters, or blanks if whole is 0.
static void ratio(FILE *file, int width, uint64_t part, uint64_t whole) {
    if (whole) {
        fprintf(file, " %*.2f", width, (double)part / (double)whole);
    } else {
        fprintf(file, " %*s", width, "");
    }
}

static void number_or_null(struct json *j, const char *name, uint64_t value, bool counted) {
    if (counted)
        json_integer(j, name, (long long)value);
    else
        json_null(j, name);
}

void sim_lines_to_json(const struct sim_result *result) {
    const struct program *p = kernel_program(result->kernel);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *d = &p->detail[i];
        const struct tally *t = &result->tally[i];
        if (!t->executed || !d->instruction.form) continue;
        const struct code_place place = place_of(p->kernel, i);
        struct json j = channel_line("line");
        json_text(&j, "kernel", p->kernel->name);
        place_to_json(&j, "place", &place);
        json_integer(&j, "warps", (long long)t->executed);
        json_integer(&j, "threads", (long long)t->threads);
        json_number(&j, "threads_per_instruction", (double)t->lanes / (double)t->executed);
        const uint64_t requests = t->requests + t->local_requests,
                       sectors = t->sectors + t->local_sectors;
        const bool branches = belongs(d, CLASS_BRANCH);
        number_or_null(&j, "divergent", t->splits, branches);
        number_or_null(&j, "requests", requests, requests);
        number_or_null(&j, "sectors", sectors, sectors);
        json_bool(&j, "spill", d->spills);
        number_or_null(&j, "wavefronts", t->wavefronts, t->wavefronts);
        number_or_null(&j, "conflicts", t->wavefronts - t->least_wavefronts, t->wavefronts);
        number_or_null(&j, "bank_cycles_lost", bank_cycles_lost(d, t), true);
        json_end(&j);
    }
}

void sim_print_lines(const struct sim_result *result, FILE *file) {
    const struct program *p = kernel_program(result->kernel);
    uint32_t line = 0;
    fprintf(
        file,
        "threads: per execution; diverged: executions after which lanes go to different places;\n"
        "sectors, wavefronts and those in excess: per request; banks: cycles lost per execution\n"
        "%7s %10s %7s %8s %7s %7s %6s %5s  %s\n",
        "address", "executed", "threads", "diverged", "sectors", "wavefr.", "excess", "banks",
        "instruction");
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *d = &p->detail[i];
        const struct tally *t = &result->tally[i];
        char text[SASS_MAX_TEXT];
        if (!t->executed || !d->instruction.form) continue;
        const struct sass_line *source = cubin_line(p->kernel, i * SASS_BYTES);
        if (source && source->line != line)
            fprintf(file, "%s:%u\n", source->file ? source->file : "?", line = source->line);
        sass_print(&d->instruction, NULL, text, sizeof text);
        const uint64_t requests = t->requests + t->local_requests,
                       sectors = t->sectors + t->local_sectors;
        fprintf(file, "%7x %10llu", i * SASS_BYTES, (unsigned long long)t->executed);
        ratio(file, 7, t->lanes, t->executed);
        if (t->splits)
            fprintf(file, " %8llu", (unsigned long long)(t->splits - t->again));
        else
            fprintf(file, " %8s", "");
        ratio(file, 7, sectors, sectors ? requests : 0);
        ratio(file, 7, t->wavefronts, t->wavefronts ? t->requests : 0);
        ratio(file, 6, t->wavefronts - t->least_wavefronts, t->wavefronts ? t->requests : 0);
        const uint64_t lost = bank_cycles_lost(d, t);
        ratio(file, 5, lost, lost ? t->executed : 0);
        fprintf(file, "  %s%s\n", text, d->spills ? "  // spilled" : "");
    }
}
