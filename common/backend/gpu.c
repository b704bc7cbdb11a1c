// The GPU backend: the CUDA driver API for kernels and memory, cuBLAS for the baseline, NVML for
// sensors.
//
// All work goes to the default stream of the device's primary context, which cuBLAS uses, too. The
// device is the first visible one (CUDA_VISIBLE_DEVICES), unless gpu.h's functions choose another.
#include "gpu.h"
#include "base/file.h"
#include "cublas.h"
#include "cublaslt.h"
#include "driver.h"
#include "limit.h"
#include "nvml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel {
    CUmodule module;
    CUfunction function;
    char name[128];
};

static char launched[128] = "work"; // name of the kernel launched last

// The state of one device.
struct gpu {
    CUdevice device;
    CUcontext context;
    CUevent start_event, stop_event;
    // twice the size of the L2 cache; allocated at the first flush
    device_pointer flush_buffer;
};

static struct gpu gpus[MOST_DEVICES];
static struct gpu *gpu = gpus; // the current device
static int first_ordinal;
static int64_t flush_bytes;

// FP32 and FP64 lanes per multiprocessor, by compute capability: the multiply-adds per cycle in the
// CUDA C++ Programming Guide, "Arithmetic Instructions". A chip that is not listed gets 128 and 2,
// as recent graphics chips have.
static const struct lanes {
    int compute_capability, fp32, fp64;
} lanes_table[] = {{60, 64, 32}, {61, 128, 4}, {62, 128, 4},  {70, 64, 32},   {72, 64, 32},
                   {75, 64, 2},  {80, 64, 32}, {90, 128, 64}, {100, 128, 64}, {0, 128, 2}};

static const struct lanes *lanes_of(int compute_capability) {
    const struct lanes *row = lanes_table;
    while (row->compute_capability != 0 && row->compute_capability != compute_capability) row++;
    return row;
}

static int attribute_of(CUdevice device, CUdevice_attribute which) {
    int value = 0;
    cuda(cuDeviceGetAttribute)(&value, which, device);
    return value;
}

static int attribute(CUdevice_attribute which) {
    return attribute_of(gpu->device, which);
}

