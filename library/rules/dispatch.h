// Which kernel for which shape: the time of each is estimated from a few constants (dispatch_costs.h), and the least is taken.
//
// A block walks along K in tiles of 8. A kernel's costs, in microseconds:
//
//   start   once a launch; one that has a block for every SM takes SPREAD longer than one of few blocks
//   ends    once a round of blocks: the first tiles must arrive, C must be stored
//   store   a block's tile of C, of the SM's throughput; times odd_store where N is not a multiple of four
//   alone   a tile along K, of a block that has its SM to itself: latencies
//   busy    a tile along K, of a block among as many as fit: the SM's throughput, shared by them. The cube root of the sum of the cubes
//           of this and the one before counts: in between, blocks wait for both
//   odd     factor of the last two where N or B's leading dimension is not a multiple of four, so that B is copied float by float; in a
//           kernel for columns, factor of `busy` where it is eight or more, so that each float of a column of B is in a sector of its own
//   idle    what a part of a tile that lies outside C takes, of `busy` and `store` of one inside: its warps only copy
//   join    a branch of the sum over parts; of a stream-K kernel, the wait for the block before
//   part    a part to be summed there
//
//   overlap how much of the blocks' work and of memory's goes on at the same time: time^overlap + memory^overlap is the whole^overlap.
//           At 1 one follows the other, as in a kernel whose blocks load and then compute; at 3 and more the longer counts
//
// What the model leaves out: L2, power.
//
// Costs are a machine's: each has its own table, and one without a table goes by the first. A kernel that was not measured there has
// costs that the model of an SM predicts (docs/timing.md); it is chosen only where it is faster by more than that may be wrong,
// `doubt`. And a row knows nothing of a K far below those it was fitted to: at a small K a kernel does other work than before.
#ifndef RULES_DISPATCH_H
#define RULES_DISPATCH_H

#include "more.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double WORTH = 1.8; // times the best that the rules expect
static const double PEEL =
    0.98; // several launches must be expected to take less than this part of one: estimates are not exact
// A launch behind another one takes BEHIND microseconds less than alone (measured: 4.3 and 5.4), but adds at least
// LEAST_BEHIND (measured: 1.75, on products of some hundred elements).
static const double BEHIND = 4, LEAST_BEHIND = 1.75;
static const double SPREAD = 0.5; // microseconds; measured: 0.3 to 0.6 from ten blocks to a hundred

enum {
    TILE_K = 8,
    SUM_FAN = 8,
    PANEL_LEAST = 5,
    PANEL_MOST = 20,
    SECTORS_MOST = 8,
    COST_COUNT = 11,
    K_BEYOND = 4,
    SCHEDULERS = 4,
    SECTOR_FLOATS = 8,
    PEELED_TILE = 48 // columns of the least tile that is worth keeping whole
};

struct kernel_cost {
    const char *variant;
    int block_m, block_n;
    int warps;  // of a block
    int per_sm; // blocks that an SM runs at once
    int slots;  // as in step.h
    bool stream;
    float doubt; // factor of what is expected: 1 for costs that were measured, more for those of a model
    float start, ends, store, odd_store, alone, busy, odd, idle, join, part,
        overlap;     // float: a page loads these tables
    int times;       // that it was fitted to
    float deviation; // of them, weighted, root mean square, in percent
    int least_k;     // the least K among them
};

enum { KERNELS = 34 };

struct machine {
    const char *device;   // as the driver calls it
    const char *measured; // when, and with which commit
    double read, write;   // bytes a microsecond that memory gives to a short launch, and takes
    struct kernel_cost kernels[KERNELS];
};

#include "dispatch_costs.h"

enum { MACHINES = sizeof machines / sizeof *machines };

// What is tried; more parts than there are tiles along K are not.
static const int parts_tried[] = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12,  14,  16,
                                  20, 24, 28, 32, 40, 48, 56, 64, 96, 128, 192, 256};
