// The calls that libsgemm_cublas.so intercepts, on the simulator, with a cuBLAS that only counts
// calls. Every entry point computes what the caller asked for. Calls that are not FP32, or not
// expected to become faster, are passed on to cuBLAS.
#include "../library/intercept.h"
#include "fake_cublas.h"
#include "helpers.h"
#include "sim_device.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int fake_calls, fake_status;
static struct fake_handle cublas;

sgemm_status sgemm_create(sgemm_handle *handle, const sgemm_options *options) {
    return create_on(&device_sim, handle, options);
}
static bool no_gpu(void *context, void *stream) {
    return false;
}
const struct device device_gpu = {.enter = no_gpu}; // SGEMM_LOG cannot measure times
void *current_context(void) {
    return &cublas;
}

#define SHAPE(I) void *, int, int, I, I, I
int cublasSgemm_v2(SHAPE(int), const float *, const float *, int, const float *, int, const float *,
                   float *, int);
int cublasSgemm_v2_64(SHAPE(int64_t), const float *, const float *, int64_t, const float *, int64_t,
                      const float *, float *, int64_t);
int cublasSgemmStridedBatched(SHAPE(int), const float *, const float *, int, long long,
                              const float *, int, long long, const float *, float *, int, long long,
                              int);
int cublasSgemmBatched(SHAPE(int), const float *, const float *const[], int, const float *const[],
                       int, const float *, float *const[], int, int);
int cublasGemmEx(SHAPE(int), const void *, const void *, int, int, const void *, int, int,
                 const void *, void *, int, int, int, int);
int cublasGemmStridedBatchedEx(SHAPE(int), const void *, const void *, int, int, long long,
                               const void *, int, int, long long, const void *, void *, int, int,
                               long long, int, int, int);
int cublasGemmBatchedEx(SHAPE(int), const void *, const void *const[], int, int,
                        const void *const[], int, int, const void *, void *const[], int, int, int,
                        int, int);

static const float one = 1, two = 2;

enum { N = 256, FLOATS = N * N, PRODUCTS = 2 };
static device_pointer a, b, c, lists, bias;
static float host_a[PRODUCTS * FLOATS], host_b[PRODUCTS * FLOATS], got[PRODUCTS * FLOATS],
    host_bias[N];

static float *pointer(device_pointer at) {
    return (float *)(uintptr_t)at;
}

static void fill(float *host, int count, unsigned seed) {
    for (int i = 0; i < count; i++)
        host[i] = (float)((seed = seed * 1664525 + 1013904223) >> 8) / (1 << 24) - 0.5f;
}

static int make_all(void **state) {
    cublasSgemm_v2(&cublas, 0, 0, 8, 8, 8, &one, NULL, 8, NULL, 8, &two, NULL,
                   8); // creates the handle and opens the simulator
    fill(host_a, PRODUCTS * FLOATS, 1), fill(host_b, PRODUCTS * FLOATS, 2), fill(host_bias, N, 3);
    device_pointer *const all[] = {&a, &b, &c};
    for (int i = 0; i < 3; i++) assert_true(backend_sim.allocate(sizeof host_a, 0, all[i]));
    assert_true(backend_sim.allocate(sizeof host_bias, 0, &bias) &&
                backend_sim.allocate(3 * PRODUCTS * 8, 0, &lists));
    backend_sim.to_device(a, host_a, sizeof host_a),
        backend_sim.to_device(b, host_b, sizeof host_b);
    backend_sim.to_device(bias, host_bias, sizeof host_bias);
    for (int i = 0; i < 3; i++)
        for (int q = 0; q < PRODUCTS; q++) {
            const uint64_t at = *all[i] + (uint64_t)q * sizeof host_a / PRODUCTS;
            backend_sim.to_device(lists + (uint64_t)(8 * (i * PRODUCTS + q)), &at, 8);
        }
    return 0;
}

// Returns an element of a column-major operand, transposed if asked.
static float element(const float *matrix, int row, int col, bool transposed) {
    return transposed ? matrix[row * N + col] : matrix[col * N + row];
}

// Checks some elements of the result; C began as ones, and beta was 2.
static void check_some(int products, bool ta, bool tb, bool rows, bool biased) {
    assert_true(backend_sim.to_host(got, c, sizeof got));
    for (int q = 0; q < products; q++)
        for (int i = 3; i < N; i += 50)
            for (int j = 5; j < N; j += 40) {
                double sum = 2;
                for (int k = 0; k < N; k++)
                    sum += rows ? (double)element(&host_a[q * FLOATS], k, i, ta) *
                                      element(&host_b[q * FLOATS], j, k, tb)
                                : (double)element(&host_a[q * FLOATS], i, k, ta) *
                                      element(&host_b[q * FLOATS], k, j, tb);
                if (biased) sum += host_bias[i];
                assert_true(fabs(got[q * FLOATS + (rows ? i * N + j : j * N + i)] - sum) < 1e-4);
            }
}