static int capability_of(CUdevice device) {
    return attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
           attribute_of(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

bool gpu_alike(int first, int count) {
    CUdevice a = 0, b = 0;
    cuda(cuDeviceGet)(&a, first);
    for (int i = first + 1; i < first + count; i++) {
        if (cuda(cuDeviceGet)(&b, i) != CUDA_SUCCESS || capability_of(a) == capability_of(b))
            continue;
        return backend_fail("device %d is sm_%d and device %d is sm_%d, but all must run one "
                            "kernel: choose GPUs of one kind with CUDA_VISIBLE_DEVICES",
                            first, capability_of(a), i, capability_of(b));
    }
    return true;
}

// Returns false if the driver is older than the toolkit's major version: such a driver loads
// neither the toolkit's cubins nor its libraries.
static bool check_driver_version(int version) {
    if (version / 1000 >= CUDA_VERSION / 1000) return true;
    return backend_fail("the NVIDIA driver supports CUDA %d.%d and this program was built with "
                        "CUDA %d.%d: update the driver, or build with a CUDA %d toolkit",
                        version / 1000, version % 1000 / 10, CUDA_VERSION / 1000,
                        CUDA_VERSION % 1000 / 10, version / 1000);
}

static void describe(struct device_info *info, int driver_version) {
    size_t memory = 0;
    char bus_id[32] = "";
    *info = (struct device_info){0};
    cuda(cuDeviceGetName)(info->name, sizeof info->name, gpu->device);
    cuda(cuDeviceTotalMem)(&memory, gpu->device);
    cuda(cuDeviceGetPCIBusId)(bus_id, sizeof bus_id, gpu->device);
    snprintf(info->driver, sizeof info->driver, "CUDA %d.%d", driver_version / 1000,
             driver_version % 1000 / 10);
    snprintf(info->toolkit, sizeof info->toolkit, "CUDA %d.%d", CUDA_VERSION / 1000,
             CUDA_VERSION % 1000 / 10);
    info->compute_capability = capability_of(gpu->device);
    info->multiprocessors = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->lanes = lanes_of(info->compute_capability)->fp32;
    info->lanes_64 = lanes_of(info->compute_capability)->fp64;
    info->clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
    info->most_shared = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    info->l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    info->memory_bytes = (int64_t)memory;
    info->texture_alignment = attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    info->texture_width = attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
    nvml_open(bus_id, info);
}

// Retains a device's primary context and makes two events in it.
static bool take_device(struct gpu *taken, int ordinal) {
    return driver_did(cuDeviceGet, (&taken->device, ordinal)) &&
           driver_did(cuDevicePrimaryCtxRetain, (&taken->context, taken->device)) &&
           driver_did(cuCtxSetCurrent, (taken->context)) &&
           driver_did(cuEventCreate, (&taken->start_event, CU_EVENT_DEFAULT)) &&
           driver_did(cuEventCreate, (&taken->stop_event, CU_EVENT_DEFAULT));
}

bool gpu_select(int ordinal) {
    if (ordinal < 0 || ordinal >= MOST_DEVICES)
        return backend_fail("device %d: this program uses at most %d devices", ordinal,
                            MOST_DEVICES);
    gpu = &gpus[ordinal];
    if (!gpu->context) return take_device(gpu, ordinal);
    return driver_did(cuCtxSetCurrent, (gpu->context));
}

void gpu_begin_with(int ordinal) {
    first_ordinal = ordinal;
}

static enum backend_status start_driver(int *version, int *count) {
    enum backend_status status = driver_load();
    if (status != BACKEND_READY) return status;
    CUresult result = cuda(cuInit)(0);
    if (result == CUDA_SUCCESS) result = cuda(cuDeviceGetCount)(count);
    if (result == CUDA_ERROR_NO_DEVICE || (result == CUDA_SUCCESS && *count == 0)) {
        driver_ok(CUDA_ERROR_NO_DEVICE, "no GPU: cuInit");
        return BACKEND_ABSENT;
    }
    if (!driver_ok(result, "cuInit") || !driver_did(cuDriverGetVersion, (version)) ||
        !check_driver_version(*version)) {
        return BACKEND_FAILED;
    }
    return BACKEND_READY;
}

int gpu_count(void) {
    int version, count = 0;
    const enum backend_status status = start_driver(&version, &count);
    return status == BACKEND_READY ? count : status == BACKEND_ABSENT ? 0 : -1;
}

static enum backend_status gpu_open(struct device_info *info) {
    int version = 0, count = 0;
    const enum backend_status status = start_driver(&version, &count);
    if (status != BACKEND_READY) return status;
    if (!gpu_select(first_ordinal)) return BACKEND_FAILED;
    describe(info, version);
    cublas_open(info);
    flush_bytes = 2 * info->l2_bytes;
    return BACKEND_READY;
}

static void close_device(struct gpu *closed) {
    if (closed->context) {
        cuda(cuCtxSetCurrent)(closed->context);
        if (closed->flush_buffer) cuda(cuMemFree)(closed->flush_buffer);
        if (closed->start_event) cuda(cuEventDestroy)(closed->start_event);
        if (closed->stop_event) cuda(cuEventDestroy)(closed->stop_event);
        cuda(cuDevicePrimaryCtxRelease)(closed->device);
    }
    *closed = (struct gpu){0};
}

static void gpu_close(void) {
    if (gpus[first_ordinal].context) cuda(cuCtxSetCurrent)(gpus[first_ordinal].context);
    cublaslt_close();
    cublas_close();
    nvml_close();
    for (int i = 0; i < MOST_DEVICES; i++) close_device(&gpus[i]);
    driver_unload();
}

// Allows the kernel this much dynamic shared memory: more than 48 KB needs an opt-in.
static bool allow_shared(struct kernel *kernel, int shared_bytes) {
    if (shared_bytes <= 48 * 1024) return true;
    int limit = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    if (shared_bytes > limit) {
        return backend_fail("a block needs %.1f KB of shared memory, this device has %.1f KB",
                            shared_bytes / 1024.0, limit / 1024.0);
    }
    return driver_did(
        cuFuncSetAttribute,
        (kernel->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_bytes));
}

static bool inspect(struct kernel *kernel, struct kernel_info *info) {
    const struct {
        CUfunction_attribute which;
        int *value;
    } rows[] = {{CU_FUNC_ATTRIBUTE_NUM_REGS, &info->registers},
                {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &info->shared_bytes},
                {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &info->local_bytes},
                {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &info->max_threads}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!driver_did(cuFuncGetAttribute, (rows[i].value, rows[i].which, kernel->function)))
            return false;
    }
    return true;
}

static void gpu_unload(struct kernel *kernel) {
    if (!kernel) return;
    if (kernel->module) cuda(cuModuleUnload)(kernel->module);
    free(kernel);
}

static bool gpu_load_image(const void *image, size_t bytes, const char *name, const char *symbol,
                           int shared_bytes, struct kernel **kernel, struct kernel_info *info) {
    char load[1280], get[1280];
    struct kernel *loaded = calloc(1, sizeof *loaded);
    (void)bytes; // the driver finds the size in the ELF header
    const size_t length = strlen(name), most = sizeof loaded->name / 2;
    if (loaded) // the beginning of a long path is left out
        snprintf(loaded->name, sizeof loaded->name, "%.60s of %s", symbol,
                 name + (length < most ? 0 : length - most + 1));
    snprintf(load, sizeof load, "cuModuleLoadData(%.1024s)", name);
    snprintf(get, sizeof get, "cuModuleGetFunction(%.1024s, %.128s)", name, symbol);
    bool done =
        loaded && driver_ok(cuda(cuModuleLoadData)(&loaded->module, image), load) &&
        driver_ok(cuda(cuModuleGetFunction)(&loaded->function, loaded->module, symbol), get) &&
        allow_shared(loaded, shared_bytes) && inspect(loaded, info);
    if (done) {
        *kernel = loaded;
    } else {
        gpu_unload(loaded);
    }
    return done;
}

static bool gpu_load(const char *path, const char *symbol, int shared_bytes, struct kernel **kernel,
                     struct kernel_info *info) {
    size_t size = 0;
    char *image = file_read(path, SIZE_MAX, &size);
    const bool done =
        size > 0 ? gpu_load_image(image, 0, path, symbol, shared_bytes, kernel, info)
                 : backend_fail("%s: %s", path, image ? "the file is empty" : strerror(errno));
    free(image);
    return done;
}

static bool gpu_occupancy(struct kernel *kernel, int threads, int shared_bytes, int *blocks) {
    return driver_did(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                      (blocks, kernel->function, threads, (size_t)shared_bytes));
}

static bool gpu_allocate(int64_t bytes, int past, device_pointer *address) {
    CUdeviceptr pointer = 0;
    CUresult result = cuda(cuMemAlloc)(&pointer, (size_t)(bytes + past)); // aligned to 256 bytes
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        size_t available = 0, total = 0;
        cuda(cuMemGetInfo)(&available, &total);
        return backend_fail("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY: needs %lld bytes, available "
                            "are %zu of %zu: choose a smaller --size or end other programs on "
                            "the GPU",
                            (long long)bytes, available, total);
    }
    *address = pointer + (device_pointer)past;
    return driver_ok(result, "cuMemAlloc");
}

