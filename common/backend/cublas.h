// The baseline: cublasSgemm in true FP32 and cublasDgemm, from a libcublas found at run time.
#pragma once

#include "backend.h"

// Finds cuBLAS and makes a handle in the current context; fills info->baseline, or info->baseline_note when there is
// none.
void cublas_open(struct device_info *info);
void cublas_close(void);

// A library of cuBLAS, "libcublas" or "libcublasLt", opened once more; NULL when there is none.
void *cublas_library(const char *name);

// Row-major gemm in the default stream, asynchronous.
bool cublas_gemm(const struct gemm *gemm);