enum { PARTS_TRIED = sizeof parts_tried / sizeof *parts_tried };

// The costs for a device, NULL for none in particular: its own, or those of the first machine. The simulator is one of the first.
static inline const struct machine *machine_of(const char *device) {
    for (int i = 0; device && i < MACHINES; i++) {
        if (strcmp(machines[i].device, device) == 0) return &machines[i];
    }
    return &machines[0];
}

static inline const char *costs_from(const char *device) {
    return strcmp(device, "simulator") == 0 ? device : machine_of(device)->device;
}

static inline int64_t up(int64_t value, int64_t by) {
    return (value + by - 1) / by;
}

static inline int64_t tiles_of(const struct kernel_cost *c, const struct situation *s) {
    return up(s->m, c->block_m) * up(s->n, c->block_n);
}

static inline int64_t tiles_along_k(const struct situation *s) {
    return s->k > 0 ? up(s->k, TILE_K) : 1;
}

// The least that memory needs: A, B and C, each moved once, and C both ways where beta is not 0.
static inline double memory_time(const struct machine *machine, const struct situation *s) {
    const double m = s->m, n = s->n, k = s->k;
    return 4 * (m * k + k * n + (s->reads_c ? m * n : 0)) / machine->read + 4 * m * n / machine->write;
}

// The time of both, which is no less than either: not reckoned where one is `enough`.
static inline double with_memory(const struct machine *machine, const struct kernel_cost *c, const struct situation *s,
                                 double time, double enough) {
    if (time >= enough) return time;
    return pow(pow(time, c->overlap) + pow(memory_time(machine, s), c->overlap), 1 / c->overlap);
}

// Whether four neighbours in a row of B, or of C, are moved one by one.
static inline bool is_odd_b(const struct situation *s) {
    return s->n % 4 != 0 || s->ldb % 4 != 0;
}
static inline bool is_odd_c(const struct situation *s) {
    return s->n % 4 != 0 || s->ldc % 4 != 0;
}

static inline double store_time(const struct kernel_cost *c, const struct situation *s) {
    return c->store * (is_odd_c(s) ? c->odd_store : 1);
}

// What the mean tile takes of the time of one that lies wholly in C.
static inline double fill(const struct kernel_cost *c, const struct situation *s) {
    const double inside = (double)s->m * s->n / ((double)tiles_of(c, s) * c->block_m * c->block_n);
    return c->idle + (1 - c->idle) * inside;
}

// Summing `parts` parts of a tile, as a tree.
static inline double sum_time(const struct kernel_cost *c, int64_t parts) {
    double time = 0;
    for (; parts > 1; parts = up(parts, SUM_FAN))
        time += c->join + c->part * (double)(parts < SUM_FAN ? parts : SUM_FAN);
    return time;
}

// An odd number of blocks of two warps takes an SM as long as one more: two of its schedulers have a warp more than the others.
static inline double evened(const struct kernel_cost *c, int64_t blocks) {
    return (double)(up(blocks * c->warps, SCHEDULERS) * SCHEDULERS) / c->warps;
}

// A tile along K of each of an SM's `blocks`.
static inline double tile_time(const struct kernel_cost *c, int64_t blocks, double busy) {
    const double together = evened(c, blocks) * busy;
    return cbrt(c->alone * c->alone * c->alone + together * together * together);
}

static inline bool is_for_columns(const struct kernel_cost *c) {
    return c->block_n == 1;
}

// Factor of `busy`: sectors that a warp's load of a column of B touches.
static inline double spread(const struct kernel_cost *c, const struct situation *s) {
    const int ld = s->ldb > 0 ? s->ldb : s->n, apart = ld < SECTOR_FLOATS ? ld : SECTOR_FLOATS;
    return is_for_columns(c) ? 1 + (c->odd - 1) * (apart - 1) / (SECTOR_FLOATS - 1) : 1;
}

