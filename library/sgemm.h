// libsgemm: C = alpha op(A) op(B) + beta C in FP32 on NVIDIA GPUs.
//
//     sgemm_handle handle;
//     struct sgemm_problem problem = {.order = SGEMM_ROW_MAJOR, .m = m, .n = n, .k = k,
//                                     .lda = k, .ldb = n, .ldc = n};
//     if (sgemm_create(&handle, NULL) ||
//         sgemm_run(handle, &problem, &alpha, a, b, &beta, c, NULL))
//         fprintf(stderr, "%s\n", sgemm_error());
//
// Handles: a handle belongs to the CUDA context that is current when it is created. Calls require
// that this context still exists and is current. Threads may share a handle, but its calls then run
// one after the other; threads that should run concurrently require handles of their own.
//
// Calls are asynchronous: they return when their work is queued in the handle's stream. A, B and C
// must stay valid until that work is done.
//
// Errors: every function returns a status. After a failure sgemm_error() returns a line that says
// what was wrong and what to do. A call that returns SGEMM_BAD_ARGUMENT, SGEMM_NO_MEMORY or
// SGEMM_UNSUPPORTED has launched nothing.
//
// Results are the same bits in every run. As in BLAS, C is not read if beta is 0. A and B are not
// read if k is 0, or if alpha is in host memory and is 0.
#ifndef SGEMM_H
#define SGEMM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined SGEMM_BUILD
#define SGEMM_API __attribute__((visibility("default")))
#else
#define SGEMM_API
#endif

#define SGEMM_VERSION 100 // 1.0.0

typedef struct sgemm_context *sgemm_handle;

typedef enum {
    SGEMM_OK,
    SGEMM_BAD_ARGUMENT,
    SGEMM_NO_DEVICE,   // no driver, or neither kernels for this GPU nor cuBLAS
    SGEMM_NO_MEMORY,   // host or device memory is exhausted, or `most_bytes` is too little
    SGEMM_UNSUPPORTED, // this GPU has no kernels for the method, the bias or the source
    SGEMM_FAILED       // the CUDA driver or cuBLAS reported an error
} sgemm_status;

typedef enum { SGEMM_ROW_MAJOR, SGEMM_COLUMN_MAJOR } sgemm_order;
typedef enum { SGEMM_N, SGEMM_T, SGEMM_C } sgemm_transpose; // SGEMM_C equals SGEMM_T: FP32 is real

typedef enum {
    SGEMM_AUTO,     // SGEMM_DISPATCH or SGEMM_SAFE, whichever is expected to be faster
    SGEMM_DISPATCH, // FP32 multiply-adds
    // MMAs on tensor cores (sm_90). The error of each element of A B is at most 1.01 (K + 2) 2^-24
    // |A||B|, where |A| is A without its signs. This is the bound of FP32 sums; most errors are
    // much smaller. Rows and columns whose range exceeds that of FP16 and BF16 pieces are computed
    // in FP32.
    SGEMM_SAFE,
    SGEMM_CUBLAS // calls cuBLAS
} sgemm_method;

// op(A) has the shape (m, k), op(B) has (k, n), and C has (m, n).
typedef struct sgemm_problem {
    sgemm_order order;    // the storage order of all matrices
    sgemm_transpose a, b; // the operations op() on A and on B
    sgemm_method method;

    // --- sizes and layout, in elements
    int64_t m, n, k; // 0 or more
    // at least 1, and at least the length of a stored row or column
    int64_t lda, ldb, ldc;
    int64_t batch; // number of products; 0 means 1
    int64_t stride_a, stride_b,
        stride_c; // distance between matrices of a batch; matrices C must not overlap

    // --- where scalars and matrices are
    int device_scalars; // if not 0, alpha and beta point to device memory
    // if not 0, a, b and c are device arrays of `batch` pointers, and strides are unused
    int pointers;
} sgemm_problem;

// Optional operands: C = alpha op(A) op(B) + beta source + bias. All pointers are device memory.
typedef struct sgemm_extra {
    const float *bias; // NULL if there is none
    // 0 if the bias has one element per row of C (m); 1 if it has one per column (n)
    int bias_of_columns;
    const float *source;   // shape (m, n), in the problem's order; NULL for C itself
    int64_t lds, stride_s; // leading dimension and batch stride of `source`, in elements
} sgemm_extra;

// How a handle gets device memory. Zeros select the defaults.
typedef struct sgemm_options {
    // Returns device memory that is used in `stream` only, or NULL if there is none.
    void *(*allocate)(size_t bytes, void *stream, void *user); // NULL for cuMemAllocAsync
    // Releases memory from allocate() in `stream`. Required if `allocate` is set.
    void (*release)(void *memory, size_t bytes, void *stream, void *user);
    void *user;
    // Limit of the memory that a call may take; larger problems are computed in pieces.
    size_t most_bytes; // 0 for a quarter of the device's memory
} sgemm_options;

// What a call would do.
typedef struct sgemm_plan_info {
    sgemm_method method; // SGEMM_DISPATCH, SGEMM_SAFE or SGEMM_CUBLAS
    // The name of the first kernel, for example "shapes/thin_16"; NULL for cuBLAS.
    const char *kernel;       // valid until this thread calls sgemm_plan() again
    size_t workspace;         // device memory in bytes, at most most_bytes
    double microseconds;      // expected time; 0 if unknown
    double most_microseconds; // expected time if the inputs' range exceeds FP16's
} sgemm_plan_info;

// Sets *handle to a new handle for the current context, or for device 0 if no context is current.
// `options` may be NULL. Sets *handle to NULL on failure.
SGEMM_API sgemm_status sgemm_create(sgemm_handle *handle, const sgemm_options *options);

// Frees the handle; NULL is ignored. Does not wait. Requires: the work of its calls is done.
SGEMM_API sgemm_status sgemm_destroy(sgemm_handle handle);

// Sets the stream of later calls: a CUstream or cudaStream_t, NULL for the default stream. Ensures
// that they start after the handle's earlier calls. Requires: the previous stream still exists.
SGEMM_API sgemm_status sgemm_set_stream(sgemm_handle handle, void *stream);

// Sets *info to the plan for this problem. Allocates no device memory and launches nothing.
SGEMM_API sgemm_status sgemm_plan(sgemm_handle handle, const sgemm_problem *problem,
                                  sgemm_plan_info *info);

// Queues C = alpha op(A) op(B) + beta C in the handle's stream. a, b and c point to matrices in
// device memory, or to arrays of matrix addresses if problem->pointers is set. `extra` may be NULL.
SGEMM_API sgemm_status sgemm_run(sgemm_handle handle, const sgemm_problem *problem,
                                 const float *alpha, const void *a, const void *b,
                                 const float *beta, void *c, const sgemm_extra *extra);

// Queues one product with SGEMM_AUTO; the arguments are in BLAS's order.
SGEMM_API sgemm_status sgemm(sgemm_handle handle, sgemm_order order, sgemm_transpose trans_a,
                             sgemm_transpose trans_b, int64_t m, int64_t n, int64_t k,
                             const float *alpha, const float *a, int64_t lda, const float *b,
                             int64_t ldb, const float *beta, float *c, int64_t ldc);

// Returns one line about this thread's last call that failed: what was wrong, and what to do.
SGEMM_API const char *sgemm_error(void);

// Returns the meaning of a status in a few words.
SGEMM_API const char *sgemm_status_text(sgemm_status status);

#ifdef __cplusplus
}
#endif
#endif
