// Chooses new registers for the webs of a kernel (lint/flow.h).
//
// With choice_rule.join, the webs that an FFMA adds to and writes are first joined unless they
// interfere: each accumulator then has one register throughout the loop. In the outer product
// c[i][j] += a[i] b[j], the reuse cache serves one side, say a, and each b[j] is read from the
// register file. Then c[i][j] must not be in the bank of b[j]. Factors, often in pairs and quads,
// keep their banks where possible. Accumulators are placed first, and change banks: they exchange
// the registers that the compiler zeroed for them. All other webs then get registers by greedy
// colouring, preferably those that the compiler chose.
#include "rename.h"

#include "isa/encoding.h"

#include <stdlib.h>
#include <string.h>

enum { NO_COLOUR = 255, MAX_TRIES = 400 };

struct colouring {
    struct arena memory;
    const struct flow *flow;
    struct graph graph;
    int limit;
    int *joined;    // per web: its parent in a union-find forest; a tree's webs share a register
    int *side;      // per web: its parent in a second such forest, whose trees are outer products
    bool *flip;     // per web: true if it and its parent are on opposite sides of the outer product
    int *votes;     // per web: votes for an odd register minus votes for an even one
    int *far_votes; // like `votes`, for the case that the reuse cache serves the other side
    bool *tuple;    // per web: true if it is part of a pair or quad
    bool *born;     // per web: true if it is defined in a pool (webs.c)
    bool *keep_bank; // per web: true if hot FFMAs read it as a factor: it keeps its bank
    int *group;      // per web: the first web of its pair or quad
    uint8_t *align;  // per group: required alignment, in registers
    int *order;      // the groups, most constrained first
    int order_count;
    uint8_t *colour;
    int *next;         // per web: the next web of its group; -1 if there is none
    struct bits *busy; // per web: the registers that it cannot have
};

static int find(int *parent, int web) {
    while (parent[web] != web) web = parent[web] = parent[parent[web]];
    return web;
}

static int joined(const struct colouring *chooser, int web) {
    return find(chooser->joined, web);
}

// --- pairs, quads, pools -------------------------------------------------------------------------

static void note_refs(struct colouring *chooser) {
    const struct flow *flow = chooser->flow;
    for (int i = 0; i < flow->count; i++) {
        for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
            const struct flow_ref *ref = &flow->refs[k];
            if (ref->web < 0) continue;
            if (flow->pooled[i]) chooser->born[ref->web] = true;
            if (flow->pooled[i] || ref->width == 1) continue;
            chooser->tuple[ref->web] = true;
            const int base = flow->refs[k - ref->index].web, a = find(chooser->group, base);
            const int b = find(chooser->group, ref->web);
            const uint8_t width = ref->width > chooser->align[a] ? ref->width : chooser->align[a];
            chooser->group[b] = a;
            chooser->align[a] = chooser->align[b] > width ? chooser->align[b] : width;
        }
    }
}

// --- one register for each accumulator -----------------------------------------------------------

static void merge(struct colouring *chooser, int into, int from) {
    struct graph *graph = &chooser->graph;
    uint64_t *a = graph->rows + (size_t)into * (size_t)graph->words;
    const uint64_t *b = graph->rows + (size_t)from * (size_t)graph->words;
    for (int w = 0; w < graph->words; w++) {
        a[w] |= b[w];
        for (uint64_t rest = b[w]; rest; rest &= rest - 1) {
            uint64_t *row =
                graph->rows + (size_t)(w * 64 + __builtin_ctzll(rest)) * (size_t)graph->words;
            row[into >> 6] |= 1ULL << (into & 63);
        }
    }
    for (int w = 0; w < 4; w++) graph->forbidden[into].word[w] |= graph->forbidden[from].word[w];
    chooser->joined[from] = into;
    chooser->born[into] |= chooser->born[from];
}

static const struct flow_ref *ref_of(const struct flow *flow, int i, enum sass_role role) {
    for (int k = flow->first_ref[i]; k < flow->first_ref[i + 1]; k++) {
        if (flow->refs[k].role == role) return &flow->refs[k];
    }
    return NULL;
}

static void join_accumulators(struct colouring *chooser, const struct flow_block *block) {
    const struct flow *flow = chooser->flow;
    for (int i = block->first; i < block->end; i++) {
        if (!flow_is_ffma(&flow->code[i])) continue;
        const int d = joined(chooser, ref_of(flow, i, SASS_D)->web),
                  c = joined(chooser, ref_of(flow, i, SASS_C)->web);
        if (c == d || (chooser->born[c] && chooser->born[d]) || chooser->tuple[c] ||
            chooser->tuple[d] || graph_has(&chooser->graph, c, d))
            continue;
        if (chooser->born[d])
            merge(chooser, d, c);
        else
            merge(chooser, c, d);
    }
}

