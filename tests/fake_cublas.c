// A cuBLAS and a cublasLt that compute nothing: they count their calls and have handles and
// descriptors whose members the test sets. tests/test_intercept.c loads them by file name, like the
// real libraries.
#include "fake_cublas.h"

#include <string.h>

// These are in each of the two fake libraries (cuBLAS and cublasLt); the test sets both.
int *fake_calls, *fake_status;

int cublasGetStream_v2(struct fake_handle *h, void **stream) {
    *stream = h->stream;
    return 0;
}
int cublasGetPointerMode_v2(struct fake_handle *h, int *mode) {
    *mode = h->pointer_mode;
    return 0;
}
int cublasGetMathMode(struct fake_handle *h, int *mode) {
    *mode = h->math;
    return 0;
}

// Defines a function that takes any arguments and counts the call.
#define COUNTED(name) \
    int name(void) { \
        ++*fake_calls; \
        return *fake_status; \
    }
COUNTED(cublasSgemm_v2)
COUNTED(cublasSgemm_v2_64)
COUNTED(cublasSgemmStridedBatched)
COUNTED(cublasSgemmStridedBatched_64)
COUNTED(cublasSgemmBatched)
COUNTED(cublasSgemmBatched_64)
COUNTED(cublasGemmEx)
COUNTED(cublasGemmEx_64)
COUNTED(cublasGemmStridedBatchedEx)
COUNTED(cublasGemmStridedBatchedEx_64)
COUNTED(cublasGemmBatchedEx)
COUNTED(cublasGemmBatchedEx_64)
COUNTED(cublasLtMatmul)

// Sets *value to an attribute of a descriptor or layout; 0 if the test has not set the attribute.
int cublasLtMatrixLayoutGetAttribute(const int64_t *attributes, int which, void *value,
                                     size_t bytes, size_t *written) {
    memcpy(value, &attributes[which], bytes);
    *written = bytes;
    return which >= FAKE_ATTRIBUTES;
}
int cublasLtMatmulDescGetAttribute(const int64_t *attributes, int which, void *value, size_t bytes,
                                   size_t *written) {
    return cublasLtMatrixLayoutGetAttribute(attributes, which, value, bytes, written);
}
