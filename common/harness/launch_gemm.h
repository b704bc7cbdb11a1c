// Launching a variant's kernel on C = alpha A B + beta C.
#ifndef HARNESS_LAUNCH_GEMM_H
#define HARNESS_LAUNCH_GEMM_H

#include "../backend/backend.h"
#include "step.h"

// One launch, asynchronous: at most 65,535 * block_m rows, or any number for a persistent variant, which gets at most
// `blocks_at_once` blocks. False with backend_error().
bool launch_gemm(const struct backend *backend, struct kernel *kernel, const struct variant *variant,
                 int64_t blocks_at_once, const struct gemm *gemm);

// Device memory for padded matrices, taken when it is first needed and grown.
struct workspace {
    device_pointer buffer;
    int64_t bytes;
};

void workspace_free(struct workspace *workspace, const struct backend *backend);

// The same, persistent variants included, for one that knows whole tiles only: copies to padded matrices before it, C back
// after it. The pad kernel copies one matrix,
//
//     extern "C" __global__ void NAME(int rows, int cols, const T *from, int ld_from,
//                                     T *to, int ld_to, int to_rows, int to_cols);
//
// writing all (to_rows, to_cols) elements, zeros where `from` (rows, cols) has none. Its launch: 256 threads a block along
// x; blockIdx.x counts columns in groups of 256, blockIdx.y rows, of which there may be more than gridDim.y.
bool launch_padded(const struct backend *backend, struct kernel *kernel, struct kernel *pad_kernel,
                   const struct variant *variant, int64_t blocks_at_once, struct workspace *workspace,
                   const struct gemm *gemm);

#endif