static void gpu_release(device_pointer address) {
    if (address) cuda(cuMemFree)(address / 256 * 256);
}

static void *gpu_allocate_host(size_t bytes) {
    void *memory = NULL;
    return driver_did(cuMemHostAlloc, (&memory, bytes, 0)) ? memory : NULL;
}

static void gpu_release_host(void *memory) {
    if (memory) cuda(cuMemFreeHost)(memory);
}

static bool gpu_to_device(device_pointer to, const void *from, int64_t bytes) {
    return driver_did(cuMemcpyHtoD, (to, from, (size_t)bytes));
}

static bool gpu_to_host(void *to, device_pointer from, int64_t bytes) {
    return driver_did(cuMemcpyDtoH, (to, from, (size_t)bytes));
}

static bool gpu_on_device(device_pointer to, device_pointer from, int64_t bytes) {
    return driver_did(cuMemcpyDtoDAsync, (to, from, (size_t)bytes, NULL));
}

static bool gpu_fill(device_pointer to, uint32_t word, int64_t words) {
    return driver_did(cuMemsetD32Async, (to, word, (size_t)words, NULL));
}

// Makes a texture with unnormalized coordinates and unconverted floats, as tex1Dfetch requires.
static bool gpu_make_texture(device_pointer start, int64_t texels, device_texture *texture) {
    const CUDA_RESOURCE_DESC memory = {
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {.devPtr = start,
                       .format = CU_AD_FORMAT_FLOAT,
                       .numChannels = 4,
                       .sizeInBytes = (size_t)texels * 16},
    };
    const CUDA_TEXTURE_DESC reading = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUtexObject object = 0;
    const CUresult result = cuda(cuTexObjectCreate)(&object, &memory, &reading, NULL);
    *texture = object;
    return driver_ok(result, "cuTexObjectCreate");
}