static inline double start_time(const struct kernel_cost *c, const struct situation *s, int parts) {
    const double busy_sms = (double)(tiles_of(c, s) * parts) / s->multiprocessors;
    return c->start + SPREAD * (busy_sms < 1 ? busy_sms : 1);
}

// `tiles` tiles of C with `parts` blocks each: whole rounds of blocks on the fullest SM, and what is left over.
static inline double row_time(const struct machine *machine, const struct kernel_cost *c, const struct situation *s,
                              int parts, double enough) {
    const int64_t fullest = up(tiles_of(c, s) * parts, s->multiprocessors);
    const int64_t rounds = fullest / c->per_sm, rest = fullest % c->per_sm;
    const double depth = (double)up(tiles_along_k(s), parts) * (is_odd_b(s) && !is_for_columns(c) ? c->odd : 1);
    const double store = store_time(c, s) * fill(c, s), busy = c->busy * fill(c, s) * spread(c, s);
    double time = (double)rounds * (c->ends + c->per_sm * store + depth * tile_time(c, c->per_sm, busy));
    if (rest > 0) time += c->ends + (double)rest * store + depth * tile_time(c, rest, busy);
    return start_time(c, s, parts) + with_memory(machine, c, s, time, enough) + sum_time(c, parts);
}

// All blocks the same share; a tile that is cut is added to by one block after the other. parts 0: all blocks that fit.
static inline double stream_time(const struct machine *machine, const struct kernel_cost *c, const struct situation *s,
                                 int parts, double enough) {
    const int64_t tiles = tiles_of(c, s), depth = tiles_along_k(s), places = (int64_t)s->multiprocessors * c->per_sm;
    const int64_t blocks = parts > 0 && tiles * parts < places ? tiles * parts : places;
    const int64_t rounds = tiles % blocks == 0 ? tiles / blocks : tiles < blocks ? 0 : tiles / blocks - 1;
    const int64_t share = up((tiles - rounds * blocks) * depth, blocks);
    const double busy = c->busy * (is_odd_b(s) ? c->odd : 1), ends = c->ends + store_time(c, s);
    double time = (double)rounds * (ends + (double)depth * busy);
    if (share == 0) return c->start + with_memory(machine, c, s, time, enough);
    const int64_t links =
        depth % share == 0 ? depth / share - 1 : up(depth, share); // blocks before the last one of a tile
    const int64_t touched = share % depth == 0   ? share / depth
                            : depth % share == 0 ? 1
                                                 : share / depth + 2; // tiles, of a block that begins anywhere in one
    time += (double)share * busy + ends * (double)touched + c->join * (double)links;
    return c->start + with_memory(machine, c, s, time, enough);
}

// Some time that is no less than `enough` where it is that long.
static inline double time_below(const struct machine *machine, const struct kernel_cost *c, const struct situation *s,
                                int parts, double enough) {
    return c->stream ? stream_time(machine, c, s, parts, enough) : row_time(machine, c, s, parts, enough);
}

static inline double predicted_time(const struct machine *machine, const struct kernel_cost *c,
                                    const struct situation *s, int parts) {
    return time_below(machine, c, s, parts, INFINITY);
}

// stream_16x8 has the tile of `grouped`, and is faster where there is machine code.
static inline bool is_slower(const struct kernel_cost *c) {
    return strcmp(c->variant, "grouped") == 0;
}

// 0: as many blocks as fit, also where tiles are fewer.
static inline int least_parts(const struct kernel_cost *c) {
    return c->stream && c->slots > 0 ? 0 : 1;
}

// sm_75 has too few registers for 16 x 12 elements per thread.
static inline bool suits_chip(const struct kernel_cost *c, const struct situation *s) {
    return s->capability == 0 || s->capability >= 80 || strcmp(c->variant, "whole_16x12") != 0;
}