static void reset(void) {
    static float ones[PRODUCTS * FLOATS];
    for (int i = 0; i < PRODUCTS * FLOATS; i++) ones[i] = 1;
    backend_sim.to_device(c, ones, sizeof ones);
    fake_calls = fake_status = 0;
    cublas = (struct fake_handle){0};
}

// --- cuBLAS
static void every_function_computes(void **state) {
    const float *const *la = (const float *const *)(uintptr_t)lists, *const *lb = la + PRODUCTS;
    float *const *lc = (float *const *)(uintptr_t)(lists + 8 * 2 * PRODUCTS);
    for (int which = 0; which < 7; which++) {
        const int ta = which % 2, tb = which / 2 % 2, products = which < 3 ? 1 : 2;
        int status = -1;
        reset();
        switch (which) {
        case 0:
            status = cublasSgemm_v2(&cublas, ta, tb, N, N, N, &one, pointer(a), N, pointer(b), N,
                                    &two, pointer(c), N);
            break;
        case 1:
            status = cublasSgemm_v2_64(&cublas, ta, tb, N, N, N, &one, pointer(a), N, pointer(b), N,
                                       &two, pointer(c), N);
            break;
        case 2:
            status = cublasGemmEx(&cublas, ta, tb, N, N, N, &one, pointer(a), 0, N, pointer(b), 0,
                                  N, &two, pointer(c), 0, N, 68, -1);
            break;
        case 3:
            status =
                cublasSgemmStridedBatched(&cublas, ta, tb, N, N, N, &one, pointer(a), N, FLOATS,
                                          pointer(b), N, FLOATS, &two, pointer(c), N, FLOATS, 2);
            break;
        case 4:
            status = cublasGemmStridedBatchedEx(&cublas, ta, tb, N, N, N, &one, pointer(a), 0, N,
                                                FLOATS, pointer(b), 0, N, FLOATS, &two, pointer(c),
                                                0, N, FLOATS, 2, 68, -1);
            break;
        case 5:
            status =
                cublasSgemmBatched(&cublas, ta, tb, N, N, N, &one, la, N, lb, N, &two, lc, N, 2);
            break;
        case 6:
            status = cublasGemmBatchedEx(&cublas, ta, tb, N, N, N, &one, (const void *const *)la, 0,
                                         N, (const void *const *)lb, 0, N, &two, (void *const *)lc,
                                         0, N, 2, 68, -1);
        }
        assert_int_equal(status, 0);
        assert_int_equal(fake_calls, 0);
        check_some(products, ta, tb, false, false);
    }
}

static int sgemm_of(int n) {
    return cublasSgemm_v2(&cublas, 0, 0, n, n, n, &one, pointer(a), n, pointer(b), n, &two,
                          pointer(c), n);
}

// Requires that cuBLAS got the call, and the caller its status.
static void goes_on(int status) {
    assert_int_equal(fake_calls, 1);
    assert_int_equal(status, fake_status);
}

static void what_goes_on(void **state) {
    reset(), fake_status = 14;
    cublas.math = 3; // the caller allows TF32
    goes_on(sgemm_of(N));
    reset(), fake_status = 13;
    goes_on(cublasSgemm_v2(&cublas, 1, 0, N, N, N, &one, pointer(a), N, pointer(b), N, &two,
                           pointer(c),
                           N)); // copying A takes too long
    reset();
    goes_on(cublasSgemm_v2(&cublas, 0, 0, 5520, 139, 6674, &one, pointer(a), 5520, pointer(b), 6674,
                           &two, pointer(c),
                           5520)); // slower for inputs that need six products
    reset();
    goes_on(sgemm_of(0));
    reset();
    // Wrong lda
    goes_on(cublasSgemm_v2(&cublas, 0, 0, N, N, N, &one, pointer(a), 7, pointer(b), N, &two,
                           pointer(c), N));
    reset();
    goes_on(cublasSgemm_v2(&cublas, 0, 0, N, N, N, NULL, pointer(a), N, pointer(b), N, &two,
                           pointer(c), N));
    reset();
    goes_on(cublasGemmEx(&cublas, 0, 0, N, N, N, &one, pointer(a), 2, N, pointer(b), 2, N, &two,
                         pointer(c), 0, N, 68,
                         -1)); // FP16
    reset();
    goes_on(cublasGemmEx(&cublas, 0, 0, N, N, N, &one, pointer(a), 0, N, pointer(b), 0, N, &two,
                         pointer(c), 0, N, 77,
                         -1)); // the caller allows TF32
}

// --- cublasLt
int cublasLtMatmul(void *, const void *, const void *, const void *, const void *, const void *,
                   const void *, const void *, const void *, const void *, void *, const void *,
                   const void *, void *, size_t, void *);

typedef int64_t attributes[FAKE_ATTRIBUTES];
static int matmul(attributes desc, attributes layouts[4]) {
    return cublasLtMatmul(&cublas, desc, &one, pointer(a), layouts[0], pointer(b), layouts[1], &two,
                          pointer(c), layouts[2], pointer(c), layouts[3], NULL, NULL, 0, NULL);
}

