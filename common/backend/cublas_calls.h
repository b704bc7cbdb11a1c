// What is used of cuBLAS, which is found at run time. A toolkit may lack its headers, so it is declared here, as in the cuBLAS manual
// (https://docs.nvidia.com/cuda/cublas). 12 or newer.
#ifndef BACKEND_CUBLAS_CALLS_H
#define BACKEND_CUBLAS_CALLS_H

#include <stddef.h>
#include <stdint.h>

typedef enum { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_INVALID_VALUE = 7 } cublasStatus_t;
typedef enum { CUBLAS_OP_N = 0 } cublasOperation_t;
typedef enum { CUBLAS_DEFAULT_MATH = 0, CUBLAS_PEDANTIC_MATH = 2 } cublasMath_t;
typedef struct cublasContext *cublasHandle_t;
typedef struct cublasXtContext *cublasXtHandle_t;

// The parameters of a gemm of elements T, sizes in integers I.
#define GEMM(T, I)                                                                                                     \
    cublasOperation_t, cublasOperation_t, I m, I n, I k, const T *alpha, const T *a, I lda, const T *b, I ldb,         \
        const T *beta, T *c, I ldc

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, GEMM(float, int));
cublasStatus_t cublasDgemm_v2(cublasHandle_t handle, GEMM(double, int));
cublasStatus_t cublasSgemm_v2_64(cublasHandle_t handle, GEMM(float, int64_t));
cublasStatus_t cublasDgemm_v2_64(cublasHandle_t handle, GEMM(double, int64_t));

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int dimension);
cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, GEMM(float, size_t));

#undef GEMM

#endif
