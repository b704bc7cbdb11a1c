// Chooses the kernels for a shape: estimates the time of each kernel from a few constants
// (dispatch_costs.h) and takes the fastest.
//
// The model: a block walks along K in tiles of 8. Most costs of a kernel are in microseconds:
//
//   start     per launch. SPREAD, times the share of SMs with a block, is added to it, except in
//             stream-K kernels
//   ends      per round of blocks: the latency of the first tiles and of the stores of C
//   store     per tile of C: the stores, at the throughput of an SM
//   alone     per tile along K, for a block that is alone on its SM: latency
//   busy      per tile along K and block, on an SM full of blocks: throughput. The time of a tile
//             along K is the cube root of alone^3 + (balanced(blocks) * busy)^3; in a stream-K
//             kernel it is just `busy`
//   join      per level of the tree that sums the parts of K. In a stream-K kernel: per wait for
//             another block of the tile
//   part      per part that a node of this tree sums
//
// The other costs have no unit:
//
//   odd_store factor of `store` if rows of C are not 16-byte aligned
//   odd       factor of the time along K if N or B's leading dimension is not a multiple of four:
//             B is then copied float by float. In a kernel for one column: factor of `busy` if the
//             leading dimension is 8 or more, so that each float of B is in a sector of its own
//   idle      share of `busy` and `store` that the part of a tile outside C costs: warps there only
//             copy
//   overlap   exponent that combines the times of the blocks and of memory:
//             total^overlap = blocks^overlap + memory^overlap. With 1 the times are added; from 3
//             on the total is close to the longer time
//
// The model ignores L2 and power.
//
// A machine whose times were measured has a table of costs; other machines use the first table. For
// a kernel that was not measured on a machine, the costs are predicted by the model of an SM
// (sasskit/docs/timing.md) or are those of the first table. Its time is then multiplied by `doubt`,
// so that it is chosen only if it is faster by more than the error of its costs. Costs are not used
// for a K far below those that they were fitted to, unless that would exclude every kernel.
#ifndef RULES_DISPATCH_H
#define RULES_DISPATCH_H

#include "base/arith.h"
#include "extras.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// A launch is worth measuring if its expected time is at most this many times the best one.
static const double WORTH = 1.8;
// Microseconds that a launch behind another one saves, compared with a single launch. Measured on
// an H200 for 88 plans of random shapes: median 0.65, mean 1.0.
static const double BEHIND = 1;
// Microseconds that a launch takes beyond `start` if every SM has a block (measured: 0.3 to 0.6 for
// 10 to 100 blocks).
static const double SPREAD = 0.5;

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
    PEELED_TILE = 48 // least columns per tile for which a fringe of columns may be peeled
};

// A row of a table of costs. Costs are floats to keep the browser edition small.
struct kernel_cost {
    // --- the kernel
    const char *variant;
    int block_m, block_n;
    int warps;      // warps per block
    int per_sm;     // number of blocks that an SM holds at once
    int max_blocks; // grid.max_blocks of the variant (extras.h)
    bool stream;    // true for a stream-K kernel

    // --- its costs, explained at the top
    // factor of the expected time: 1 if the costs were measured, more if they were predicted
    float doubt;
    float start, ends, store, odd_store, alone, busy, odd, idle, join, part, overlap;

    // --- the fit
    int times;       // number of measured or predicted times in the fit
    float deviation; // weighted root mean square of the errors of the fit, in percent
    int least_k;     // the least K in the fit
};

enum { KERNELS = 34 };

struct machine {
    const char *device;   // name reported by the driver
    const char *measured; // date and commit of the measurement
    double read, write;   // memory throughput in a short launch, in bytes per microsecond
    struct kernel_cost kernels[KERNELS];
};

#include "dispatch_costs.h"

enum { MACHINES = sizeof machines / sizeof *machines };

// The numbers of parts of K to try; at most as many as there are tiles along K.
static const int parts_tried[] = {1,  2,  3,  4,  5,  6,  7,  8,  10, 12,  14,  16,
                                  20, 24, 28, 32, 40, 48, 56, 64, 96, 128, 192, 256};
enum { PARTS_TRIED = sizeof parts_tried / sizeof *parts_tried };

