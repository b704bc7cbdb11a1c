// Computes which webs (lint/flow.h) are live at the same time, and so may not share a register.
//
// A web is live from its definition to its last use. The source of a load, store or copy is live
// longer: until an instruction waits for the scoreboard that reports it as read. A load's result is
// live until it has arrived, even if nothing reads it.
#include "rename.h"

#include "isa/encoding.h"
#include "isa/latency.h"

#include <string.h>

enum { SCOREBOARDS = 6, KINDS = 8 };
// A web is in flight while an unfinished instruction may read or write its register. Webs in flight
// are in SETS sets. A wait for a scoreboard releases its set. The sets SOURCES + kind and RESULTS +
// kind hold webs that have no scoreboard yet: the next instruction of this kind that sets one moves
// them to its set. Nothing releases the set FOR_GOOD.
enum { SOURCES = SCOREBOARDS, RESULTS = SOURCES + KINDS, FOR_GOOD = RESULTS + KINDS, SETS };

struct builder {
    struct arena memory;
    const struct flow *flow;
    struct graph *graph;
    uint64_t *flight; // block_count x SETS rows: the webs in flight at the start of each block
    uint64_t *now;    // SETS rows: the webs in flight at the current instruction
    uint64_t *live;   // the row of webs that are live
    // lists of webs whose margin ends at an instruction: `wake` has the first web per instruction,
    // and `chain` the next one per web
    int *wake, *chain;
    bool *noted; // per web: true if the end of its margin in this block is known
    int margin;  // number of instructions that a factor keeps its register after its last use
};

static void add(uint64_t *row, int web) {
    row[web >> 6] |= 1ULL << (web & 63);
}

static bool has(const uint64_t *row, int web) {
    return row[web >> 6] >> (web & 63) & 1;
}

static void exclude(struct graph *graph, int a, int b) {
    if (a == b) return;
    add(graph->rows + (size_t)a * (size_t)graph->words, b);
    add(graph->rows + (size_t)b * (size_t)graph->words, a);
}

static void exclude_all(struct graph *graph, int web, const uint64_t *row) {
    for (int w = 0; w < graph->words; w++) {
        for (uint64_t rest = row[w]; rest; rest &= rest - 1)
            exclude(graph, web, w * 64 + __builtin_ctzll(rest));
    }
}

static void forbid_all(struct graph *graph, const uint64_t *row, const struct bits *registers) {
    for (int w = 0; w < graph->words; w++) {
        for (uint64_t rest = row[w]; rest; rest &= rest - 1) {
            struct bits *forbidden = &graph->forbidden[w * 64 + __builtin_ctzll(rest)];
            for (int i = 0; i < 4; i++) forbidden->word[i] |= registers->word[i];
        }
    }
}

// --- operations in flight ------------------------------------------------------------------------

// Returns the kind of an instruction: one kind per memory opcode listed here, one for all others.
// Instructions of one kind are assumed to read their sources in order.
static int kind_of(const struct sass_instruction *in) {
    static const uint8_t opcodes[] = {SASS_LDS,    SASS_STS, SASS_LDG, SASS_STG,
                                      SASS_LDGSTS, SASS_LDL, SASS_STL};
    for (int i = 0; i < KINDS - 1; i++) {
        if (opcodes[i] == in->form->opcode) return i;
    }
    return KINDS - 1;
}

static uint64_t *set_of(struct builder *builder, int set) {
    return builder->now + (size_t)set * (size_t)builder->graph->words;
}

static void move_set(struct builder *builder, int from, int to) {
    uint64_t *source = set_of(builder, from), *target = set_of(builder, to);
    for (int w = 0; w < builder->graph->words; w++) {
        target[w] |= source[w];
        source[w] = 0;
    }
}

static void clear_waited(struct builder *builder, const struct sass_instruction *in) {
    unsigned mask = in->control.wait;
    if (in->operand[SASS_I].value == 0) mask |= sass_depbar_waits(in);
    for (int s = 0; s < SCOREBOARDS; s++) {
        if (mask >> s & 1)
            memset(set_of(builder, s), 0, (size_t)builder->graph->words * sizeof(uint64_t));
    }
}

