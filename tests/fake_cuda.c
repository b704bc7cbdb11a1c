// A CUDA driver and a cuBLAS that are neither: device memory is the host's, and every launch computes
//
//     C = alpha A B + beta C
//
// from the arguments that every kernel of the course has, in double for those called dgemm_.... A kernel called pad_matrix
// copies a matrix to a padded one instead; one called probe_... takes the arguments of probe.h and says that each of its
// rounds took 1000 cycles. Built as libcuda.so.1 and libcublas.so.13 and put in front of
// the real ones by LD_LIBRARY_PATH, it lets the tests run the whole program without a GPU. FAKE_CUDA in the environment
// chooses what is wrong: nodevice, old, oom, capability (one no cubin exists for), wrong (an element), fault (a launch
// that fails), slow (a launch takes 50 ms). cublasSgemm takes 20 ms longer in its default mode than in the pedantic one.
#include <cublas_v2.h>
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#undef cuEventElapsedTime
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);

static int mode_is(const char *name) {
    const char *mode = getenv("FAKE_CUDA");
    return mode && strcmp(mode, name) == 0;
}

// What cuModuleGetFunction gives for a kernel's name.
enum function { SGEMM = 1, DGEMM, PAD, PROBE };

#define DEFINE_GEMM(name, real)                                                                                        \
    struct name {                                                                                                      \
        int m, n, k;                                                                                                   \
        real alpha, beta;                                                                                              \
        const real *a, *b;                                                                                             \
        real *c;                                                                                                       \
        int lda, ldb, ldc;                                                                                             \
    };                                                                                                                 \
    static void compute_##name(const struct name *g) {                                                                 \
        for (int i = 0; i < g->m; i++) {                                                                               \
            for (int j = 0; j < g->n; j++) {                                                                           \
                real sum = 0, *c = &g->c[(size_t)i * g->ldc + j];                                                      \
                for (int p = 0; p < g->k; p++) sum += g->a[(size_t)i * g->lda + p] * g->b[(size_t)p * g->ldb + j];     \
                *c = g->alpha * sum + (g->beta != 0 ? g->beta * *c : 0);                                               \
            }                                                                                                          \
        }                                                                                                              \
    }                                                                                                                  \
    static struct name read_##name(void **arguments) {                                                                 \
        return (struct name){.m = *(int *)arguments[0],                                                                \
                             .n = *(int *)arguments[1],                                                                \
                             .k = *(int *)arguments[2],                                                                \
                             .alpha = *(real *)arguments[3],                                                           \
                             .a = (const real *)(uintptr_t) * (CUdeviceptr *)arguments[4],                             \
                             .lda = *(int *)arguments[5],                                                              \
                             .b = (const real *)(uintptr_t) * (CUdeviceptr *)arguments[6],                             \
                             .ldb = *(int *)arguments[7],                                                              \
                             .beta = *(real *)arguments[8],                                                            \
                             .c = (real *)(uintptr_t) * (CUdeviceptr *)arguments[9],                                   \
                             .ldc = *(int *)arguments[10]};                                                            \
    }
DEFINE_GEMM(sgemm, float)
DEFINE_GEMM(dgemm, double)

// A probe: each of its rounds took 1000 cycles.
static void pretend(void **arguments, unsigned blocks) {
    const int rounds = *(int *)arguments[0];
    long long *cycles = (long long *)(uintptr_t) * (CUdeviceptr *)arguments[4];
    for (unsigned b = 0; b < blocks; b++) cycles[b] = 1000ll * rounds;
}

static void pad(void **arguments) {
    const int rows = *(int *)arguments[0], cols = *(int *)arguments[1], ld_from = *(int *)arguments[3];
    const int ld_to = *(int *)arguments[5], to_rows = *(int *)arguments[6], to_cols = *(int *)arguments[7];
    const double *from = (const double *)(uintptr_t) * (CUdeviceptr *)arguments[2];
    double *to = (double *)(uintptr_t) * (CUdeviceptr *)arguments[4];
    for (int i = 0; i < to_rows; i++) {
        for (int j = 0; j < to_cols; j++) {
            to[(size_t)i * ld_to + j] = i < rows && j < cols ? from[(size_t)i * ld_from + j] : 0;
        }
    }
}