// --- choice of banks -----------------------------------------------------------------------------

// Returns the root of a web's outer product. Sets *flip to true if the web and the root are on
// opposite sides. The two factors of an FFMA are on opposite sides.
static int side_of(const struct colouring *chooser, int web, bool *flip) {
    *flip = false;
    while (chooser->side[web] != web) {
        *flip ^= chooser->flip[web];
        web = chooser->side[web];
    }
    return web;
}

static void oppose(struct colouring *chooser, int a, int b) {
    bool flip_a, flip_b;
    const int x = side_of(chooser, a, &flip_a), y = side_of(chooser, b, &flip_b);
    if (x == y) return;
    chooser->side[y] = x;
    chooser->flip[y] = flip_a ^ flip_b ^ true;
}

struct ffma_webs {
    int a, b, c; // the webs of its operands
    int root;    // the root of its outer product
    bool flip;   // true if `a` and the root are on opposite sides
};

static struct ffma_webs ffma_of(const struct colouring *chooser, int i) {
    const struct flow *flow = chooser->flow;
    struct ffma_webs ffma = {ref_of(flow, i, SASS_A)->web, ref_of(flow, i, SASS_B)->web,
                             joined(chooser, ref_of(flow, i, SASS_C)->web), 0, false};
    ffma.root = side_of(chooser, ffma.a, &ffma.flip);
    return ffma;
}

