// Launching a variant's kernel on C = alpha A B + beta C.
#pragma once

#include "../backend/backend.h"
#include "more.h"

// How many blocks: the device runs `at_once`, and `parts` of them share a tile of C along K if they may. parts is 0 for one a
// tile, or for all that run at once when the variant is persistent and has slots.
struct blocks {
    int64_t at_once;
    int parts;
};

// One launch, asynchronous: at most 65,535 * block_m rows, or any number where launches_whole(). False with backend_error().
bool launch_gemm(const struct backend *backend, struct kernel *kernel, const struct variant *variant,
                 struct blocks blocks, const struct gemm *gemm);

// Whether a launch of the variant may have any number of rows.
bool launches_whole(const struct variant *variant);

// Length of the row of blocks for `tiles` tiles of C, of a variant with `row` or `persistent`.
int64_t row_of_blocks(const struct variant *variant, struct blocks blocks, int64_t tiles);

// Device memory for padded matrices, taken when it is first needed and grown.
struct workspace {
    device_pointer buffer;
    int64_t bytes;
};

void workspace_free(struct workspace *workspace, const struct backend *backend);

// As much memory for a variant of several launches: a head of zeros when it is taken, and `bytes` behind it. False with
// backend_error().
enum { MAX_PHASES = 8, SCRATCH_HEAD_BYTES = 256 };
bool scratch_fit(struct workspace *scratch, const struct backend *backend, int64_t bytes);

// The same, persistent variants included, for one that knows whole tiles only: copies to padded matrices before it, C back
// after it. The pad kernel copies one matrix,
//
//     extern "C" __global__ void NAME(int rows, int cols, const T *from, int ld_from,
//                                     T *to, int ld_to, int to_rows, int to_cols);
//
// writing all (to_rows, to_cols) elements, zeros where `from` (rows, cols) has none. Its launch: 256 threads a block along
// x; blockIdx.x counts columns in groups of 256, blockIdx.y rows, of which there may be more than gridDim.y.
bool launch_padded(const struct backend *backend, struct kernel *kernel, struct kernel *pad_kernel,
                   const struct variant *variant, struct blocks blocks, struct workspace *workspace,
                   const struct gemm *gemm);

// All phases of a variant that has them; `kernels` are theirs, in their order.
bool launch_phases(const struct backend *backend, struct kernel *const *kernels, const struct variant *variant,
                   int multiprocessors, struct workspace *scratch, const struct gemm *gemm);
