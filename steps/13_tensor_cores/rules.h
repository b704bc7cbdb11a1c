// What the four launches of `mended` take: `safe` leaves a problem to step 10 where its kernels are expected to take less.
//
// Costs, in microseconds:
//
//   launches  whatever the shape
//   row       a row of A in the survey: what it takes beside its elements
//   of_a      an element of A: read, split, written, read by the product
//   of_b      an element of B, which is read twice
//   round     a tile of C on every SM: its first copies, its store
//   tile_k    a tile along K of a round
//
// What the estimate leaves out: the wide formats, L2, power. It matters where the two are close, and there problems are small.
#ifndef TENSOR_CORES_RULES_H
#define TENSOR_CORES_RULES_H

#include "layout.h"
#include "step.h"

#include <string.h>

struct tensor_cost {
    const char *device; // as the driver calls it
    double launches, row, of_a, of_b, round, tile_k;
};

#include "costs.h"

enum { TENSOR_MACHINES = sizeof tensor_costs / sizeof *tensor_costs };

// The costs for a device, or those of the first one.
static inline const struct tensor_cost *tensor_cost_of(const char *device) {
    for (int i = 0; device && i < TENSOR_MACHINES; i++) {
        if (strcmp(tensor_costs[i].device, device) == 0) return &tensor_costs[i];
    }
    return &tensor_costs[0];
}

static inline const char *tensor_costs_from(const char *device) {
    return strcmp(device, "simulator") == 0 ? device : tensor_cost_of(device)->device;
}

// A tile of 128 x 128 at a time on each SM.
static inline double expected_time(const struct situation *s) {
    const struct tensor_cost *c = tensor_cost_of(s->device);
    const struct layout l = make_layout(s->m, s->n, s->k, 2);
    const int64_t tiles = l.rows_a / WHOLE_COLS * (l.rows_b / WHOLE_COLS),
                  rounds = (tiles + s->multiprocessors - 1) / s->multiprocessors;
    return c->launches + c->row * s->m + (c->of_a * s->m + c->of_b * s->n) * s->k +
           (double)rounds * (c->round + c->tile_k * (double)l.tiles_k);
}

#endif