// Puts the sources and results of an instruction in flight. A result without a scoreboard takes
// that of the next instruction of its kind; if its unit keeps no order, nothing releases it.
// nvcc loads R1, the stack pointer, even if nothing reads it: on an H200, such an LDC overwrote a
// value that had been moved to R1.
static void take_off(struct builder *builder, int i) {
    const struct flow *flow = builder->flow;
    const struct sass_instruction *in = &flow->code[i];
    if (in->form->latency || in->form->pipe == SASS_PIPE_CBU || flow_never(in)) return;
    const int kind = kind_of(in), write_barrier = in->control.write_barrier;
    const bool counted = write_barrier < SCOREBOARDS,
               in_order = sass_unit(in->form) != SASS_UNIT_NONE;
    const int results = in_order ? RESULTS + kind : counted ? write_barrier : FOR_GOOD;
    for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
        add(set_of(builder, flow->refs[k].write ? results : SOURCES + kind), flow->refs[k].web);
    }
    if (in->control.read_barrier < SCOREBOARDS)
        move_set(builder, SOURCES + kind, in->control.read_barrier);
    if (!counted) return;
    move_set(builder, SOURCES + kind, write_barrier);
    if (in_order) move_set(builder, RESULTS + kind, write_barrier);
}

// Follows the webs in flight through a block. If `record` is true, adds an edge from each web
// written to every web in flight; for a write of a pool, forbids the register to the webs in flight
// instead.
static void fly(struct builder *builder, const struct flow_block *block, bool record) {
    const struct flow *flow = builder->flow;
    for (int i = block->first; i < block->end; i++) {
        clear_waited(builder, &flow->code[i]);
        for (int k = flow->first_ref[i]; record && k < flow->first_ref[i + 1]; k++) {
            const struct flow_ref *ref = &flow->refs[k];
            struct bits one = {{0}};
            if (!ref->write) continue;
            bits_add(&one, ref->reg);
            for (int s = 0; s < SETS; s++) {
                if (flow->pooled[i])
                    forbid_all(builder->graph, set_of(builder, s), &one);
                else
                    exclude_all(builder->graph, ref->web, set_of(builder, s));
            }
        }
        take_off(builder, i);
    }
}

static void fly_all(struct builder *builder) {
    const struct flow *flow = builder->flow;
    const size_t row = (size_t)builder->graph->words * SETS;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 0; b < flow->block_count; b++) {
            const struct flow_block *block = &flow->blocks[b];
            memcpy(builder->now, builder->flight + (size_t)b * row, row * sizeof(uint64_t));
            fly(builder, block, false);
            for (int n = 0; n < block->next_count; n++) {
                uint64_t *next = builder->flight + (size_t)block->next[n] * row;
                for (size_t w = 0; w < row; w++) {
                    changed |= (builder->now[w] & ~next[w]) != 0;
                    next[w] |= builder->now[w];
                }
            }
        }
    }
    for (int b = 0; b < flow->block_count; b++) {
        memcpy(builder->now, builder->flight + (size_t)b * row, row * sizeof(uint64_t));
        fly(builder, &flow->blocks[b], true);
    }
}

// --- liveness ------------------------------------------------------------------------------------

static void live_at_end(struct builder *builder, const struct flow_block *block) {
    const struct flow *flow = builder->flow;
    memset(builder->live, 0, (size_t)builder->graph->words * sizeof(uint64_t));
    for (int n = 0; n < block->next_count; n++) {
        for (int r = 0; r < FLOW_REGISTERS; r++) {
            const int web = flow->blocks[block->next[n]].web_in[r];
            if (web >= 0) add(builder->live, web);
        }
    }
}

