// Prints values, sizes and offsets as cublas_calls.h declares them or, with -DTHEIRS, as cuBLAS's
// headers do: both must print the same. The calls at the end must compile with either.
#ifdef THEIRS
#include <cublasLt.h>
#include <cublasXt.h>
#include <cublas_v2.h>
#else
#include "backend/cublas_calls.h"
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VALUE(name) printf("%s %d\n", #name, (int)(name))
#define CALL(call)  printf("%zu\n", sizeof(call))
#define PLACE(member) \
    printf("%s %zu %zu\n", #member, offsetof(cublasLtMatmulHeuristicResult_t, member), \
           sizeof((cublasLtMatmulHeuristicResult_t *)0)->member)

int main(void) {
    VALUE(CUBLAS_STATUS_SUCCESS);
    VALUE(CUBLAS_STATUS_INVALID_VALUE);
    VALUE(CUBLAS_STATUS_NOT_SUPPORTED);
    VALUE(CUBLAS_OP_N);
    VALUE(CUBLAS_DEFAULT_MATH);
    VALUE(CUBLAS_PEDANTIC_MATH);
    VALUE(CUBLAS_COMPUTE_32F_PEDANTIC);
    VALUE(CUDA_R_32F);
    VALUE(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
    VALUE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
    VALUE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
    VALUE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
    VALUE(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
    printf("%zu %zu\n", sizeof(cublasLtMatmulAlgo_t), sizeof(cublasLtMatmulHeuristicResult_t));
    PLACE(algo);
    PLACE(workspaceSize);
    PLACE(state);
    PLACE(wavesCount);

    cublasHandle_t cublas;
    cublasLtHandle_t lt;
    cublasLtMatmulDesc_t operation;
    cublasLtMatrixLayout_t layout;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t results[2];
    const float *a = NULL, one = 1;
    const double *wide = NULL, wide_one = 1;
    float *c = NULL;
    double *wide_c = NULL;
    int count;
    size_t bytes = 0;
    CALL(
        cublasSgemm_v2_64(cublas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, a, 1, &one, c, 1));
    CALL(cublasDgemm_v2_64(cublas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &wide_one, wide, 1, wide, 1,
                           &wide_one, wide_c, 1));
    CALL(cublasSetMathMode(cublas, CUBLAS_PEDANTIC_MATH));
    CALL(cublasLtCreate(&lt));
    CALL(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F));
    CALL(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 1, 1, 1));
    CALL(cublasLtMatmulPreferenceCreate(&preference));
    CALL(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &bytes, bytes));
    CALL(cublasLtMatmulAlgoGetHeuristic(lt, operation, layout, layout, layout, layout, preference,
                                        2, results, &count));
    CALL(cublasLtMatmul(lt, operation, &one, a, layout, a, layout, &one, c, layout, c, layout,
                        &results[0].algo, NULL, bytes, NULL));
    CALL(cublasLtGetStatusString(CUBLAS_STATUS_SUCCESS));
    return 0;
}
