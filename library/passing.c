// Passes a problem on to cuBLAS: for SGEMM_CUBLAS, and on GPUs for which this build has no kernels.
#include "backend/cublas.h"
#include "internal.h"

#include <dlfcn.h>
#include <stdlib.h>

// The two transposes, m, n and k of a product.
#define SIZES int, int, int64_t, int64_t, int64_t
// Functions of cuBLAS 12 and 13. Of the product functions, the versions with 64-bit sizes are used.
struct passing {
    void *library, *handle;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, void *stream);
    int (*set_pointer_mode)(void *handle, int mode);
    int (*strided)(void *handle, SIZES, const float *alpha, const void *a, int64_t lda,
                   int64_t stride_a, const void *b, int64_t ldb, int64_t stride_b,
                   const float *beta, void *c, int64_t ldc, int64_t stride_c, int64_t batch);
    int (*pointers)(void *handle, SIZES, const float *alpha, const void *a, int64_t lda,
                    const void *b, int64_t ldb, const float *beta, void *c, int64_t ldc,
                    int64_t batch);
};

static bool resolve(struct passing *p) {
    const struct {
        const char *name;
        void **to;
    } symbols[] = {{"cublasCreate_v2", (void **)&p->create},
                   {"cublasDestroy_v2", (void **)&p->destroy},
                   {"cublasSetStream_v2", (void **)&p->set_stream},
                   {"cublasSetPointerMode_v2", (void **)&p->set_pointer_mode},
                   {"cublasSgemmStridedBatched_64", (void **)&p->strided},
                   {"cublasSgemmBatched_64", (void **)&p->pointers}};
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        *symbols[i].to = dlsym(p->library, symbols[i].name);
        if (!*symbols[i].to)
            return refuse(SGEMM_NO_DEVICE, "libcublas has no %s: CUDA 12 or 13 is needed",
                          symbols[i].name);
    }
    return true;
}

static bool open_passing(struct sgemm_context *h) {
    struct passing *p = calloc(1, sizeof *p);
    if (!p) return refuse(SGEMM_NO_MEMORY, "not enough host memory");
    h->passing = p;
    p->library = cublas_library("libcublas");
    if (!p->library)
        return refuse(
            SGEMM_NO_DEVICE,
            "this call requires cuBLAS; libcublas.so.13 and .12 not found: add its folder to "
            "LD_LIBRARY_PATH, or set CUDA_HOME");
    if (!resolve(p)) return false;
    const int status = p->create(&p->handle);
    return status == 0 ||
           refuse(SGEMM_NO_DEVICE,
                  "cublasCreate failed with status %d (docs.nvidia.com/cuda/cublas lists them)",
                  status);
}

void close_passing(struct sgemm_context *h) {
    if (!h->passing) return;
    if (h->passing->handle) h->passing->destroy(h->passing->handle);
    if (h->passing->library) dlclose(h->passing->library);
    free(h->passing);
    h->passing = NULL;
}

bool pass_on(struct sgemm_context *h, const sgemm_problem *problem, const float *alpha,
             const void *a, const void *b, const float *beta, void *c) {
    if (!h->passing && !open_passing(h)) {
        close_passing(h);
        return false;
    }
    const struct passing *p = h->passing;
    // Read as column-major, a row-major matrix is transposed: the product is C' = op(B)' op(A)'.
    const bool by_rows = problem->order == SGEMM_ROW_MAJOR;
    sgemm_problem q = *problem;
    if (by_rows) {
        q.a = problem->b, q.b = problem->a, q.m = problem->n, q.n = problem->m;
        q.lda = problem->ldb, q.ldb = problem->lda, q.stride_a = problem->stride_b,
        q.stride_b = problem->stride_a;
    }
    const void *left = by_rows ? b : a, *right = by_rows ? a : b;
    const int64_t batch = q.batch ? q.batch : 1;
    int status = p->set_stream(p->handle, h->stream);
    if (status == 0) status = p->set_pointer_mode(p->handle, q.device_scalars);
    if (status == 0 && q.pointers)
        status = p->pointers(p->handle, q.a, q.b, q.m, q.n, q.k, alpha, left, q.lda, right, q.ldb,
                             beta, c, q.ldc, batch);
    else if (status == 0)
        status = p->strided(p->handle, q.a, q.b, q.m, q.n, q.k, alpha, left, q.lda, q.stride_a,
                            right, q.ldb, q.stride_b, beta, c, q.ldc, q.stride_c, batch);
    return status == 0 ||
           refuse(SGEMM_FAILED,
                  "cuBLAS failed with status %d (docs.nvidia.com/cuda/cublas lists them)", status);
}