// Returns the table of a device, or the first one if the device has none or is NULL.
static inline const struct machine *machine_of(const char *device) {
    for (int i = 0; device && i < MACHINES; i++) {
        if (strcmp(machines[i].device, device) == 0) return &machines[i];
    }
    return &machines[0];
}

static inline const char *costs_from(const char *device) {
    return strcmp(device, "simulator") == 0 ? device : machine_of(device)->device;
}

static inline int64_t tiles_of(const struct kernel_cost *c, const struct situation *s) {
    return divide_up(s->m, c->block_m) * divide_up(s->n, c->block_n);
}

static inline int64_t tiles_along_k(const struct situation *s) {
    return s->k > 0 ? divide_up(s->k, TILE_K) : 1;
}

// Returns the time to read A and B, to write C and, if beta is not 0, to read C.
static inline double memory_time(const struct machine *machine, const struct situation *s) {
    const double m = s->m, n = s->n, k = s->k;
    return 4 * (m * k + k * n + (s->reads_c ? m * n : 0)) / machine->read +
           4 * m * n / machine->write;
}

// Combines the time of memory with `time`, in which the blocks run if they never wait for memory.
// Returns `time` unchanged if it is at least `enough`.
static inline double with_memory(const struct machine *machine, const struct kernel_cost *c,
                                 const struct situation *s, double time, double enough) {
    if (time >= enough) return time;
    return pow(pow(time, c->overlap) + pow(memory_time(machine, s), c->overlap), 1 / c->overlap);
}

// Returns true if rows of B are not 16-byte aligned, so that its floats are copied one by one.
static inline bool is_odd_b(const struct situation *s) {
    return s->n % 4 != 0 || s->ldb % 4 != 0;
}
// Returns true if rows of C are not 16-byte aligned.
static inline bool is_odd_c(const struct situation *s) {
    return s->n % 4 != 0 || s->ldc % 4 != 0;
}

static inline double store_time(const struct kernel_cost *c, const struct situation *s) {
    return c->store * (is_odd_c(s) ? c->odd_store : 1);
}

// Returns the mean cost of a tile, as a share of the cost of a tile that lies wholly in C.
static inline double fill(const struct kernel_cost *c, const struct situation *s) {
    const double inside = (double)s->m * s->n / ((double)tiles_of(c, s) * c->block_m * c->block_n);
    return c->idle + (1 - c->idle) * inside;
}

// Returns the time to sum `parts` parts of a tile, up to SUM_FAN at a time.
static inline double sum_time(const struct kernel_cost *c, int64_t parts) {
    double time = 0;
    for (; parts > 1; parts = divide_up(parts, SUM_FAN))
        time += c->join + c->part * (double)(parts < SUM_FAN ? parts : SUM_FAN);
    return time;
}

// Returns an SM's number of blocks, increased until all schedulers have as many warps as the
// fullest one, which determines the time. The result may be a fraction.
static inline double balanced(const struct kernel_cost *c, int64_t blocks) {
    return (double)(divide_up(blocks * c->warps, SCHEDULERS) * SCHEDULERS) / c->warps;
}

// Returns the time in which each of an SM's `blocks` blocks computes one tile along K.
static inline double tile_time(const struct kernel_cost *c, int64_t blocks, double busy) {
    const double together = balanced(c, blocks) * busy;
    return cbrt(c->alone * c->alone * c->alone + together * together * together);
}

static inline bool is_for_columns(const struct kernel_cost *c) {
    return c->block_n == 1;
}

// Returns the factor of `busy` in a kernel for one column (`odd` above): it grows with the number
// of sectors that a warp's load of B touches. Returns 1 for other kernels.
static inline double sectors_factor(const struct kernel_cost *c, const struct situation *s) {
    const int ld = s->ldb > 0 ? s->ldb : s->n, apart = ld < SECTOR_FLOATS ? ld : SECTOR_FLOATS;
    return is_for_columns(c) ? 1 + (c->odd - 1) * (apart - 1) / (SECTOR_FLOATS - 1) : 1;
}

static inline double start_time(const struct kernel_cost *c, const struct situation *s, int parts) {
    const double busy_sms = (double)(tiles_of(c, s) * parts) / s->multiprocessors;
    return c->start + SPREAD * (busy_sms < 1 ? busy_sms : 1);
}

