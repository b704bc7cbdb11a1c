// The algorithms that cublasLt's heuristics offer for an FP32 gemm, pedantic: what a user can time and choose from who does not take
// cublasSgemm's choice. cublasLt is found at run time, at the first call.
#pragma once

#include "backend.h"

// As algorithms() and baseline() of struct backend.
int cublaslt_algorithms(const struct gemm *gemm);
bool cublaslt_gemm(const struct gemm *gemm);
void cublaslt_close(void);
