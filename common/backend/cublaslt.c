// Finds the algorithms that cublasLtMatmulAlgoGetHeuristic offers, and runs cublasLtMatmul with any
// one of them. (cublasSgemm chooses one by its own rules.)
#include "cublaslt.h"
#include "cublas.h"
#include "cublas_calls.h"
#include "driver.h"
#include "symbols.h"

#include <string.h>

enum { MOST_ALGORITHMS = 512, MOST_ALIGNMENT = 256 };
static const size_t WORKSPACE_BYTES = 32 << 20; // cuBLAS's own default on Hopper: 32 MiB

static void *library;
static cublasLtHandle_t handle;
static device_pointer workspace;

// The algorithms that cublasLt offered for the last problem.
static struct offer {
    struct gemm gemm;
    cublasLtMatmulDesc_t operation;
    // column-major cublasLt sees the row-major matrices as their transposes
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulHeuristicResult_t results[MOST_ALGORITHMS];
    int count;
} offer;

#define FUNCTIONS(X) \
    X(create, cublasLtCreate) \
    X(destroy, cublasLtDestroy) \
    X(status_string, cublasLtGetStatusString) \
    X(operation_create, cublasLtMatmulDescCreate) \
    X(operation_destroy, cublasLtMatmulDescDestroy) \
    X(layout_create, cublasLtMatrixLayoutCreate) \
    X(layout_destroy, cublasLtMatrixLayoutDestroy) \
    X(preference_create, cublasLtMatmulPreferenceCreate) \
    X(preference_destroy, cublasLtMatmulPreferenceDestroy) \
    X(preference_set, cublasLtMatmulPreferenceSetAttribute) \
    X(heuristic, cublasLtMatmulAlgoGetHeuristic) \
    X(matmul, cublasLtMatmul)
static struct { FUNCTIONS(SYMBOL_FIELD) } lt;
#define ROW(field, function) {#function, (void **)&lt.field},
static const struct symbol symbols[] = {FUNCTIONS(ROW){NULL, NULL}};

static bool ok(cublasStatus_t status, const char *call) {
    return status == CUBLAS_STATUS_SUCCESS ||
           backend_fail("%s: %s: see the cuBLAS manual", call, lt.status_string(status));
}

static bool start(void) {
    CUdeviceptr memory = 0;
    if (workspace) return true;
    if (!library) library = cublas_library("libcublasLt");
    if (!library)
        return backend_fail(
            "libcublasLt.so.13 and .12 not found: they are part of cuBLAS: install all of it");
    const char *missing = missing_symbol(library, symbols);
    if (missing) return backend_fail("libcublasLt has no %s: CUDA 12 or newer is needed", missing);
    if (!handle && !ok(lt.create(&handle), "cublasLtCreate")) return false;
    if (!driver_did(cuMemAlloc, (&memory, WORKSPACE_BYTES))) return false;
    workspace = memory;
    return true;
}

static void forget_offer(void) {
    if (offer.operation) lt.operation_destroy(offer.operation);
    if (offer.a) lt.layout_destroy(offer.a);
    if (offer.b) lt.layout_destroy(offer.b);
    if (offer.c) lt.layout_destroy(offer.c);
    offer = (struct offer){0};
}

void cublaslt_close(void) {
    if (library) forget_offer();
    if (workspace) cuda(cuMemFree)(workspace);
    if (handle) lt.destroy(handle);
    if (library) dlclose(library);
    library = NULL;
    handle = NULL;
    workspace = 0;
}

// Returns the largest power of two, at most MOST_ALIGNMENT, that divides the address.
static uint32_t alignment_of(device_pointer address) {
    uint32_t bytes = MOST_ALIGNMENT;
    while (address % bytes != 0) bytes /= 2;
    return bytes;
}

