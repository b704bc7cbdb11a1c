// A CUDA runtime on the simulator, for a program that is linked with this file instead of
// libcudart. It has what steps/01_naive/alone.cu calls: memory, copies, launches of the kernels in
// the cubin $ALONE_CUBIN, and events, which measure nothing.
#include "../common/backend/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int cudaError_t;
struct dim3 {
    unsigned x, y, z;
};

enum { MOST_KERNELS = 8, ERROR = 999 };
static struct {
    const void *host; // address of the kernel's host function
    const char *name;
    struct kernel *kernel;
} kernels[MOST_KERNELS];
static int kernel_count;
static struct {
    struct dim3 grid, block;
    size_t shared;
    void *stream;
} configuration;
static struct device_info info;
static bool opened;

static cudaError_t result(bool ok) {
    return ok ? 0 : ERROR;
}

static bool open_device(void) {
    if (!opened) opened = backend_sim.open(&info) == BACKEND_READY;
    return opened;
}

// --- functions that nvcc's generated code calls

void **__cudaRegisterFatBinary(void *image) {
    static void *handle;
    return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) {
}
void __cudaUnregisterFatBinary(void **handle) {
}
void __cudaRegisterFunction(void **handle, const void *host, char *device, const char *name,
                            int limit, void *a, void *b, void *c, void *d, int *e) {
    if (kernel_count == MOST_KERNELS) abort();
    kernels[kernel_count].host = host;
    kernels[kernel_count++].name = name;
}
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     void *stream) {
    configuration.grid = grid, configuration.block = block;
    configuration.shared = shared, configuration.stream = stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       void **stream) {
    *grid = configuration.grid, *block = configuration.block;
    *shared = configuration.shared, *stream = configuration.stream;
    return 0;
}
cudaError_t __cudaGetKernel(const void **kernel, const void *host) {
    *kernel = host;
    return 0;
}
cudaError_t cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block,
                             void **arguments, size_t shared, void *stream) {
    const char *cubin = getenv("ALONE_CUBIN");
    struct kernel_info of_kernel;
    for (int i = 0; i < kernel_count; i++) {
        if (kernels[i].host != host) continue;
        if (!open_device() || !cubin) return ERROR;
        if (!kernels[i].kernel &&
            !backend_sim.load(cubin, kernels[i].name, 0, &kernels[i].kernel, &of_kernel))
            return ERROR;
        const struct launch launch = {
            .grid_x = grid.x, .grid_y = grid.y, .threads = (int)block.x, .arguments = arguments};
        return result(backend_sim.launch(kernels[i].kernel, &launch) && backend_sim.synchronize());
    }
    return ERROR;
}
cudaError_t __cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block,
                               void **arguments, size_t shared, void *stream) {
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

// --- functions that the program itself calls

cudaError_t cudaMalloc(void **address, size_t bytes) {
    device_pointer at = 0;
    const bool ok = open_device() && backend_sim.allocate((int64_t)bytes, 0, &at);
    *address = (void *)(uintptr_t)at;
    return result(ok);
}
enum { TO_DEVICE = 1, TO_HOST = 2 };
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    if (kind == TO_DEVICE)
        return result(backend_sim.to_device((device_pointer)(uintptr_t)to, from, (int64_t)bytes));
    return result(kind == TO_HOST &&
                  backend_sim.to_host(to, (device_pointer)(uintptr_t)from, (int64_t)bytes));
}
cudaError_t cudaGetLastError(void) {
    return 0;
}
const char *cudaGetErrorString(cudaError_t error) {
    return *backend_error() ? backend_error() : "unknown error";
}
cudaError_t cudaEventCreate(void **event) {
    *event = NULL;
    return 0;
}
cudaError_t cudaEventRecord(void *event, void *stream) {
    return 0;
}
cudaError_t cudaEventSynchronize(void *event) {
    return 0;
}
cudaError_t cudaEventElapsedTime(float *milliseconds, void *start, void *stop) {
    *milliseconds = 1;
    return 0;
}
