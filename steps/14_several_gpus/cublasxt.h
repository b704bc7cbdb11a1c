// cublasXtSgemm, cuBLAS's own multiply for several GPUs: matrices in the host's memory, tiles of which it sends to the GPUs.
#pragma once

#include <stdbool.h>

struct xt_problem {
    long long m, n, k; // row-major without gaps; FP32
    float alpha, beta;
    const float *a, *b; // (m, k), (k, n)
    float *c;           // (m, n)
};

// Opens it on devices [0, gpus), to send square tiles of so many elements; false with backend_error().
bool xt_open(int gpus, int tile);
void xt_close(void);

// Multiplies, and waits for the end.
bool xt_multiply(const struct xt_problem *problem);
