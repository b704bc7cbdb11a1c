// libsgemm: C = alpha op(A) op(B) + beta C in FP32 on NVIDIA GPUs.
//
// A handle belongs to the CUDA context that is current when it is created, and is used while that context is current. Calls are
// asynchronous in its stream. Several threads may use one handle, one call after the other; threads that are to run side by side
// have handles of their own. Every function returns a status; sgemm_error() has the sentence for the last failure.
//
//     sgemm_handle handle;
//     struct sgemm_problem problem = {.order = SGEMM_ROW_MAJOR, .m = m, .n = n, .k = k, .lda = k, .ldb = n, .ldc = n};
//     if (sgemm_create(&handle, NULL) || sgemm_run(handle, &problem, &alpha, a, b, &beta, c, NULL))
//         fprintf(stderr, "%s\n", sgemm_error());
//
// Results do not change from run to run. As in BLAS, A and B are not read when alpha is 0 or k is, nor C when beta is 0.
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
    SGEMM_NO_DEVICE,   // no driver, no current context, or no kernels for this GPU and no cuBLAS
    SGEMM_NO_MEMORY,   // of the device or the host, or more than `most_bytes`
    SGEMM_UNSUPPORTED, // what was asked for does not exist on this GPU
    SGEMM_FAILED       // the driver said no
} sgemm_status;

typedef enum { SGEMM_ROW_MAJOR, SGEMM_COLUMN_MAJOR } sgemm_order;
typedef enum { SGEMM_N, SGEMM_T, SGEMM_C } sgemm_transpose; // of real numbers, C is T

typedef enum {
    SGEMM_AUTO,     // whichever of the next two is expected to take less time
    SGEMM_DISPATCH, // FP32 multiply-adds
    SGEMM_SAFE, // tensor cores (sm_90): each element of A B within 1.01 (K + 2) 2^-24 |A||B|, the bound of FP32 sums, and
                // mostly much nearer. What FP16 and BF16 pieces do not hold is computed in FP32
    SGEMM_CUBLAS // passed on to cuBLAS
} sgemm_method;

typedef struct sgemm_problem {
    sgemm_order order;
    sgemm_transpose a, b;
    sgemm_method method;
    int64_t m, n, k;                      // op(A) (m, k), op(B) (k, n), C (m, n)
    int64_t lda, ldb, ldc;                // elements, as in BLAS
    int64_t batch;                        // products; 0 is 1
    int64_t stride_a, stride_b, stride_c; // elements from one product's matrix to the next one's; C's must not overlap
    int device_scalars;                   // not 0: alpha and beta are pointers to device memory
    int pointers;                         // not 0: a, b and c are arrays of `batch` pointers, in device memory
} sgemm_problem;

// What some callers want besides: C = alpha op(A) op(B) + beta source + bias.
typedef struct sgemm_extra {
    const float *bias;     // in device memory; NULL: none
    int bias_of_columns;   // 0: one for each of C's m rows; 1: for each of its n columns
    const float *source;   // NULL: C itself
    int64_t lds, stride_s; // of `source`, which has C's order
} sgemm_extra;

// Device memory for what the handle keeps between calls. `allocate` returns NULL when there is none; the memory is used in `stream`, and
// released in it.
typedef struct sgemm_options {
    void *(*allocate)(size_t bytes, void *stream, void *user);
    void (*release)(void *memory, size_t bytes, void *stream, void *user);
    void *user;
    size_t most_bytes; // that it may take; 0: a quarter of the device's memory. Larger problems are cut into pieces
} sgemm_options;

typedef struct sgemm_plan_info {
    sgemm_method method;      // that will run
    const char *kernel;       // "10_block_order/64x64", the first of several; NULL: cuBLAS
    size_t workspace;         // bytes that the call takes, less than most_bytes
    double microseconds;      // that it is expected to take; 0: nothing is known
    double most_microseconds; // the same, if FP16 does not hold the inputs
} sgemm_plan_info;

SGEMM_API sgemm_status sgemm_create(sgemm_handle *handle, const sgemm_options *options); // NULL: the defaults
SGEMM_API sgemm_status sgemm_destroy(sgemm_handle handle); // waits for nothing: its calls must have ended

// The stream of the calls that follow (a CUstream or cudaStream_t; NULL is the default one). They wait for those in the stream before,
// which must still exist.
SGEMM_API sgemm_status sgemm_set_stream(sgemm_handle handle, void *stream);

// What a call with this problem would do. Takes no memory and launches nothing.
SGEMM_API sgemm_status sgemm_plan(sgemm_handle handle, const sgemm_problem *problem, sgemm_plan_info *info);

// The product. a, b and c as `pointers` says; extra may be NULL.
SGEMM_API sgemm_status sgemm_run(sgemm_handle handle, const sgemm_problem *problem, const float *alpha, const void *a,
                                 const void *b, const float *beta, void *c, const sgemm_extra *extra);

// The same in BLAS's order of arguments.
SGEMM_API sgemm_status sgemm(sgemm_handle handle, sgemm_order order, sgemm_transpose trans_a, sgemm_transpose trans_b,
                             int64_t m, int64_t n, int64_t k, const float *alpha, const float *a, int64_t lda,
                             const float *b, int64_t ldb, const float *beta, float *c, int64_t ldc);

SGEMM_API const char *
sgemm_error(void); // one line: what was wrong with the thread's last call that failed, and what to do
SGEMM_API const char *sgemm_status_text(sgemm_status status);

#ifdef __cplusplus
}
#endif
#endif