static void define(struct builder *builder, int i) {
    const struct flow *flow = builder->flow;
    const int first = flow->first_ref[i], end = flow->first_ref[i + 1];
    for (int k = first; k < end; k++) {
        if (!flow->refs[k].write) continue;
        exclude_all(builder->graph, flow->refs[k].web, builder->live);
        for (int other = first; other < k; other++) {
            if (flow->refs[other].write)
                exclude(builder->graph, flow->refs[k].web, flow->refs[other].web);
        }
    }
    for (int k = first; k < end; k++) {
        const int web = flow->refs[k].web;
        if (flow->refs[k].write && !flow->refs[k].partial)
            builder->live[web >> 6] &= ~(1ULL << (web & 63));
    }
}

// Defines the accumulators of a pool, and reserves the registers in which they are zeroed.
static void begin_pool(struct builder *builder, const struct flow_block *block,
                       struct bits *reserved) {
    const struct flow *flow = builder->flow;
    for (int i = block->first; i <= block->pool_birth; i++) {
        for (int k = flow->first_ref[i]; flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
            add(builder->live, flow->refs[k].web);
            bits_add(reserved, flow->refs[k].reg);
        }
    }
    for (int i = block->first; i <= block->pool_birth; i++) {
        if (flow->pooled[i]) define(builder, i);
    }
}

static bool is_factor(const struct flow *flow, int i, const struct flow_ref *ref) {
    return flow_is_ffma(&flow->code[i]) && (ref->role == SASS_A || ref->role == SASS_B);
}

// Adds the webs that an instruction reads to the live ones. If `note` is true, also records, for
// each factor that an FFMA reads here for the last time, where its margin ends.
static void live_before(struct builder *builder, const struct flow_block *block, int i, bool note) {
    const struct flow *flow = builder->flow;
    for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
        const struct flow_ref *ref = &flow->refs[k];
        if (ref->write) continue;
        if (note && !builder->noted[ref->web] && !has(builder->live, ref->web) &&
            is_factor(flow, i, ref)) {
            const int until =
                i + builder->margin < block->end - 1 ? i + builder->margin : block->end - 1;
            builder->chain[ref->web] = builder->wake[until];
            builder->wake[until] = ref->web;
            builder->noted[ref->web] = true;
        }
        add(builder->live, ref->web);
    }
}

static void forbid_reserved(struct builder *builder, int i, const struct bits *reserved) {
    const struct flow *flow = builder->flow;
    forbid_all(builder->graph, builder->live, reserved);
    for (int k = flow->first_ref[i]; !flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
        struct bits *forbidden = &builder->graph->forbidden[flow->refs[k].web];
        for (int w = 0; flow->refs[k].write && w < 4; w++) forbidden->word[w] |= reserved->word[w];
    }
}

static void live_block(struct builder *builder, const struct flow_block *block, bool note) {
    const struct flow *flow = builder->flow;
    struct bits reserved = {{0}};
    live_at_end(builder, block);
    for (int i = block->end - 1; i >= block->first; i--) {
        for (int web = note ? -1 : builder->wake[i]; web >= 0; web = builder->chain[web])
            add(builder->live, web);
        if (i == block->pool_birth) begin_pool(builder, block, &reserved);
        forbid_reserved(builder, i, &reserved);
        if (!flow->pooled[i]) define(builder, i);
        for (int k = flow->first_ref[i]; flow->pooled[i] && k < flow->first_ref[i + 1]; k++)
            bits_drop(&reserved, flow->refs[k].reg);
        live_before(builder, block, i, note);
    }
}

static void live_all(struct builder *builder) {
    const struct flow *flow = builder->flow;
    for (int i = 0; i < flow->count; i++) builder->wake[i] = -1;
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        if (builder->margin && flow_is_hot(block)) {
            memset(builder->noted, 0, (size_t)flow->web_count);
            live_block(builder, block, true);
        }
        live_block(builder, block, false);
        // Registers that the kernel reads before writing them interfere with each other.
        for (int web = 0; !block->first && web < flow->web_count; web++) {
            if (has(builder->live, web)) exclude_all(builder->graph, web, builder->live);
        }
    }
}