static int vote(const struct colouring *chooser, const struct ffma_webs *ffma, bool far) {
    const int fresh = ffma->flip == far ? ffma->a : ffma->b;
    return chooser->flow->web_reg[fresh] & 1 ? -1 : 1;
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

// Votes for the banks of the accumulators of one outer product, which is one step along k. Each
// accumulator should not be in the bank of its factor from the register file. That factor is on the
// side that earlier steps chose for these accumulators or, failing that, on the side that
// neighbouring FFMAs do not share. The reuse cache serves the other side.
static void vote_for(struct colouring *chooser, const struct flow_block *block, int first,
                     int root) {
    const struct flow *flow = chooser->flow;
    int score[2] = {0, 0}, shared[2] = {0, 0};
    struct ffma_webs last = {.a = -1, .b = -1};
    for (int i = first; i < block->end; i++) {
        if (!flow_is_ffma(&flow->code[i])) continue;
        const struct ffma_webs ffma = ffma_of(chooser, i);
        if (ffma.root == root) {
            for (int far = 0; far < 2; far++)
                score[far] += sign(chooser->votes[ffma.c]) * vote(chooser, &ffma, far);
            shared[ffma.flip] += ffma.a == last.a || ffma.a == last.b;
            shared[!ffma.flip] += ffma.b == last.a || ffma.b == last.b;
        }
        last = ffma;
    }
    const bool far = score[0] == score[1] ? shared[0] > shared[1] : score[1] > score[0];
    for (int i = first; i < block->end; i++) {
        if (!flow_is_ffma(&flow->code[i])) continue;
        const struct ffma_webs ffma = ffma_of(chooser, i);
        if (ffma.root != root) continue;
        chooser->votes[ffma.c] += vote(chooser, &ffma, far);
        chooser->far_votes[ffma.c] += vote(chooser, &ffma, !far);
    }
}

static void choose_banks(struct colouring *chooser, const struct flow_block *block, bool *done) {
    const struct flow *flow = chooser->flow;
    for (int i = block->first; i < block->end; i++) {
        if (!flow_is_ffma(&flow->code[i])) continue;
        const int a = ref_of(flow, i, SASS_A)->web, b = ref_of(flow, i, SASS_B)->web;
        chooser->keep_bank[a] = chooser->keep_bank[b] = true;
        oppose(chooser, a, b);
    }
    for (int i = block->first; i < block->end; i++) {
        if (!flow_is_ffma(&flow->code[i])) continue;
        const struct ffma_webs ffma = ffma_of(chooser, i);
        if (done[ffma.root]) continue;
        done[ffma.root] = true;
        vote_for(chooser, block, i, ffma.root);
    }
}

static bool wrong_bank(const struct colouring *chooser, int web, int reg) {
    const int votes = chooser->votes[web];
    return votes && (votes > 0) != (reg & 1);
}

// --- accumulators --------------------------------------------------------------------------------

// Returns true if `reg` is zeroed by every pool that zeroes the accumulator.
static bool pools_zero(const struct colouring *chooser, int web, int reg) {
    const struct flow *flow = chooser->flow;
    for (int b = 0; b < flow->block_count; b++) {
        const struct flow_block *block = &flow->blocks[b];
        bool begins = false, zeroed = false;
        for (int i = block->first; i <= block->pool_birth; i++) {
            for (int k = flow->first_ref[i]; flow->pooled[i] && k < flow->first_ref[i + 1]; k++) {
                begins |= joined(chooser, flow->refs[k].web) == web;
                zeroed |= flow->refs[k].reg == reg;
            }
        }
        if (begins && !zeroed) return false;
    }
    return true;
}

static bool may_have(const struct colouring *chooser, int web, int reg) {
    return !bits_has(&chooser->graph.forbidden[web], reg) && pools_zero(chooser, web, reg);
}

// Leaves the accumulators in the compiler's registers, and then exchanges pairs, where allowed: one
// accumulator in the wrong bank, and one in the other bank that is wrong there or has no votes.
static void place_accumulators(struct colouring *chooser) {
    const struct flow *flow = chooser->flow;
    for (int w = 0; w < flow->web_count; w++) {
        if (joined(chooser, w) == w && chooser->born[w]) chooser->colour[w] = flow->web_reg[w];
    }
    for (int w = 0; w < flow->web_count; w++) {
        if (joined(chooser, w) != w || !chooser->born[w] ||
            !wrong_bank(chooser, w, chooser->colour[w]))
            continue;
        for (int v = w + 1; v < flow->web_count; v++) {
            const uint8_t mine = chooser->colour[w], other = chooser->colour[v];
            if (joined(chooser, v) != v || !chooser->born[v] || ((mine ^ other) & 1) == 0) continue;
            if (!wrong_bank(chooser, v, other) && chooser->votes[v]) continue;
            if (!may_have(chooser, w, other) || !may_have(chooser, v, mine)) continue;
            chooser->colour[w] = other;
            chooser->colour[v] = mine;
            break;
        }
    }
}

// --- all other webs ------------------------------------------------------------------------------

// Returns the registers that a web cannot have: forbidden ones, and those of interfering webs.
static struct bits busy_for(const struct colouring *chooser, int web) {
    const struct graph *graph = &chooser->graph;
    const uint64_t *row = graph->rows + (size_t)web * (size_t)graph->words;
    struct bits busy = graph->forbidden[web];
    for (int w = 0; w < graph->words; w++) {
        for (uint64_t rest = row[w]; rest; rest &= rest - 1) {
            const int other = w * 64 + __builtin_ctzll(rest);
            if (chooser->joined[other] == other && chooser->colour[other] != NO_COLOUR)
                bits_add(&busy, chooser->colour[other]);
        }
    }
    return busy;
}

// Returns false if an accumulator has a forbidden register, or that of an interfering accumulator.
// Joining webs can cause this.
static bool accumulators_fit(const struct colouring *chooser) {
    bool fit = true;
    for (int w = 0; w < chooser->flow->web_count; w++) {
        const struct bits busy = busy_for(chooser, w);
        fit &= joined(chooser, w) != w || !chooser->born[w] || !bits_has(&busy, chooser->colour[w]);
    }
    return fit;
}

// Returns true if every web of the group fits when the group moves by `by` registers from the
// compiler's choice. The webs of a group keep their distances.
static bool group_fits(const struct colouring *chooser, int group, int by) {
    for (int w = group; w >= 0; w = chooser->next[w]) {
        const int reg = chooser->flow->web_reg[w] + by;
        if (reg < 0 || reg >= chooser->limit || bits_has(&chooser->busy[w], reg)) return false;
    }
    return true;
}

static void put_group(struct colouring *chooser, int group, int by, bool away) {
    for (int w = group; w >= 0; w = chooser->next[w])
        chooser->colour[w] = away ? NO_COLOUR : (uint8_t)(chooser->flow->web_reg[w] + by);
}

static bool bank_suits(const struct colouring *chooser, int group, int by) {
    if (chooser->keep_bank[group]) return by % 2 == 0;
    return chooser->align[group] > 1 ||
           !wrong_bank(chooser, group, chooser->flow->web_reg[group] + by);
}

// Gives a group registers, in the right bank if possible: the compiler's choice if it is free,
// otherwise the lowest that fit.
static bool place_group(struct colouring *chooser, int group) {
    const int step = chooser->align[group], home = chooser->flow->web_reg[group];
    for (int w = group; w >= 0; w = chooser->next[w]) chooser->busy[w] = busy_for(chooser, w);
    for (int any = 0; any < 2; any++) {
        if ((any || bank_suits(chooser, group, 0)) && group_fits(chooser, group, 0)) {
            put_group(chooser, group, 0, false);
            return true;
        }
        for (int to = home % step; to < chooser->limit; to += step) {
            if ((!any && !bank_suits(chooser, group, to - home)) ||
                !group_fits(chooser, group, to - home))
                continue;
            put_group(chooser, group, to - home, false);
            return true;
        }
    }
    return false;
}

static int degree(const struct graph *graph, int web) {
    int count = 0;
    for (int w = 0; w < graph->words; w++)
        count += __builtin_popcountll(graph->rows[(size_t)web * (size_t)graph->words + (size_t)w]);
    return count;
}

// the chooser that harder_first() compares for: qsort() passes no context
static const struct colouring *sorting;
static int harder_first(const void *left, const void *right) {
    const int a = *(const int *)left, b = *(const int *)right;
    const int align = sorting->align[b] - sorting->align[a];
    const int more = degree(&sorting->graph, b) - degree(&sorting->graph, a);
    return align ? align : more ? more : a - b;
}

static void list_groups(struct colouring *chooser) {
    const struct flow *flow = chooser->flow;
    for (int w = 0; w < flow->web_count; w++) chooser->group[w] = find(chooser->group, w);
    // A group is identified by its lowest web.
    int *lowest = chooser->order;
    for (int w = 0; w < flow->web_count; w++) lowest[w] = -1;
    for (int w = 0; w < flow->web_count; w++) {
        const int root = chooser->group[w];
        if (lowest[root] < 0) {
            lowest[root] = w;
            if (chooser->align[root] > chooser->align[w]) chooser->align[w] = chooser->align[root];
        }
        chooser->group[w] = lowest[root];
    }
    for (int w = flow->web_count - 1; w >= 0; w--) {
        const int first = chooser->group[w];
        if (w == first) continue;
        chooser->next[w] = chooser->next[first];
        chooser->next[first] = w;
    }
    for (int w = 0; w < flow->web_count; w++) {
        if (joined(chooser, w) == w && chooser->group[w] == w && !chooser->born[w])
            chooser->order[chooser->order_count++] = w;
    }
    sorting = chooser;
    qsort(chooser->order, (size_t)chooser->order_count, sizeof *chooser->order, harder_first);
}

// Colours greedily. A group that finds no register moves to the front, and the colouring starts
// again.
static bool place_groups(struct colouring *chooser) {
    for (int try = 0; try < MAX_TRIES; try++) {
        int failed = -1;
        for (int g = 0; g < chooser->order_count; g++)
            put_group(chooser, chooser->order[g], 0, true);
        for (int g = 0; failed < 0 && g < chooser->order_count; g++) {
            if (!place_group(chooser, chooser->order[g])) failed = g;
        }
        if (failed <= 0) return failed < 0;
        const int group = chooser->order[failed];
        memmove(chooser->order + 1, chooser->order, (size_t)failed * sizeof *chooser->order);
        chooser->order[0] = group;
    }
    return false;
}

// The arrays of struct colouring that have one element per web.
#define LISTS(each) \
    each(joined) each(side) each(flip) each(votes) each(far_votes) each(tuple) each(born) \
        each(keep_bank) each(group) each(align) each(order) each(next) each(busy)
#define MAKE(name) ARENA_NEW(&chooser->memory, chooser->name, count);

static void make_chooser(struct colouring *chooser, const struct flow *flow, int margin) {
    const size_t count = (size_t)flow->web_count + 1;
    chooser->flow = flow;
    LISTS(MAKE)
    for (int w = 0; w < flow->web_count; w++) {
        chooser->joined[w] = chooser->side[w] = chooser->group[w] = w;
        chooser->align[w] = 1;
        chooser->next[w] = -1;
        chooser->colour[w] = NO_COLOUR;
    }
    graph_build(&chooser->graph, flow, margin);
}

static bool choose(struct colouring *chooser, const struct choice_rule *rule) {
    const struct flow *flow = chooser->flow;
    bool *done;
    ARENA_NEW(&chooser->memory, done, (size_t)flow->web_count + 1);
    note_refs(chooser);
    for (int b = 0; rule->join && b < flow->block_count; b++) {
        if (flow_is_hot(&flow->blocks[b])) join_accumulators(chooser, &flow->blocks[b]);
    }
    for (int b = 0; b < flow->block_count; b++) {
        if (flow_is_hot(&flow->blocks[b])) choose_banks(chooser, &flow->blocks[b], done);
    }
    for (int w = 0; rule->other_side && w < flow->web_count; w++)
        chooser->votes[w] = chooser->far_votes[w];
    place_accumulators(chooser);
    list_groups(chooser);
    return accumulators_fit(chooser) && place_groups(chooser);
}

bool choose_registers(const struct flow *flow, int limit, const struct choice_rule *rule,
                      uint8_t *colour) {
    struct colouring chooser = {.limit = limit, .colour = colour};
    make_chooser(&chooser, flow, rule->margin);
    const bool good = choose(&chooser, rule);
    for (int w = 0; good && w < flow->web_count; w++) colour[w] = colour[joined(&chooser, w)];
    graph_close(&chooser.graph);
    arena_clear(&chooser.memory);
    return good;
}
