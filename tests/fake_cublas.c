// A cuBLAS and cublasLt that compute nothing: they count the calls that come to them, and have handles and descriptors whose members a
// test sets. For tests/test_intercept.c, which finds it as it finds the real ones, by the name of the file.
#include "fake_cublas.h"

#include <string.h>

int *fake_calls, *fake_status; // the test's: cublasLt is a library of its own

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

// Whatever the arguments are.
#define COUNTED(name)                                                                                                  \
    int name(void) {                                                                                                   \
        ++*fake_calls;                                                                                                 \
        return *fake_status;                                                                                           \
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

// What a descriptor or a layout has for an attribute, by its number; 0 where the test says nothing.
int cublasLtMatrixLayoutGetAttribute(const int64_t *attributes, int which, void *value, size_t bytes, size_t *written) {
    memcpy(value, &attributes[which], bytes);
    *written = bytes;
    return which >= FAKE_ATTRIBUTES;
}
int cublasLtMatmulDescGetAttribute(const int64_t *attributes, int which, void *value, size_t bytes, size_t *written) {
    return cublasLtMatrixLayoutGetAttribute(attributes, which, value, bytes, written);
}
