// One problem on the device: A, B and C of one shape and layout, their reference, and the expected
// result for one alpha and beta.
#pragma once

#include "check.h"
#include "extent.h"
#include "options.h"

// Host buffers through which matrices are copied, a window (matrix.h) at a time. Problems share
// them, and they grow if a window does not fit.
struct staging {
    const struct backend *backend;
    void *buffers[3];
    int64_t bytes; // size of each buffer
};

struct problem_plan {
    enum element element;
    struct shape shape;
    struct layout layout;
    enum inputs inputs;
    bool check;    // make a reference, with which results are compared
    bool baseline; // compare all of C with the baseline, too, if the problem is large
    // least number of rows to compare if the problem is large and has no baseline; 0 stands for 256
    int rows;
    bool textures; // make textures of A and B, if both matrices allow it
    uint64_t seed;
    const int *tile_rows; // tile heights of the kernels to check, `tile_count` of them
    int tile_count;
};

// A problem has textures of A and B (extras.h) if they are wanted, the elements are FP32, and both
// matrices allow it: they are not empty, cols and ld are multiples of 4, the first element is
// aligned as the device requires, and the device and an int allow so many texels.
struct problem {
    const struct backend *backend;
    struct staging *staging;
    struct problem_plan plan;
    struct matrix a, b, c;               // kernels write only `c`
    struct matrix initial;               // C before a launch
    device_texture a_texture, b_texture; // both exist, or neither
    // the baseline's A B and |A| |B|, of shape (m, n); 0 if C is not compared with the baseline
    device_pointer product, magnitude;
    bool initial_ready;
    double alpha, beta; // rounded to the element type
    struct reference reference;
    struct expectation expectation;
    // range of each row of A and of each column of B; NULL before problem_extents()
    struct extent *rows, *cols;
};

void staging_free(struct staging *staging);

// Allocates the matrices, fills A and B and makes the reference. Complains and returns false on
// failure. The caller calls problem_close() in either case.
bool problem_open(struct problem *problem, const struct backend *backend, struct staging *staging,
                  const struct device_info *info, const struct problem_plan *plan);

// Position and size of a piece of a matrix.
struct place {
    int64_t row, col, rows, cols;
};

// Like problem_open(), for a device that holds only pieces of A, B and C. plan->shape has the rows
// and columns of the piece of C, and the whole k. The reference covers the piece of C. Requires: no
// baseline, no textures.
bool problem_open_pieces(struct problem *problem, const struct backend *backend,
                         struct staging *staging, const struct device_info *info,
                         const struct problem_plan *plan, const struct place places[3]);
void problem_close(struct problem *problem);

// Sets alpha and beta, rounded to the element type, the initial C and the expected result.
bool problem_set(struct problem *problem, double alpha, double beta);

// Resets C to its values before the launch.
bool problem_restore(struct problem *problem);

// Reads C back and compares it. Returns false with backend_error() if it cannot be read.
bool problem_check(struct problem *problem, struct verdict *verdict);

// Sets *digest to a hash of C's image, including guards and gaps. Returns false with
// backend_error() if C cannot be read.
bool problem_digest(struct problem *problem, uint64_t *digest);

// Computes problem->rows and problem->cols. Returns false if there is no memory for them.
bool problem_extents(struct problem *problem);

// Returns true if no kernel has changed A or B. Returns false with backend_error() if one has, or
// if they cannot be read.
bool problem_inputs_intact(struct problem *problem);
