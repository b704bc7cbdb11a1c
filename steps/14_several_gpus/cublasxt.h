// cublasXtSgemm, cuBLAS's matrix product on several GPUs. The matrices are in host memory; it sends
// tiles of them to the GPUs.
#pragma once

#include <stdbool.h>

struct xt_problem {
    long long m, n, k;
    float alpha, beta;
    const float *a, *b; // (m, k), (k, n), row-major without gaps
    float *c;           // (m, n)
};

// Opens cublasXt on devices [0, gpus) for tiles of `tile` x `tile` elements. Returns false with
// backend_error() if that fails.
bool xt_open(int gpus, int tile);
void xt_close(void);

// Multiplies, and waits for the end.
bool xt_multiply(const struct xt_problem *problem);