// Returns the time of a kernel that is not stream-K, with `parts` blocks per tile. The SM with the
// most blocks determines it: it runs whole rounds of per_sm blocks, then the rest.
static inline double row_time(const struct machine *machine, const struct kernel_cost *c,
                              const struct situation *s, int parts, double enough) {
    const int64_t fullest = divide_up(tiles_of(c, s) * parts, s->multiprocessors);
    const int64_t rounds = fullest / c->per_sm, rest = fullest % c->per_sm;
    const double depth = (double)divide_up(tiles_along_k(s), parts) *
                         (is_odd_b(s) && !is_for_columns(c) ? c->odd : 1);
    const double store = store_time(c, s) * fill(c, s),
                 busy = c->busy * fill(c, s) * sectors_factor(c, s);
    double time =
        (double)rounds * (c->ends + c->per_sm * store + depth * tile_time(c, c->per_sm, busy));
    if (rest > 0) time += c->ends + (double)rest * store + depth * tile_time(c, rest, busy);
    return start_time(c, s, parts) + with_memory(machine, c, s, time, enough) + sum_time(c, parts);
}

// Returns the time of a stream-K kernel: all blocks have equal shares of the work, and the blocks
// that share a tile add their sums one after the other. If parts is 0, as many blocks run as fit on
// the device.
static inline double stream_time(const struct machine *machine, const struct kernel_cost *c,
                                 const struct situation *s, int parts, double enough) {
    const int64_t tiles = tiles_of(c, s), depth = tiles_along_k(s),
                  places = (int64_t)s->multiprocessors * c->per_sm;
    const int64_t blocks = parts > 0 && tiles * parts < places ? tiles * parts : places;
    const int64_t rounds = tiles % blocks == 0 ? tiles / blocks
                           : tiles < blocks    ? 0
                                               : tiles / blocks - 1;
    const int64_t share = divide_up((tiles - rounds * blocks) * depth, blocks);
    const double busy = c->busy * (is_odd_b(s) ? c->odd : 1), ends = c->ends + store_time(c, s);
    double time = (double)rounds * (ends + (double)depth * busy);
    if (share == 0) return c->start + with_memory(machine, c, s, time, enough);
    // number of blocks that add to a tile before its last block
    const int64_t links = depth % share == 0 ? depth / share - 1 : divide_up(depth, share);
    // number of tiles that a block works on; it may begin anywhere in the first of them
    const int64_t touched = share % depth == 0   ? share / depth
                            : depth % share == 0 ? 1
                                                 : share / depth + 2;
    time += (double)share * busy + ends * (double)touched + c->join * (double)links;
    return c->start + with_memory(machine, c, s, time, enough);
}

// Returns the expected time if it is less than `enough`; otherwise any value of at least `enough`.
static inline double time_below(const struct machine *machine, const struct kernel_cost *c,
                                const struct situation *s, int parts, double enough) {
    return c->stream ? stream_time(machine, c, s, parts, enough)
                     : row_time(machine, c, s, parts, enough);
}

static inline double predicted_time(const struct machine *machine, const struct kernel_cost *c,
                                    const struct situation *s, int parts) {
    return time_below(machine, c, s, parts, INFINITY);
}

// Returns true for `grouped`. stream_16x8 has an equal tile and is faster where it can run.
static inline bool is_slower(const struct kernel_cost *c) {
    return strcmp(c->variant, "grouped") == 0;
}

// Returns the least number of parts that a launch may have. 0 stands for as many blocks as fit,
// even if there are fewer tiles.
static inline int least_parts(const struct kernel_cost *c) {
    return c->stream && c->max_blocks > 0 ? 0 : 1;
}

// Returns false for whole_16x12 on GPUs before sm_80: its 16 x 12 elements per thread need more
// registers than these GPUs have.
static inline bool suits_chip(const struct kernel_cost *c, const struct situation *s) {
    return s->capability == 0 || s->capability >= 80 || strcmp(c->variant, "whole_16x12") != 0;
}

static inline bool may_run(const struct kernel_cost *c, const struct situation *s, int parts) {
    if (!suits_chip(c, s)) return false;
    if (c->stream)
        return s->machine_code && parts >= least_parts(c) && (parts <= 1 || c->max_blocks > 0);
    if (c->max_blocks == 0) return parts == 1 && !(s->machine_code && is_slower(c));
    return parts == 1 || (tiles_of(c, s) * parts <= c->max_blocks && parts <= tiles_along_k(s));
}