static void gpu_free_texture(device_texture texture) {
    cuda(cuTexObjectDestroy)(texture);
}

static bool gpu_launch(struct kernel *kernel, const struct launch *l) {
    memcpy(launched, kernel->name, sizeof launched);
    return driver_did(cuLaunchKernel, (kernel->function, (unsigned)l->grid_x, (unsigned)l->grid_y,
                                       1, (unsigned)l->threads, 1, 1, (unsigned)l->shared_bytes,
                                       NULL, l->arguments, NULL));
}

static bool gpu_baseline(const struct gemm *gemm) {
    return gemm->algorithm > 0 ? cublaslt_gemm(gemm) : cublas_gemm(gemm);
}

static bool gpu_synchronize(void) {
    limit_begin(launched);
    const bool done = driver_did(cuCtxSynchronize, ());
    limit_end();
    return done;
}

static bool gpu_start(void) {
    return driver_did(cuEventRecord, (gpu->start_event, NULL));
}

static bool gpu_stop(void) {
    return driver_did(cuEventRecord, (gpu->stop_event, NULL));
}

static bool gpu_elapsed(double *milliseconds) {
    float value = 0;
    limit_begin(launched);
    const bool reached = driver_did(cuEventSynchronize, (gpu->stop_event));
    limit_end();
    if (!reached || !driver_did(cuEventElapsedTime, (&value, gpu->start_event, gpu->stop_event))) {
        return false;
    }
    *milliseconds = value;
    return true;
}

// The number of fills per flush. One fill empties the cache. The others keep the device busy while
// the host enqueues the next time stamp and the next launch. Otherwise the measured time would
// include these calls of the host; a call of cuBLAS may take 0.1 ms.
enum { FLUSHES = 8 };
static bool gpu_flush_cache(void) {
    if (flush_bytes == 0) return true;
    if (!gpu->flush_buffer && !gpu_allocate(flush_bytes, 0, &gpu->flush_buffer)) return false;
    for (int i = 0; i < FLUSHES; i++) {
        if (!gpu_fill(gpu->flush_buffer, 0, flush_bytes / 4)) return false;
    }
    return true;
}

const struct backend backend_gpu = {
    .name = "gpu",
    .timed = true,
    .open = gpu_open,
    .close = gpu_close,
    .load = gpu_load,
    .load_image = gpu_load_image,
    .unload = gpu_unload,
    .occupancy = gpu_occupancy,
    .allocate = gpu_allocate,
    .release = gpu_release,
    .allocate_host = gpu_allocate_host,
    .release_host = gpu_release_host,
    .to_device = gpu_to_device,
    .to_host = gpu_to_host,
    .on_device = gpu_on_device,
    .fill = gpu_fill,
    .make_texture = gpu_make_texture,
    .free_texture = gpu_free_texture,
    .launch = gpu_launch,
    .baseline = gpu_baseline,
    .algorithms = cublaslt_algorithms,
    .synchronize = gpu_synchronize,
    .start = gpu_start,
    .stop = gpu_stop,
    .elapsed = gpu_elapsed,
    .flush_cache = gpu_flush_cache,
    .read_sensors = nvml_read,
};
