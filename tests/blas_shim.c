// Defines Fortran's sgemm_, computed by libsgemm on the simulator, so that the reference BLAS's own
// test program tests libsgemm. Each call copies its matrices to the device and back. The
// environment's SHIM_METHOD is the number of a method in sgemm.h.
#include "sim_device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN __attribute__((visibility("default")))

// The test program defines xerbla_; sgemm_ must call it for wrong arguments.
void xerbla_(const char *name, const int *info, size_t length);

static sgemm_handle handle;
static sgemm_method method;

static void open_handle(void) {
    const char *wish = getenv("SHIM_METHOD");
    if (handle) return;
    if (wish) method = (sgemm_method)atoi(wish);
    if (create_on(&device_sim, &handle, NULL) == SGEMM_OK) return;
    fprintf(stderr, "%s\n", sgemm_error());
    exit(1);
}

static int transposed(const char *letter) {
    const char *at = strchr("NTC", toupper((unsigned char)*letter));
    return at && *letter ? (int)(at - "NTC") : -1;
}

// Returns the number of the first wrong argument as BLAS counts them, or 0.
static int wrong(int ta, int tb, int m, int n, int k, int lda, int ldb, int ldc) {
    const int rows_a = ta ? k : m, rows_b = tb ? n : k;
    return ta < 0                            ? 1
           : tb < 0                          ? 2
           : m < 0                           ? 3
           : n < 0                           ? 4
           : k < 0                           ? 5
           : lda < (rows_a > 1 ? rows_a : 1) ? 8
           : ldb < (rows_b > 1 ? rows_b : 1) ? 10
           : ldc < (m > 1 ? m : 1)           ? 13
                                             : 0;
}

static device_pointer there(const float *matrix, int64_t floats) {
    device_pointer at = 0;
    if (floats > 0 && !(backend_sim.allocate(4 * floats, 0, &at) &&
                        backend_sim.to_device(at, matrix, 4 * floats)))
        exit(1);
    return at;
}

// Returns the size of a column-major matrix in memory, up to the last element of its last column.
static int64_t floats_of(int rows, int cols, int ld) {
    return rows > 0 && cols > 0 ? (int64_t)(cols - 1) * ld + rows : 0;
}

SHOWN void sgemm_(const char *trans_a, const char *trans_b, const int *m, const int *n,
                  const int *k, const float *alpha, const float *a, const int *lda, const float *b,
                  const int *ldb, const float *beta, float *c, const int *ldc) {
    const int ta = transposed(trans_a), tb = transposed(trans_b),
              info = wrong(ta, tb, *m, *n, *k, *lda, *ldb, *ldc);
    if (info != 0) {
        xerbla_("SGEMM ", &info, 6);
        return;
    }
    open_handle();
    const int64_t of_a = ta ? floats_of(*k, *m, *lda) : floats_of(*m, *k, *lda),
                  of_c = floats_of(*m, *n, *ldc);
    const device_pointer at_a = there(a, of_a),
                         at_b = there(b, tb ? floats_of(*n, *k, *ldb) : floats_of(*k, *n, *ldb)),
                         at_c = there(c, of_c);
    const sgemm_problem p = {.order = SGEMM_COLUMN_MAJOR,
                             .a = (sgemm_transpose)ta,
                             .b = (sgemm_transpose)tb,
                             .method = method,
                             .m = *m,
                             .n = *n,
                             .k = *k,
                             .lda = *lda,
                             .ldb = *ldb,
                             .ldc = *ldc};
    if (sgemm_run(handle, &p, alpha, (void *)(uintptr_t)at_a, (void *)(uintptr_t)at_b, beta,
                  (void *)(uintptr_t)at_c, NULL) != SGEMM_OK)
        fprintf(stderr, "%s\n", sgemm_error());
    if (of_c > 0) backend_sim.to_host(c, at_c, 4 * of_c);
    backend_sim.release(at_a), backend_sim.release(at_b), backend_sim.release(at_c);
}