static void matmuls(void **state) {
    attributes layouts[4], desc = {68, 0, 0, 0, 0, 0, 0, 1};
    for (int i = 0; i < 4; i++)
        memcpy(layouts[i], (attributes){0, 0, N, N, N, 1, FLOATS}, sizeof *layouts);
    reset();
    assert_int_equal(matmul(desc, layouts), 0);
    check_some(1, false, false, false, false);
    desc[3] = 1, desc[7] = 4, desc[8] = (int64_t)bias; // A transposed, one bias per row
    reset();
    assert_int_equal(matmul(desc, layouts), 0);
    check_some(1, true, false, false, true);
    desc[3] = 0;
    for (int i = 0; i < 4; i++) layouts[i][1] = 1; // row-major
    reset();
    assert_int_equal(matmul(desc, layouts), 0);
    check_some(1, false, false, true, true);
    assert_int_equal(fake_calls, 0);
    desc[7] = 2; // ReLU
    reset();
    goes_on(matmul(desc, layouts));
    desc[7] = 1, desc[0] = 77;
    reset();
    goes_on(matmul(desc, layouts));
    desc[0] = 68, layouts[1][3] = N + 1;
    reset();
    goes_on(matmul(desc, layouts));
    layouts[1][3] = N, layouts[0][0] = 2;
    reset();
    goes_on(matmul(desc, layouts));
}

// --- what SGEMM_LOG=1 prints
// Four programs: one uses no GPU, one loads the driver, one loads cuBLAS, one calls cuBLAS and has
// two child processes, of which one calls it, too.
static const char *const programs[] = {"none", "driver", "cublas", "calls"};
static int run_program(const char *program) {
    const int which = program[0] == 'n' ? 0 : program[0] == 'd' ? 1 : program[1] == 'u' ? 2 : 3;
    if (which > 0 && !dlopen("build/fake/cublas/libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) return 1;
    void *library =
        which > 1 ? dlopen("build/fake/cublas/libcublas.so.13", RTLD_NOW | RTLD_LOCAL) : NULL;
    if (which < 3) return which > 1 && !library;
    *(int **)dlsym(library, "fake_calls") = &fake_calls;
    *(int **)dlsym(library, "fake_status") = &fake_status;
    for (int child = 0; child < 2; child++) {
        const pid_t pid = fork();
        if (pid == 0) return child ? sgemm_of(5) : 0;
        if (pid < 0 || waitpid(pid, NULL, 0) != pid) return 1;
        if (child == 0 && sgemm_of(7) != 0) return 1;
    }
    return 0;
}

static int count_of(const char *text, const char *what) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) count++;
    return count;
}

static void log_is_of_the_process_that_calls(void **state) {
    char printed[4][4096] = {""}, command[256], self[128];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(length > 0);
    self[length] = '\0';
    for (int i = 0; i < 4; i++) {
        snprintf(command, sizeof command, "SGEMM_LOG=1 ASAN_OPTIONS=detect_leaks=0 %s %s 2>&1",
                 self, programs[i]);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        printed[i][fread(printed[i], 1, sizeof printed[i] - 1, pipe)] = '\0';
        assert_int_equal(pclose(pipe), 0);
    }
    assert_string_equal(printed[0], "");
    assert_int_equal(count_of(printed[1], "\n"), 1); // the reason why there is no table
    assert_int_equal(count_of(printed[2], "\n"), 1);
    assert_int_equal(count_of(printed[1], "build/fake/cublas/libcublas.so.13"), 0);
    assert_int_equal(count_of(printed[2], "build/fake/cublas/libcublas.so.13"), 1);
    // The child prints a table, and so does the parent
    assert_int_equal(count_of(printed[3], "5 x 5 x 5"), 1);
    assert_int_equal(count_of(printed[3], "7 x 7 x 7"), 1);
}

// Tests which calls are intercepted by default, then runs itself with SGEMM_TAKE=all for the rest.
int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "all") != 0) return run_program(argv[1]);
    void *library = dlopen("build/fake/cublas/libcublas.so.13", RTLD_NOW | RTLD_LOCAL);
    void *lt = dlopen("build/fake/cublas/libcublasLt.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library || !lt) return print_error("%s\n", dlerror()), 1;
    *(int **)dlsym(library, "fake_calls") = *(int **)dlsym(lt, "fake_calls") = &fake_calls;
    *(int **)dlsym(library, "fake_status") = *(int **)dlsym(lt, "fake_status") = &fake_status;
    const struct CMUnitTest usual[] = {cmocka_unit_test(what_goes_on),
                                       cmocka_unit_test(log_is_of_the_process_that_calls)};
    const struct CMUnitTest all[] = {cmocka_unit_test(every_function_computes),
                                     cmocka_unit_test(matmuls)};
    if (argc > 1) return cmocka_run_group_tests(all, make_all, NULL);
    if (cmocka_run_group_tests(usual, make_all, NULL) != 0) return 1;
    setenv("SGEMM_TAKE", "all", 1);
    return execv(argv[0], (char *[]){argv[0], "all", NULL});
}
