// Computes webs: all definitions that can reach one use share a web, and so a register.
//
// Each register that is live at the start of a block has a web there, and each definition starts a
// new one. At a block's end, the web of a register that is live in a next block is joined with the
// register's web there. A guarded write is joined with the old value, which may remain.
//
// Pools: it does not matter which accumulators an instruction zeroes (a CS2R zeroes two adjacent
// registers). So the instructions that zero accumulators in a block form a pool. They keep their
// registers, and the accumulators may exchange theirs; these count as defined after the whole pool.
#include "rename.h"

#include <string.h>

struct joiner {
    struct arena memory;
    int *parent;
    uint8_t *reg;
    int count, room;
};

static int root_of(struct joiner *joiner, int web) {
    while (joiner->parent[web] != web)
        web = joiner->parent[web] = joiner->parent[joiner->parent[web]];
    return web;
}

static void join(struct joiner *joiner, int a, int b) {
    if (a < 0 || b < 0) return;
    a = root_of(joiner, a);
    b = root_of(joiner, b);
    joiner->parent[a < b ? b : a] = a < b ? a : b;
}

static int new_web(struct joiner *joiner, int reg) {
    const int web = joiner->count++;
    joiner->parent[web] = web;
    joiner->reg[web] = (uint8_t)reg;
    return web;
}

static void be_born(struct flow *flow, struct joiner *joiner, const struct flow_block *block,
                    int *current) {
    for (int i = block->first; i <= block->pool_birth; i++) {
        for (int k = flow->first_ref[i]; flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
            struct flow_ref *ref = &flow->refs[k];
            current[ref->reg] = ref->web = new_web(joiner, ref->reg);
        }
    }
}

static void walk(struct flow *flow, struct joiner *joiner, const struct flow_block *block,
                 int *current) {
    for (int i = block->first; i < block->end; i++) {
        for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
            struct flow_ref *ref = &flow->refs[k];
            if (ref->write) continue;
            if (current[ref->reg] < 0) current[ref->reg] = new_web(joiner, ref->reg);
            ref->web = current[ref->reg];
        }
        for (int k = flow->first_ref[i]; !flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
            struct flow_ref *ref = &flow->refs[k];
            if (!ref->write) continue;
            const int old = current[ref->reg];
            current[ref->reg] = ref->web = new_web(joiner, ref->reg);
            if (ref->partial) join(joiner, ref->web, old);
        }
        if (i == block->pool_birth) be_born(flow, joiner, block, current);
    }
}

// Numbers the webs, which are the roots of the union-find forest, from 0.
static void compact(struct flow *flow, struct joiner *joiner) {
    int *number;
    ARENA_NEW(&joiner->memory, number, (size_t)joiner->count + 1);
    ARENA_NEW(&flow->memory, flow->web_reg, (size_t)joiner->count + 1);
    flow->web_count = 0;
    for (int w = 0; w < joiner->count; w++) {
        if (root_of(joiner, w) != w) continue;
        flow->web_reg[flow->web_count] = joiner->reg[w];
        number[w] = flow->web_count++;
    }
    for (int k = 0; k < flow->first_ref[flow->count]; k++) {
        if (flow->refs[k].web >= 0) flow->refs[k].web = number[root_of(joiner, flow->refs[k].web)];
    }
    for (int b = 0; b < flow->block_count; b++) {
        for (int r = 0; r < FLOW_REGISTERS; r++) {
            int *web = &flow->blocks[b].web_in[r];
            if (*web >= 0) *web = number[root_of(joiner, *web)];
        }
    }
}

static void join_webs(struct flow *flow, struct joiner *joiner) {
    int current[256];
    for (int b = 0; b < flow->block_count; b++) {
        struct flow_block *block = &flow->blocks[b];
        if (!block->web_in) ARENA_NEW(&flow->memory, block->web_in, 256);
        for (int r = 0; r < 256; r++)
            block->web_in[r] = bits_has(&block->live_in, r) ? new_web(joiner, r) : -1;
    }
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        memcpy(current, block->web_in, sizeof current);
        walk(flow, joiner, block, current);
        for (int n = 0; n < block->next_count; n++) {
            const int *next = flow->blocks[block->next[n]].web_in;
            for (int r = 0; r < FLOW_REGISTERS; r++) {
                if (next[r] >= 0) join(joiner, current[r], next[r]);
            }
        }
    }
    compact(flow, joiner);
}

static void build(struct flow *flow) {
    struct joiner joiner = {0};
    joiner.room = flow->first_ref[flow->count] * 2 + flow->block_count * 256 + 1;
    ARENA_NEW(&joiner.memory, joiner.parent, (size_t)joiner.room);
    ARENA_NEW(&joiner.memory, joiner.reg, (size_t)joiner.room);
    join_webs(flow, &joiner);
    arena_clear(&joiner.memory);
}

// --- pools of zeros ------------------------------------------------------------------------------

// Marks the webs in which FFMAs of hot blocks accumulate.
static void mark_accumulators(const struct flow *flow, bool *accumulator) {
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        if (!flow_is_hot(block)) continue;
        for (int i = block->first; i < block->end; i++) {
            if (!flow_is_ffma(&flow->code[i])) continue;
            for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
                if (flow->refs[k].role == SASS_C) accumulator[flow->refs[k].web] = true;
            }
        }
    }
}

static bool touched_between(const struct flow *flow, int reg, int first, int end) {
    for (int k = flow->first_ref[first]; k < flow->first_ref[end]; k++) {
        if (flow->refs[k].reg == reg) return true;
    }
    return false;
}

static void make_pool(struct flow *flow, struct flow_block *block, const bool *accumulator) {
    block->pool_birth = -1;
    for (int i = block->first; i < block->end; i++) {
        bool all = flow_is_zero(&flow->code[i]) && flow->first_ref[i] < flow->first_ref[i + 1];
        for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++)
            all &= accumulator[flow->refs[k].web];
        flow->pooled[i] = all;
        if (all) block->pool_birth = i;
    }
    for (int i = block->first; i < block->pool_birth; i++) {
        for (int k = flow->first_ref[i]; flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
            if (touched_between(flow, flow->refs[k].reg, i + 1, block->pool_birth + 1))
                flow->pooled[i] = false;
        }
    }
}

// Unmarks accumulators that are part of a pair or quad outside the pools, and so cannot be
// exchanged. Returns true if there was one.
static bool drop_tuples(const struct flow *flow, bool *accumulator) {
    bool found = false;
    for (int i = 0; i < flow->count; i++) {
        for (int k = flow->first_ref[i]; !flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
            bool *one = &accumulator[flow->refs[k].web];
            if (flow->refs[k].width == 1 || !*one) continue;
            *one = false;
            found = true;
        }
    }
    return found;
}

void flow_webs(struct flow *flow) {
    bool *accumulator;
    build(flow);
    ARENA_NEW(&flow->memory, accumulator, (size_t)flow->web_count + 1);
    mark_accumulators(flow, accumulator);
    do {
        for (int b = 0; b < flow->block_count; b++) make_pool(flow, &flow->blocks[b], accumulator);
    } while (drop_tuples(flow, accumulator));
    build(flow);
}