// Returns false for a kernel for one row of C if C has more rows than columns: it would read B
// again for each row. Likewise for a kernel for one column if C has more columns than rows.
static inline bool is_longer_side(const struct kernel_cost *c, const struct situation *s) {
    return (c->block_m > 1 || s->m <= s->n) && (c->block_n > 1 || s->n <= s->m);
}

// Returns false for a kernel for a small K if K is outside its range. Above PANEL_MOST, `panel`
// loads B again for every two rows of C. Below PANEL_LEAST, `panel` reaches up to a tenth less
// memory throughput than `flat`, which the costs do not show. `sectors` takes SECTORS_MOST k's at a
// time and was not measured for a larger K.
static inline bool suits_k(const struct kernel_cost *c, const struct situation *s) {
    if (strcmp(c->variant, "panel") == 0) return s->k >= PANEL_LEAST && s->k <= PANEL_MOST;
    return strcmp(c->variant, "sectors") != 0 || s->k <= SECTORS_MOST;
}

// Returns true if the rules may choose this launch. A stream-K kernel with a given number of parts
// per tile may have at most one block per SM.
static inline bool is_possible_launch(const struct kernel_cost *c, const struct situation *s,
                                      int parts) {
    if (c->stream && parts > least_parts(c) && parts * tiles_of(c, s) > s->multiprocessors)
        return false;
    return is_longer_side(c, s) && suits_k(c, s) && may_run(c, s, parts);
}

// Returns true if K is more than a quarter of the least K that the costs were fitted to.
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

// Returns the best single launch and sets *least to its time. If none takes less than `enough`, the
// variant is NULL and *least is `enough`.
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

// Returns the problem of computing a part of C.
static inline struct situation part_of_c(const struct situation *s, int rows, int cols) {
    struct situation part = *s;
    part.m = rows;
    part.n = cols;
    if (!part.ldb) part.ldb = s->n;
    if (!part.ldc) part.ldc = s->n;
    return part;
}

// Adds the best launch for a part of C to a plan, and its time to *time. Returns false if the plan
// then takes `enough` or longer.
static inline bool add_launch(struct plan *plan, double *time, double enough,
                              const struct situation *s, int row, int col, int rows, int cols) {
    const struct situation part = part_of_c(s, rows, cols);
    double more;
    if (rows == 0 || cols == 0) return true;
    const double hidden = plan->count > 0 ? BEHIND : 0;
    struct planned launch = best_launch(&part, enough - *time + hidden, &more);
    *time += more - hidden;
    if (!launch.variant || *time >= enough) return false;
    launch.row = row;
    launch.col = col;
    plan->launches[plan->count++] = launch;
    return true;
}

// Makes a plan that computes the last `right` columns and the last `below` rows of C (the fringes)
// by launches of their own. If it takes less than *least, sets *best to it and *least to its time.
// An empty fringe has no launch. The fringes are planned first, because they show soonest that
// peeling does not pay.
static inline void peel(struct plan *best, double *least, const struct situation *s, int right,
                        int below) {
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

// Returns the best plan of one to three launches, and sets *least to its time. Peeling pays for
// example at 2049 x 2049: 8 x 8 whole tiles, one column and one row take less time than 9 x 9
// tiles.
static inline struct plan best_launches(const struct situation *s, double *least) {
    struct plan best = {.count = 1};
    // numbers of columns and rows in fringes tried so far: several kernels can leave equal fringes
    int tried[3 * KERNELS][2], count = 0;
    best.launches[0] = best_launch(s, INFINITY, least);
    if (!best.launches[0].variant) best.launches[0].variant = "grouped";
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
            peel(&best, least, s, right, below);
        }
    }
    return best;
}

// Returns true if a launch is worth measuring. Its kernel must be expected to take at most WORTH
// times the best time. `parts` must be 0, or between half and twice the best number of parts.
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
        const double time =
            is_possible_launch(c, s, tried) ? predicted_time(machine, c, s, tried) : INFINITY;
        if (time < least_time) least = tried, least_time = time;
    }
    if (c->max_blocks == 0) parts = 1;
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