static bool prefer(cublasLtMatmulPreference_t preference, const struct gemm *g) {
    const uint64_t bytes = WORKSPACE_BYTES;
    const struct {
        cublasLtMatmulPreferenceAttributes_t which;
        device_pointer address;
    } rows[] = {{CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, g->b},
                {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, g->a},
                {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, g->c},
                {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, g->c}};
    cublasStatus_t status = lt.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &bytes, sizeof bytes);
    for (size_t i = 0; status == CUBLAS_STATUS_SUCCESS && i < sizeof rows / sizeof *rows; i++) {
        const uint32_t alignment = alignment_of(rows[i].address);
        status = lt.preference_set(preference, rows[i].which, &alignment, sizeof alignment);
    }
    return ok(status, "cublasLtMatmulPreferenceSetAttribute");
}

// Removes algorithms that cublasLt marks as failed or that need more than WORKSPACE_BYTES.
static void keep_good(void) {
    int good = 0;
    for (int i = 0; i < offer.count; i++)
        if (offer.results[i].state == CUBLAS_STATUS_SUCCESS &&
            offer.results[i].workspaceSize <= WORKSPACE_BYTES)
            offer.results[good++] = offer.results[i];
    offer.count = good;
}

// Sets offer.results and offer.count, which is 0 if cublasLt has no algorithm for the problem.
static bool find_algorithms(cublasLtMatmulPreference_t preference, const struct gemm *g) {
    if (!prefer(preference, g)) return false;
    const cublasStatus_t status =
        lt.heuristic(handle, offer.operation, offer.b, offer.a, offer.c, offer.c, preference,
                     MOST_ALGORITHMS, offer.results, &offer.count);
    if (status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_INVALID_VALUE)
        offer.count = 0;
    keep_good();
    return offer.count == 0 || ok(status, "cublasLtMatmulAlgoGetHeuristic");
}

int cublaslt_algorithms(const struct gemm *g) {
    cublasLtMatmulPreference_t preference = NULL;
    if (!start()) return -1;
    forget_offer();
    offer.gemm = *g;
    const bool done =
        ok(lt.operation_create(&offer.operation, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F),
           "cublasLtMatmulDescCreate") &&
        ok(lt.layout_create(&offer.a, CUDA_R_32F, (uint64_t)g->k, (uint64_t)g->m, g->lda),
           "cublasLtMatrixLayoutCreate") &&
        ok(lt.layout_create(&offer.b, CUDA_R_32F, (uint64_t)g->n, (uint64_t)g->k, g->ldb),
           "cublasLtMatrixLayoutCreate") &&
        ok(lt.layout_create(&offer.c, CUDA_R_32F, (uint64_t)g->n, (uint64_t)g->m, g->ldc),
           "cublasLtMatrixLayoutCreate") &&
        ok(lt.preference_create(&preference), "cublasLtMatmulPreferenceCreate") &&
        find_algorithms(preference, g);
    if (preference) lt.preference_destroy(preference);
    return done ? offer.count : -1;
}

static const void *memory_at(device_pointer address) {
    return (const void *)(uintptr_t)address;
}

// cublasLt is column-major like cuBLAS, so B is passed first: C^T = B^T A^T.
bool cublaslt_gemm(const struct gemm *g) {
    const float alpha = (float)g->alpha, beta = (float)g->beta;
    void *c = (void *)(uintptr_t)g->c;
    if (g->algorithm > offer.count || g->m != offer.gemm.m || g->n != offer.gemm.n ||
        g->k != offer.gemm.k)
        return backend_fail("cublasLt offered no algorithm %d for this problem", g->algorithm);
    const cublasLtMatmulHeuristicResult_t *chosen = &offer.results[g->algorithm - 1];
    return ok(lt.matmul(handle, offer.operation, &alpha, memory_at(g->b), offer.b, memory_at(g->a),
                        offer.a, &beta, c, offer.c, c, offer.c, &chosen->algo,
                        (void *)(uintptr_t)workspace, WORKSPACE_BYTES, NULL),
              "cublasLtMatmul");
}