CUresult cuInit(unsigned flags) {
    (void)flags;
    return mode_is("nodevice") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    *version = mode_is("old") ? 11080 : CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **text) {
    *text = error == CUDA_ERROR_NO_DEVICE       ? "CUDA_ERROR_NO_DEVICE"
            : error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                                : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    (void)error;
    *text = "said by the fake driver";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    (void)device;
    snprintf(name, (size_t)length, "Fake GPU, one of a kind");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
    (void)device;
    snprintf(id, (size_t)length, "0000:00:00.0");
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    (void)device;
    *bytes = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device) {
    (void)device;
    switch ((int)which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = mode_is("capability") ? 3 : 9;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = 0;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = 2;
        break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        *value = 1000000;
        break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = 4096;
        break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
        *value = 256;
        break;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH:
        *value = 1 << 28;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = 227 * 1024;
        break;
    default:
        *value = 0;
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    (void)device;
    *context = (CUcontext)1;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    (void)device;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    (void)context;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    (void)image;
    *module = (CUmodule)1;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule module) {
    (void)module;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    const enum function found = strncmp(name, "dgemm_", 6) == 0   ? DGEMM
                                : strncmp(name, "probe_", 6) == 0 ? PROBE
                                : strcmp(name, "pad_matrix") == 0 ? PAD
                                                                  : SGEMM;
    (void)module;
    *function = (CUfunction)(uintptr_t)found;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function) {
    (void)which;
    (void)function;
    *value = 32;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
    (void)function;
    (void)which;
    (void)value;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared) {
    (void)function;
    (void)threads;
    (void)shared;
    *blocks = 2;
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo(size_t *available, size_t *total) {
    *available = 1000;
    *total = (size_t)1 << 30;
    return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
    void *memory = aligned_alloc(256, (bytes + 255) / 256 * 256);
    if (mode_is("oom") || !memory) {
        free(memory);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr pointer) {
    free((void *)(uintptr_t)pointer);
    return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    *memory = malloc(bytes);
    return *memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFreeHost(void *memory) {
    free(memory);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
    memcpy((void *)(uintptr_t)to, from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    (void)stream;
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned word, size_t words, CUstream stream) {
    unsigned *at = (unsigned *)(uintptr_t)to;
    (void)stream;
    for (size_t i = 0; i < words; i++) at[i] = word;
    return CUDA_SUCCESS;
}

// A texture's handle is 1; no kernel here reads it.
CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *memory, const CUDA_TEXTURE_DESC *reading,
                           const CUDA_RESOURCE_VIEW_DESC *view) {
    (void)reading;
    *texture = 1;
    return memory->resType == CU_RESOURCE_TYPE_LINEAR && memory->res.linear.devPtr % 256 == 0 && !view
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
    return texture == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void **arguments,
                        void **extra) {
    (void)grid_z, (void)block_y, (void)block_z, (void)shared, (void)stream, (void)extra;
    if (mode_is("fault") || grid_x == 0 || grid_y == 0 || grid_y > 65535 || block_x > 1024) {
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    if ((uintptr_t)function == PROBE) {
        pretend(arguments, grid_x);
        return CUDA_SUCCESS;
    }
    if ((uintptr_t)function == PAD) {
        pad(arguments);
    } else if ((uintptr_t)function == DGEMM) {
        const struct dgemm g = read_dgemm(arguments);
        compute_dgemm(&g);
        if (mode_is("wrong")) g.c[0] = (float)g.c[0]; // good enough for FP32
    } else {
        const struct sgemm g = read_sgemm(arguments);
        compute_sgemm(&g);
        if (mode_is("wrong")) g.c[0] += 1;
    }
    if (mode_is("slow")) usleep(50000);
    return CUDA_SUCCESS;
}

// An event is a time stamp, taken when it is recorded: every call here has done its work when it returns.
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof(struct timespec));
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, (struct timespec *)event);
    return CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
    (void)event;
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    const struct timespec *a = (const struct timespec *)start, *b = (const struct timespec *)end;
    *milliseconds = (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) * 1e-6);
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) {
    free(event);
    return CUDA_SUCCESS;
}

static cublasMath_t math_mode = CUBLAS_DEFAULT_MATH; // as in the real one, until it is set

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    *handle = (cublasHandle_t)1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    (void)handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
    (void)handle;
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    (void)handle;
    math_mode = mode;
    return mode == CUBLAS_PEDANTIC_MATH || mode == CUBLAS_DEFAULT_MATH ? CUBLAS_STATUS_SUCCESS
                                                                       : CUBLAS_STATUS_INVALID_VALUE;
}

const char *cublasGetStatusString(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "CUBLAS_STATUS_INVALID_VALUE";
}

// Column-major (m, n) = (m, k) (k, n), which is row-major (n, m) = (n, k) (k, m).
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                           const float *alpha, const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc) {
    (void)handle, (void)op_a, (void)op_b;
    const struct sgemm g = {n, m, k, *alpha, *beta, b, a, c, ldb, lda, ldc};
    if (math_mode == CUBLAS_DEFAULT_MATH) usleep(20000);
    compute_sgemm(&g);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                           const double *alpha, const double *a, int lda, const double *b, int ldb, const double *beta,
                           double *c, int ldc) {
    (void)handle, (void)op_a, (void)op_b;
    const struct dgemm g = {n, m, k, *alpha, *beta, b, a, c, ldb, lda, ldc};
    compute_dgemm(&g);
    return CUBLAS_STATUS_SUCCESS;
}