static inline bool may_run(const struct kernel_cost *c, const struct situation *s, int parts) {
    if (!suits_chip(c, s)) return false;
    if (c->stream) return s->machine_code && parts >= least_parts(c) && (parts <= 1 || c->slots > 0);
    if (c->slots == 0) return parts == 1 && !(s->machine_code && is_slower(c));
    return parts == 1 || (tiles_of(c, s) * parts <= c->slots && parts <= tiles_along_k(s));
}

// A kernel for one row of C, or one column, reads the other matrix again for each further one.
static inline bool is_longer_side(const struct kernel_cost *c, const struct situation *s) {
    return (c->block_m > 1 || s->m <= s->n) && (c->block_n > 1 || s->n <= s->m);
}

// `panel` loads B again for every two rows of C where K passes PANEL_MOST; with less than PANEL_LEAST its long blocks take memory up to a tenth longer
// than `flat` does, which the costs do not see. `sectors` takes SECTORS_MOST k's at a time, and was measured for no more.
static inline bool suits_k(const struct kernel_cost *c, const struct situation *s) {
    if (strcmp(c->variant, "panel") == 0) return s->k >= PANEL_LEAST && s->k <= PANEL_MOST;
    return strcmp(c->variant, "sectors") != 0 || s->k <= SECTORS_MOST;
}

// Beyond one a tile, a stream-K kernel's blocks are no more than the SMs.
static inline bool is_possible_launch(const struct kernel_cost *c, const struct situation *s, int parts) {
    if (c->stream && parts > 1 && parts * tiles_of(c, s) > s->multiprocessors) return false;
    return is_longer_side(c, s) && suits_k(c, s) && may_run(c, s, parts);
}

// K is not less than a quarter of the least that the costs were fitted to.
static inline bool is_known(const struct kernel_cost *c, const struct situation *s) {
    return (int64_t)s->k * K_BEYOND > c->least_k;
}

static inline bool anything_known(const struct machine *machine, const struct situation *s) {
    for (int k = 0; k < KERNELS; k++) {
        if (is_known(&machine->kernels[k], s) && may_run(&machine->kernels[k], s, 1)) return true;
    }
    return false;
}

static inline int kernel_named(const char *variant) {
    for (int k = 0; k < KERNELS; k++) {
        if (strcmp(machines[0].kernels[k].variant, variant) == 0) return k;
    }
    return -1;
}

// The best single launch that takes less than `enough`, and its time; no launch, and `enough`, if there is none.
static inline struct planned best_launch(const struct situation *s, double enough, double *least) {
    const struct machine *machine = machine_of(s->device);
    struct planned best = {NULL, 1, 0, 0, s->m, s->n};
    const bool all = !anything_known(machine, s);
    *least = enough;
    for (int k = 0; k < KERNELS; k++) {
        const struct kernel_cost *c = &machine->kernels[k];
        if (!all && !is_known(c, s)) continue;
        for (int p = least_parts(c) ? 0 : -1; p < PARTS_TRIED; p++) {
            const int parts = p < 0 ? 0 : parts_tried[p];
            if (!is_possible_launch(c, s, parts)) break;
            const double time = time_below(machine, c, s, parts, *least / c->doubt) * c->doubt;
            if (time >= *least) continue;
            *least = time;
            best.variant = c->variant;
            best.parts = parts;
        }
    }
    return best;
}

// A part of C as a problem of its own.
static inline struct situation part_of_c(const struct situation *s, int rows, int cols) {
    struct situation part = *s;
    part.m = rows;
    part.n = cols;
    if (!part.ldb) part.ldb = s->n;
    if (!part.ldc) part.ldc = s->n;
    return part;
}

