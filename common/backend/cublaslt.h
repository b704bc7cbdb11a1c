// The algorithms that cublasLt's heuristics offer for an FP32 GEMM in pedantic mode. A user may
// time them and take the fastest instead of cublasSgemm's choice. The first call opens cublasLt.
#pragma once

#include "backend.h"

// The first is algorithms() of struct backend; the second is baseline() if gemm->algorithm > 0.
int cublaslt_algorithms(const struct gemm *gemm);
bool cublaslt_gemm(const struct gemm *gemm);
void cublaslt_close(void);
