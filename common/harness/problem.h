// One problem on the device: A, B, C of one shape and layout, their reference, and what is expected for one alpha and
// beta.
#pragma once

#include "check.h"
#include "extent.h"
#include "options.h"

// Host memory through which matrices pass, taken once and grown when a row needs it.
struct staging {
    const struct backend *backend;
    void *buffers[3];
    int64_t bytes; // of each buffer
};

struct problem_plan {
    enum element element;
    struct shape shape;
    struct layout layout;
    enum inputs inputs;
    bool check;    // make a reference
    bool baseline; // the backend has one: large problems are compared with it as a whole
    int rows;      // of a large problem without a baseline that are compared with the reference; 0: 256
    bool textures; // make textures of A and B, where they can be
    uint64_t seed;
    const int *tile_rows; // (tile_count) of the kernels that will be checked
    int tile_count;
};

// A problem has textures of A and B (step.h) when it is of FP32 and not empty, and both matrices have columns and a leading
// dimension that are multiples of 4, start where the device wants a texture to start, and have no more texels than it allows.
struct problem {
    const struct backend *backend;
    struct staging *staging;
    struct problem_plan plan;
    struct matrix a, b, c;               // c is the working copy
    struct matrix initial;               // C as it is before a launch
    device_texture a_texture, b_texture; // both or none
    device_pointer product, magnitude;   // (m, n) A B and |A| |B| by the baseline; 0 when the reference covers all rows
    bool initial_ready;
    double alpha, beta; // values of the element type
    struct reference reference;
    struct expectation expectation;
    struct extent *rows, *cols; // of A's rows and B's columns; NULL until they are asked for
};

void staging_free(struct staging *staging);

// Takes memory, fills A and B, makes the reference. Complains and returns false; problem_close() it in any case.
bool problem_open(struct problem *problem, const struct backend *backend, struct staging *staging,
                  const struct device_info *info, const struct problem_plan *plan);

// A piece of a whole matrix.
struct place {
    int64_t row, col, rows, cols;
};

// The same where the device holds pieces of A, B and C. plan->shape is that of C's piece, its k the whole; the reference is of C's
// piece, whatever of A and B is there. No baseline, no textures.
bool problem_open_pieces(struct problem *problem, const struct backend *backend, struct staging *staging,
                         const struct device_info *info, const struct problem_plan *plan, const struct place places[3]);
void problem_close(struct problem *problem);

// Sets alpha and beta, rounded to the element type: what C starts as and what is expected.
bool problem_set(struct problem *problem, double alpha, double beta);

// C becomes what it was before the first launch.
bool problem_restore(struct problem *problem);

// Reads C back and compares it. False with backend_error() when it cannot be read.
bool problem_check(struct problem *problem, struct verdict *verdict);

// A digest of C with what surrounds it: equal bits, equal digests. False with backend_error() when it cannot be read.
bool problem_digest(struct problem *problem, uint64_t *digest);

// Fills in rows and cols; false when there is no memory for them.
bool problem_extents(struct problem *problem);

// Whether A and B are as they were made; false with backend_error() when one was written to or cannot be read.
bool problem_inputs_intact(struct problem *problem);
