// Launches a variant's kernel on C = alpha A B + beta C.
#pragma once

#include "../backend/backend.h"
#include "extras.h"

struct blocks {
    int64_t at_once; // number of blocks of the kernel that the device runs at once
    // Number of blocks that share a tile of C along K, if the variant allows that. 0 means one
    // block per tile. But for a persistent variant with max_blocks (extras.h), 0 means that the
    // launch has as many blocks as the device runs at once, at most max_blocks.
    int parts;
};

// Launches the kernel once, asynchronously. Requires: launches_whole(), or the problem has at most
// 65,535 * block_m rows. Returns false with backend_error() on failure.
bool launch_gemm(const struct backend *backend, struct kernel *kernel,
                 const struct variant *variant, struct blocks blocks, const struct gemm *gemm);

// Returns true if one launch of the variant may compute any number of rows.
bool launches_whole(const struct variant *variant);

// Returns gridDim.x for `tiles` tiles of C. Requires: the variant's grid is `linear` or
// `persistent`.
int64_t row_of_blocks(const struct variant *variant, struct blocks blocks, int64_t tiles);

// Device memory of a contender. It is allocated at the first use and only grows.
struct workspace {
    device_pointer buffer;
    int64_t bytes;
};

void workspace_free(struct workspace *workspace, const struct backend *backend);

// Ensures that the scratch memory of a variant with passes has `bytes` bytes after a head of
// SCRATCH_HEAD_BYTES. Allocation zeroes the head. Returns false with backend_error() on failure.
enum { MAX_PASSES = 8, SCRATCH_HEAD_BYTES = 256 };
bool scratch_fit(struct workspace *scratch, const struct backend *backend, int64_t bytes);

// Like launch_gemm(), for a kernel that requires whole tiles: pads A and B, and C if beta is not
// 0, and copies C back. The pad kernel copies one matrix,
//
//     extern "C" __global__ void NAME(int rows, int cols, const T *from, int ld_from,
//                                     T *to, int ld_to, int to_rows, int to_cols);
//
// and writes all (to_rows, to_cols) elements, zeros where `from` (rows, cols) has none. Its blocks
// have 256 threads along x. blockIdx.x counts groups of 256 columns. blockIdx.y counts rows;
// gridDim.y may be less than to_rows, so the kernel loops over rows with that stride.
bool launch_padded(const struct backend *backend, struct kernel *kernel, struct kernel *pad_kernel,
                   const struct variant *variant, struct blocks blocks, struct workspace *workspace,
                   const struct gemm *gemm);

// Launches all passes of a variant; `kernels` has one kernel per pass, in the passes' order.
bool launch_passes(const struct backend *backend, struct kernel *const *kernels,
                   const struct variant *variant, int multiprocessors, struct workspace *scratch,
                   const struct gemm *gemm);
