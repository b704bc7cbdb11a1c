// Expected times of `mended`, `few_rows` and `few_cols` of step 13. `safe` runs the fastest of
// them, or `shapes/dispatch` if that is expected to be faster.
//
// Costs of each variant, in microseconds:
//
//   launches  per product, whatever its shape
//   row       per row of A, in the kernel `survey` (split.h)
//   of_a      per element of A, for all reads and writes before the MMAs
//   of_b      per element of B, for all reads and writes before the MMAs
//   round     per round, in which each SM has one block: its first copies and its stores
//   tile_k    per round and tile along K
//
// The estimate ignores L2, power, unaligned rows, and operands that need BF16 or FP32.
#ifndef TENSOR_CORES_SAFE_H
#define TENSOR_CORES_SAFE_H

#include "extras.h"
#include "layout.h"

#include <math.h>
#include <string.h>

struct launches_cost {
    float launches, row, of_a, of_b, round, tile_k; // floats keep the browser edition small
};

struct tensor_cost {
    const char *device; // name reported by the driver
    struct launches_cost mended, few_rows, few_cols;
};

// Costs of a variant that was not measured: its time is infinite, so it is never chosen.
#define UNMEASURED \
    { INFINITY, 0, 0, 0, 0, 0 }
#include "safe_costs.def"

enum { TENSOR_MACHINES = sizeof tensor_costs / sizeof *tensor_costs };

// Returns the costs of a device, or the first ones if the device has none or is NULL.
static inline const struct tensor_cost *tensor_cost_of(const char *device) {
    for (int i = 0; device && i < TENSOR_MACHINES; i++) {
        if (strcmp(tensor_costs[i].device, device) == 0) return &tensor_costs[i];
    }
    return &tensor_costs[0];
}

static inline const char *tensor_costs_from(const char *device) {
    return strcmp(device, "simulator") == 0 ? device : tensor_cost_of(device)->device;
}

static inline double launches_time(const struct launches_cost *c, const struct situation *s,
                                   int64_t blocks, int64_t tiles_k) {
    const int64_t rounds = (blocks + s->multiprocessors - 1) / s->multiprocessors;
    return c->launches + c->row * s->m + (c->of_a * s->m + c->of_b * s->n) * s->k +
           (double)rounds * (c->round + c->tile_k * (double)tiles_k);
}

// Returns the microseconds that `mended` takes. Each of its blocks computes tiles of 128 x 128.
static inline double mended_time(const struct situation *s) {
    const struct layout l = make_layout(s->m, s->n, s->k, 2);
    return launches_time(&tensor_cost_of(s->device)->mended, s,
                         l.rows_a / WHOLE_COLS * (l.rows_b / WHOLE_COLS), l.tiles_k);
}

// Returns the number of blocks of `few_rows` and `few_cols`: two per tile, each with half of K.
static inline int64_t two_a_tile(const struct situation *s) {
    return (int64_t)((s->m + WHOLE_COLS - 1) / WHOLE_COLS) *
           ((s->n + WHOLE_COLS - 1) / WHOLE_COLS) * 2;
}
static inline double halves_time(const struct launches_cost *c, const struct situation *s) {
    return launches_time(c, s, two_a_tile(s), (make_layout(s->m, s->n, s->k, 2).tiles_k + 1) / 2);
}
static inline double few_rows_time(const struct situation *s) {
    return halves_time(&tensor_cost_of(s->device)->few_rows, s);
}
static inline double few_cols_time(const struct situation *s) {
    return halves_time(&tensor_cost_of(s->device)->few_cols, s);
}

#endif
