// Loads cublasXt at run time and calls it.
#include "cublasxt.h"
#include "backend/backend.h"
#include "backend/cublas.h"
#include "backend/cublas_calls.h"
#include "backend/symbols.h"

enum { MOST_GPUS = 64 };

static void *library;
static cublasXtHandle_t handle;

#define FUNCTIONS(X) \
    X(create, cublasXtCreate) \
    X(destroy, cublasXtDestroy) \
    X(select, cublasXtDeviceSelect) \
    X(tile, cublasXtSetBlockDim) \
    X(sgemm, cublasXtSgemm) \
    X(status_string, cublasGetStatusString)
static struct { FUNCTIONS(SYMBOL_FIELD) } xt;
#define ROW(field, function) {#function, (void **)&xt.field},
static const struct symbol symbols[] = {FUNCTIONS(ROW){NULL, NULL}};

static bool ok(cublasStatus_t status, const char *call) {
    return status == CUBLAS_STATUS_SUCCESS ||
           backend_fail("%s failed: %s (status %d)", call, xt.status_string(status), (int)status);
}

bool xt_open(int gpus, int tile) {
    int devices[MOST_GPUS];
    library = cublas_library("libcublas");
    if (!library)
        return backend_fail(
            "cublasXt: libcublas.so.13 and .12 not found: install cuBLAS, or leave --cublasxt out");
    const char *missing = missing_symbol(library, symbols);
    if (missing)
        return backend_fail("cublasXt: libcublas has no %s: CUDA 12 or newer is needed", missing);
    for (int i = 0; i < MOST_GPUS; i++) devices[i] = i;
    return ok(xt.create(&handle), "cublasXtCreate") &&
           ok(xt.select(handle, gpus, devices), "cublasXtDeviceSelect") &&
           ok(xt.tile(handle, tile), "cublasXtSetBlockDim");
}

void xt_close(void) {
    if (handle) xt.destroy(handle);
    if (library) dlclose(library);
    handle = NULL;
    library = NULL;
}

// cublasXt is column-major, so it sees the row-major matrices transposed: it computes C^T = B^T
// A^T.
bool xt_multiply(const struct xt_problem *p) {
    return ok(xt.sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, (size_t)p->n, (size_t)p->m, (size_t)p->k,
                       &p->alpha, p->b, (size_t)p->n, p->a, (size_t)p->k, &p->beta, p->c,
                       (size_t)p->n),
              "cublasXtSgemm");
}
