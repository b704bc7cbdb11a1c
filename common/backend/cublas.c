// The baseline: cublasSgemm and cublasDgemm under CUBLAS_PEDANTIC_MATH, which forbids TF32 and
// other reduced precision. (It permits the FP64 tensor cores, which compute in full FP64.) On
// demand the baseline uses CUBLAS_DEFAULT_MATH, which also computes in FP32 unless the environment
// asks for TF32; harness/main.c refuses such an environment.
#include "cublas.h"
#include "cublas_calls.h"
#include "symbols.h"

#include <stdio.h>
#include <stdlib.h>

static void *library;
static cublasHandle_t handle;

#define FUNCTIONS(X) \
    X(create, cublasCreate_v2) \
    X(destroy, cublasDestroy_v2) \
    X(version, cublasGetVersion_v2) \
    X(set_math_mode, cublasSetMathMode) \
    X(status_string, cublasGetStatusString) \
    X(sgemm, cublasSgemm_v2_64) \
    X(dgemm, cublasDgemm_v2_64)
static struct { FUNCTIONS(SYMBOL_FIELD) } cublas;
#define ROW(field, function) {#function, (void **)&cublas.field},
static const struct symbol symbols[] = {FUNCTIONS(ROW){NULL, NULL}};

// Searches the loader's path, $CUDA_HOME/lib64 and /usr/local/cuda/lib64, in this order.
void *cublas_library(const char *name) {
    static const int versions[] = {13, 12};
    const char *home = getenv("CUDA_HOME");
    const char *const folders[] = {NULL, home, "/usr/local/cuda"};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        if (f > 0 && !folders[f]) continue;
        for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
            char path[4096];
            snprintf(path, sizeof path, "%s%s%s.so.%d", f ? folders[f] : "", f ? "/lib64/" : "",
                     name, versions[v]);
            void *found = dlopen(path, RTLD_NOW | RTLD_LOCAL);
            if (found) return found;
        }
    }
    return NULL;
}

static bool ok(cublasStatus_t status, const char *call) {
    if (status == CUBLAS_STATUS_SUCCESS) return true;
    return backend_fail("%s: %s: see the cuBLAS manual; --baseline off runs without it", call,
                        cublas.status_string(status));
}

static bool resolve_all(void) {
    const char *missing = missing_symbol(library, symbols);
    return !missing || backend_fail("libcublas has no %s: CUDA 12 or newer is needed", missing);
}

static bool start(struct device_info *info) {
    library = cublas_library("libcublas");
    if (!library) {
        return backend_fail("libcublas.so.13 and .12 not found (library path, $CUDA_HOME/lib64, "
                            "/usr/local/cuda/lib64): set CUDA_HOME, or run `python3 "
                            "tools/toolkit.py cublas`");
    }
    int version = 0;
    if (!resolve_all() || !ok(cublas.create(&handle), "cublasCreate") ||
        !ok(cublas.version(handle, &version), "cublasGetVersion")) {
        return false;
    }
    snprintf(info->baseline, sizeof info->baseline, "cuBLAS %d.%d.%d", version / 10000,
             version / 100 % 100, version % 100);
    return true;
}

void cublas_open(struct device_info *info) {
    info->baseline[0] = info->baseline_note[0] = '\0';
    if (start(info)) return;
    snprintf(info->baseline_note, sizeof info->baseline_note, "no cuBLAS baseline: %.280s",
             backend_error());
    cublas_close();
}

void cublas_close(void) {
    if (handle) cublas.destroy(handle);
    if (library) dlclose(library);
    handle = NULL;
    library = NULL;
}

// cuBLAS is column-major: it reads A, B and C as their transposes. Since C^T = B^T A^T, B is passed
// as the first operand, and nothing is transposed.
static bool sgemm(const struct gemm *g) {
    const float *a = (const float *)(uintptr_t)g->a, *b = (const float *)(uintptr_t)g->b;
    const float alpha = (float)g->alpha, beta = (float)g->beta;
    float *c = (float *)(uintptr_t)g->c;
    return ok(cublas.sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, g->n, g->m, g->k, &alpha, b, g->ldb, a,
                           g->lda, &beta, c, g->ldc),
              "cublasSgemm_64");
}

static bool dgemm(const struct gemm *g) {
    const double *a = (const double *)(uintptr_t)g->a, *b = (const double *)(uintptr_t)g->b;
    double *c = (double *)(uintptr_t)g->c;
    return ok(cublas.dgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, g->n, g->m, g->k, &g->alpha, b, g->ldb,
                           a, g->lda, &g->beta, c, g->ldc),
              "cublasDgemm_64");
}

bool cublas_gemm(const struct gemm *g) {
    const cublasMath_t mode = g->default_math ? CUBLAS_DEFAULT_MATH : CUBLAS_PEDANTIC_MATH;
    return ok(cublas.set_math_mode(handle, mode), "cublasSetMathMode") &&
           (g->element == FP64 ? dgemm(g) : sgemm(g));
}
