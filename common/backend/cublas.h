// The baseline: cublasSgemm in true FP32, and cublasDgemm. libcublas is opened at run time.
#pragma once

#include "backend.h"

// Opens cuBLAS and makes a handle in the current context. Sets info->baseline; on failure sets
// info->baseline_note.
void cublas_open(struct device_info *info);
void cublas_close(void);

// Opens "libcublas" or "libcublasLt". Returns a handle, which the caller closes; NULL if not found.
void *cublas_library(const char *name);

// Starts a row-major GEMM in the default stream, asynchronously.
bool cublas_gemm(const struct gemm *gemm);