static void make_builder(struct builder *builder, struct graph *graph, const struct flow *flow) {
    *graph = (struct graph){.count = flow->web_count, .words = flow->web_count / 64 + 1};
    builder->flow = flow;
    builder->graph = graph;
    const size_t row = (size_t)graph->words, count = (size_t)flow->web_count + 1;
    ARENA_NEW(&graph->memory, graph->rows, count * row);
    ARENA_NEW(&graph->memory, graph->forbidden, count);
    ARENA_NEW(&builder->memory, builder->flight, (size_t)flow->block_count * SETS * row);
    ARENA_NEW(&builder->memory, builder->now, SETS * row);
    ARENA_NEW(&builder->memory, builder->live, row);
    ARENA_NEW(&builder->memory, builder->wake, (size_t)flow->count + 1);
    ARENA_NEW(&builder->memory, builder->chain, count);
    ARENA_NEW(&builder->memory, builder->noted, count);
}

// --- webs that keep their register ---------------------------------------------------------------

static void pin(struct graph *graph, const struct flow *flow, int web) {
    const uint8_t reg = flow->web_reg[web];
    memset(&graph->forbidden[web], 0xff, sizeof graph->forbidden[web]);
    bits_drop(&graph->forbidden[web], reg);
    for (int other = 0; other < graph->count; other++) {
        if (other != web && graph_has(graph, web, other)) bits_add(&graph->forbidden[other], reg);
    }
}

// Pins the registers in the block of a WARPSYNC.COLLECTIVE and up to its ENDCOLLECTIVE. Only an
// attribute of the file (0x29, bits 0 to 7) names the register with the mask of lanes. With the
// mask in another register, an H200 sometimes reported illegal instructions when lanes had
// diverged.
static void pin_collectives(struct graph *graph, const struct flow *flow) {
    for (int b = 0; b < flow->block_count; b++) {
        if (!flow_is_collective(&flow->code[flow->blocks[b].end - 1])) continue;
        int end = flow->blocks[b].end;
        while (end < flow->count && flow->code[end].form->opcode != SASS_ENDCOLLECTIVE) end++;
        for (int k = flow->first_ref[flow->blocks[b].first]; k < flow->first_ref[end]; k++) {
            if (flow->refs[k].web >= 0) pin(graph, flow, flow->refs[k].web);
        }
    }
}

static void pin_calls(struct graph *graph, const struct flow *flow) {
    for (int i = 0; i < flow->count; i++) {
        for (int k = flow->first_ref[i];
             flow_calls_out(&flow->code[i]) && k < flow->first_ref[i + 1]; k++)
            pin(graph, flow, flow->refs[k].web);
    }
}

void graph_build(struct graph *graph, const struct flow *flow, int margin) {
    struct builder builder = {.margin = margin};
    make_builder(&builder, graph, flow);
    live_all(&builder);
    fly_all(&builder);
    pin_collectives(graph, flow);
    pin_calls(graph, flow);
    arena_clear(&builder.memory);
}

void flow_flight(struct flow *flow) {
    struct graph graph;
    struct builder builder = {0};
    make_builder(&builder, &graph, flow);
    fly_all(&builder);
    for (int b = 0; b < flow->block_count; b++) {
        struct flow_block *block = &flow->blocks[b];
        for (int r = 0; r < FLOW_REGISTERS; r++) {
            for (int s = 0; block->web_in[r] >= 0 && s < SETS; s++) {
                const uint64_t *row =
                    builder.flight + ((size_t)b * SETS + (size_t)s) * (size_t)graph.words;
                if (has(row, block->web_in[r])) bits_add(&block->in_flight, r);
            }
        }
    }
    arena_clear(&builder.memory);
    graph_close(&graph);
}

void graph_close(struct graph *graph) {
    arena_clear(&graph->memory);
    *graph = (struct graph){0};
}