// Adds the best launch for a part of C to a plan, if all of it then takes less than `enough`.
static inline bool add_launch(struct plan *plan, double *time, double enough, const struct situation *s, int row,
                              int col, int rows, int cols) {
    const struct situation part = part_of_c(s, rows, cols);
    double more;
    if (rows == 0 || cols == 0) return true;
    const double hidden = plan->count > 0 ? BEHIND : 0;
    struct planned launch = best_launch(&part, enough - *time + hidden, &more);
    *time += plan->count > 0 && more - hidden < LEAST_BEHIND ? LEAST_BEHIND : more - hidden;
    if (!launch.variant || *time >= enough) return false;
    launch.row = row;
    launch.col = col;
    plan->launches[plan->count++] = launch;
    return true;
}

// Peels: a launch for whole tiles, one for `right` columns beside them and one for `below` rows under both, if that takes less than
// *least. The small parts are planned first: they show soonest that it does not pay.
static inline void peel(struct plan *best, double *least, const struct situation *s, int right, int below) {
    struct plan plan = {0};
    double time = 0;
    if (!add_launch(&plan, &time, *least, s, s->m - below, 0, below, s->n) ||
        !add_launch(&plan, &time, *least, s, 0, s->n - right, s->m - below, right) ||
        !add_launch(&plan, &time, *least, s, 0, 0, s->m - below, s->n - right))
        return;
    best->count = plan.count;
    for (int i = 0; i < plan.count; i++) best->launches[i] = plan.launches[plan.count - 1 - i];
    *least = time;
}

// One launch, or up to three: 2049 x 2049 are eight by eight tiles, one column of C and one row, for which nine by nine are dear.
static inline struct plan best_launches(const struct situation *s, double *least) {
    struct plan best = {.count = 1};
    int tried[3 * KERNELS][2], count = 0; // columns and rows that were peeled off; several kernels leave as many
    best.launches[0] = best_launch(s, INFINITY, least);
    if (!best.launches[0].variant) best.launches[0].variant = "grouped";
    double peeled = PEEL * *least;
    for (int k = 0; k < KERNELS; k++) {
        const struct kernel_cost *c = &machines[0].kernels[k];
        const int cols = s->n % c->block_n, rows = s->m % c->block_m;
        const int cuts[][2] = {{0, rows}, {cols, 0}, {cols, rows}};
        for (int i = 0; i < (c->block_n < PEELED_TILE ? 1 : 3); i++) {
            const int right = cuts[i][0], below = cuts[i][1];
            int known = 0;
            while (known < count && (tried[known][0] != right || tried[known][1] != below)) known++;
            if (known < count || right == s->n || below == s->m || right + below == 0) continue;
            tried[count][0] = right, tried[count++][1] = below;
            peel(&best, &peeled, s, right, below);
        }
    }
    if (best.count > 1) *least = peeled;
    return best;
}

// A kernel is worth measuring on a shape where the rules expect it not far behind the best, with numbers of parts from half to twice
// the one that they take to be its best; a stream-K kernel also with all blocks that fit.
static inline bool is_candidate(const struct situation *s, const char *variant, int parts) {
    const struct machine *machine = machine_of(s->device);
    const int number = kernel_named(variant);
    if (number < 0) return false;
    const struct kernel_cost *c = &machine->kernels[number];
    double best, least_time = INFINITY;
    int least = 1;
    best_launch(s, INFINITY, &best);
    for (int p = least_parts(c) ? 0 : -1; p < PARTS_TRIED; p++) {
        const int tried = p < 0 ? 0 : parts_tried[p];
        const double time = is_possible_launch(c, s, tried) ? predicted_time(machine, c, s, tried) : INFINITY;
        if (time < least_time) least = tried, least_time = time;
    }
    if (c->slots == 0) parts = 1;
    if (parts < least_parts(c)) return false;
    if (!is_possible_launch(c, s, parts) || least_time > WORTH * best) return false;
    return parts == 0 || (2 * parts >= least && parts <= 2 * (least > 0 ? least : 1));
}

static inline struct plan choose_plan(const struct situation *s) {
    double least;
    return best_launches(s, &least);
}

static inline double expected_time(const struct situation *s) {
    double least;
    best_launches(s, &least);
    return least;
}

#endif
