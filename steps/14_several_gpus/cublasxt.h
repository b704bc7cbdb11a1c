// Calls cublasXtSgemm, cuBLAS's matrix product on several GPUs. The matrices are in host memory,
// and cublasXt sends tiles of them to the GPUs.
#pragma once

#include <stdbool.h>

struct xt_problem {
    long long m, n, k;
    float alpha, beta;
    const float *a, *b; // matrices (m, k) and (k, n), row-major without gaps
    float *c;           // matrix (m, n), row-major without gaps
};

// Opens cublasXt on devices [0, gpus) for tiles of `tile` x `tile` elements. Returns false with
// backend_error() if that fails.
bool xt_open(int gpus, int tile);
void xt_close(void);

// Multiplies, and waits for the end. Returns false with backend_error() if that fails.
bool xt_multiply(const struct xt_problem *problem);
