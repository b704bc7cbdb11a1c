// The CUDA driver as a device of libsgemm (struct device). It works in the caller's context and
// stream, allocates memory in the order of the stream, and turns repeated calls into CUDA graphs.
#include "backend/driver.h"
#include "internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// The header of CUDA 13 declares only _v3 of this function, but every driver since 11.3 has _v2.
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status,
                                           cuuint64_t *id, CUgraph *graph,
                                           const CUgraphNode **dependencies, size_t *count);

// Functions of the driver that backend/driver.h does not load.
#define MORE(X) \
    X(cuCtxGetCurrent) \
    X(cuCtxGetDevice) \
    X(cuCtxPushCurrent) \
    X(cuCtxPopCurrent) \
    X(cuMemAllocAsync) \
    X(cuMemFreeAsync) \
    X(cuStreamIsCapturing) \
    X(cuLaunchKernelEx) \
    X(cuThreadExchangeStreamCaptureMode) \
    X(cuStreamBeginCapture) \
    X(cuStreamGetCaptureInfo_v2) \
    X(cuStreamEndCapture) \
    X(cuGraphInstantiate) \
    X(cuGraphExecKernelNodeSetParams) \
    X(cuGraphLaunch) \
    X(cuGraphExecDestroy) \
    X(cuGraphDestroy)
#define FIELD(name)          __typeof__(name) *p_##name;
#define FIELD_EXPANDED(name) FIELD(name)
static struct { MORE(FIELD_EXPANDED) } more_functions;
#define P_(name)   p_##name
#define P(name)    P_(name)
#define more(name) (more_functions.P(name))

struct kernel {
    CUmodule module;
    CUfunction function;
};

static enum backend_status driver_status;
static char driver_error[512];
static pthread_once_t started = PTHREAD_ONCE_INIT;

// This thread's state between enter() and leave().
static _Thread_local CUstream stream; // the stream that launches go to
static _Thread_local bool pushed;     // true if leave() must pop the context

#define QUOTE_(name) #name
#define QUOTE(name)  QUOTE_(name)
#define RESOLVE(name) \
    if (!(*(void **)&more(name) = dlsym(library, QUOTE(name)))) missing = QUOTE(name);

static void start(void) {
    const char *missing = NULL;
    driver_status = driver_load();
    if (driver_status == BACKEND_READY) {
        void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        MORE(RESOLVE)
        if (missing) {
            driver_status = BACKEND_FAILED;
            backend_fail("libcuda.so.1 has no %s: update the NVIDIA driver", missing);
        } else if (!driver_did(cuInit, (0))) {
            driver_status = BACKEND_FAILED;
        }
    }
    if (driver_status != BACKEND_READY)
        strncpy(driver_error, backend_error(), sizeof driver_error - 1);
}

static int attribute(CUdevice device, CUdevice_attribute which) {
    int value = 0;
    cuda(cuDeviceGetAttribute)(&value, which, device);
    return value;
}

static void describe(CUdevice device, struct device_info *info) {
    size_t memory = 0;
    *info = (struct device_info){0};
    cuda(cuDeviceGetName)(info->name, sizeof info->name, device);
    cuda(cuDeviceTotalMem)(&memory, device);
    info->memory_bytes = (int64_t)memory;
    info->compute_capability =
        10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
        attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    info->multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    info->clock_mhz = attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
    info->lanes = 128; // per SM; an upper bound, because FP32 throughput must not be underestimated
}

// Opens the current context. If there is none, makes device 0's primary context current.
static bool gpu_open(struct device_info *info, void **context) {
    CUcontext now = NULL;
    CUdevice device = 0;
    pthread_once(&started, start);
    if (driver_status != BACKEND_READY) return backend_fail("%s", driver_error);
    if (!driver_ok(more(cuCtxGetCurrent)(&now), "cuCtxGetCurrent")) return false;
    if (!now &&
        (!driver_did(cuDevicePrimaryCtxRetain, (&now, 0)) || !driver_did(cuCtxSetCurrent, (now))))
        return false;
    if (!driver_ok(more(cuCtxGetDevice)(&device), "cuCtxGetDevice")) return false;
    describe(device, info);
    *context = now;
    return true;
}

void *current_context(void) {
    CUcontext now = NULL;
    pthread_once(&started, start);
    return driver_status == BACKEND_READY && more(cuCtxGetCurrent)(&now) == CUDA_SUCCESS ? now
                                                                                         : NULL;
}

static bool gpu_enter(void *context, void *entered) {
    CUcontext now = NULL;
    stream = entered;
    pushed = false;
    if (more(cuCtxGetCurrent)(&now) == CUDA_SUCCESS && now == (CUcontext)context) return true;
    pushed = driver_ok(more(cuCtxPushCurrent)(context), "cuCtxPushCurrent");
    return pushed;
}

static void gpu_leave(void) {
    CUcontext popped;
    if (pushed) more(cuCtxPopCurrent)(&popped);
    pushed = false;
}

static bool gpu_capturing(bool *captured) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    const bool good = driver_ok(more(cuStreamIsCapturing)(stream, &status), "cuStreamIsCapturing");
    *captured = status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return good;
}

static bool gpu_follow(void *before, void *now) {
    CUevent event;
    if (!driver_did(cuEventCreate, (&event, CU_EVENT_DISABLE_TIMING))) return false;
    const bool good = driver_did(cuEventRecord, (event, before)) &&
                      driver_did(cuStreamWaitEvent, (now, event, 0));
    cuda(cuEventDestroy)(event); // the driver frees the event when it has completed
    return good;
}

static void gpu_unload(struct kernel *kernel) {
    if (kernel->module) cuda(cuModuleUnload)(kernel->module);
    free(kernel);
}

static bool prepare(struct kernel *k, const void *image, const char *symbol, int shared_bytes) {
    return driver_did(cuModuleLoadData, (&k->module, image)) &&
           driver_ok(cuda(cuModuleGetFunction)(&k->function, k->module, symbol), symbol) &&
           (shared_bytes <= 48 * 1024 ||
            driver_did(
                cuFuncSetAttribute,
                (k->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_bytes)));
}

// Loads a kernel in the relaxed capture mode: loading may allocate memory, which the other modes
// forbid while a stream is being captured.
static bool gpu_load_image(const void *image, size_t bytes, const char *name, const char *symbol,
                           int shared_bytes, struct kernel **kernel, struct kernel_info *info) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    struct kernel *loaded = calloc(1, sizeof *loaded);
    if (!loaded) return backend_fail("not enough host memory");
    more(cuThreadExchangeStreamCaptureMode)(&mode);
    const bool good = prepare(loaded, image, symbol, shared_bytes);
    more(cuThreadExchangeStreamCaptureMode)(&mode);
    *info = (struct kernel_info){0};
    if (good)
        *kernel = loaded;
    else
        gpu_unload(loaded);
    return good;
}

static bool gpu_occupancy(struct kernel *kernel, int threads, int shared_bytes, int *blocks) {
    return driver_did(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                      (blocks, kernel->function, threads, (size_t)shared_bytes));
}

static bool gpu_allocate(int64_t bytes, int past, device_pointer *address) {
    CUdeviceptr pointer = 0;
    const CUresult result = more(cuMemAllocAsync)(&pointer, (size_t)bytes, stream);
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return backend_fail("the GPU has less than %lld bytes of free memory: end other programs, "
                            "or set most_bytes",
                            (long long)bytes);
    *address = pointer;
    return driver_ok(result, "cuMemAllocAsync");
}

static void gpu_release(device_pointer address) {
    more(cuMemFreeAsync)(address, stream);
}

static bool gpu_fill(device_pointer to, uint32_t word, int64_t words) {
    return words == 0 || driver_did(cuMemsetD32Async, (to, word, (size_t)words, stream));
}

// --- a call's launches as one CUDA graph ---------------------------------------------------------
// Measured on an H100: a launch takes 2.6 us of host time. A graph takes 1.2 us of host time,
// whatever its number of launches, plus 0.2 us per kernel to set its arguments. So a recipe becomes
// a graph after PLAIN_RUNS runs. The graph is recorded in a stream of its own, so that the caller's
// stream is not captured.
enum { PLAIN_RUNS = 4, MOST_LAUNCHES = 256 };
struct series {
    int runs;         // number of runs so far
    bool stays_plain; // true if a graph failed: the recipe gets no other graph
    int count, next;  // number of launches in the graph; index of the next one to be set
    struct {
        CUgraphNode node;
        CUfunction function;
    } of[MOST_LAUNCHES];
    CUgraph graph;
    CUgraphExec exec; // NULL unless the graph was recorded completely
};

// This thread's state between begin() and end().
static _Thread_local struct series *current;   // NULL if launches are not deferred
static _Thread_local CUstream callers;         // the caller's stream, while another is recorded
static _Thread_local CUstreamCaptureMode mode; // the caller's mode, while a stream is recorded

static bool end_recording(struct series *s, bool good) {
    good &= more(cuStreamEndCapture)(stream, &s->graph) == CUDA_SUCCESS;
    cuda(cuStreamDestroy)(stream);
    stream = callers;
    good = good && driver_ok(more(cuGraphInstantiate)(&s->exec, s->graph, 0), "cuGraphInstantiate");
    more(cuThreadExchangeStreamCaptureMode)(&mode);
    return good;
}

static bool start_recording(struct series *s) {
    CUstream own;
    if (!driver_did(cuStreamCreateWithPriority, (&own, CU_STREAM_NON_BLOCKING, 0))) return false;
    callers = stream;
    stream = own;
    mode = CU_STREAM_CAPTURE_MODE_RELAXED; // this mode does not disturb captures by other threads
    more(cuThreadExchangeStreamCaptureMode)(&mode);
    return driver_ok(more(cuStreamBeginCapture)(own, CU_STREAM_CAPTURE_MODE_RELAXED),
                     "cuStreamBeginCapture") ||
           end_recording(s, false);
}

static void drop_graph(struct series *s) {
    if (s->exec) more(cuGraphExecDestroy)(s->exec); // the driver frees the graph when it has run
    if (s->graph) more(cuGraphDestroy)(s->graph);
    s->exec = NULL;
    s->graph = NULL;
    s->stays_plain = true;
}

static void gpu_begin(void **kept) {
    struct series *s = *kept ? *kept : (*kept = calloc(1, sizeof *s));
    if (!s || s->stays_plain || s->runs++ < PLAIN_RUNS) return;
    s->next = 0;
    if (s->exec || start_recording(s))
        current = s;
    else
        drop_graph(s);
}

static bool gpu_end(bool good) {
    struct series *s = current;
    if (!s) return true;
    current = NULL;
    good = s->exec ? good && s->next == s->count : end_recording(s, good);
    if (good && driver_ok(more(cuGraphLaunch)(s->exec, stream), "cuGraphLaunch")) return true;
    drop_graph(s);
    return false;
}

static void gpu_forget(void *series) {
    drop_graph(series);
    free(series);
}

static bool record_launch(const CUlaunchConfig *config, CUfunction function, void **arguments) {
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph graph;
    const CUgraphNode *last;
    size_t nodes = 0;
    if (current->count == MOST_LAUNCHES)
        return backend_fail("this call has more than the %d launches that a graph may have",
                            MOST_LAUNCHES);
    if (!driver_ok(more(cuLaunchKernelEx)(config, function, arguments, NULL), "cuLaunchKernelEx") ||
        !driver_ok(more(cuStreamGetCaptureInfo_v2)(stream, &status, &id, &graph, &last, &nodes),
                   "cuStreamGetCaptureInfo") ||
        nodes != 1)
        return false;
    current->of[current->count].node = last[0];
    current->of[current->count++].function = function;
    return true;
}

static bool set_launch(const CUlaunchConfig *c, CUfunction function, void **arguments) {
    const CUDA_KERNEL_NODE_PARAMS launch = {
        .func = function,
        .gridDimX = c->gridDimX,
        .gridDimY = c->gridDimY,
        .gridDimZ = c->gridDimZ,
        .blockDimX = c->blockDimX,
        .blockDimY = c->blockDimY,
        .blockDimZ = c->blockDimZ,
        .sharedMemBytes = c->sharedMemBytes,
        .kernelParams = arguments,
    };
    const int at = current->next++;
    if (at >= current->count || current->of[at].function != function)
        return backend_fail("the launches of this call differ from the recorded graph");
    return driver_ok(
        more(cuGraphExecKernelNodeSetParams)(current->exec, current->of[at].node, &launch),
        "cuGraphExecKernelNodeSetParams");
}

static bool gpu_launch(struct kernel *kernel, const struct launch *l) {
    CUlaunchAttribute overlap = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                 .value.programmaticStreamSerializationAllowed = 1};
    const CUlaunchConfig config = {
        .gridDimX = (unsigned)l->grid_x,
        .gridDimY = (unsigned)l->grid_y,
        .gridDimZ = 1,
        .blockDimX = (unsigned)l->threads,
        .blockDimY = 1,
        .blockDimZ = 1,
        .sharedMemBytes = (unsigned)l->shared_bytes,
        .hStream = stream,
        .attrs = &overlap,
        .numAttrs = l->overlaps,
    };
    if (current)
        return (current->exec ? set_launch : record_launch)(&config, kernel->function,
                                                            l->arguments);
    return driver_ok(more(cuLaunchKernelEx)(&config, kernel->function, l->arguments, NULL),
                     "cuLaunchKernelEx");
}

static const struct backend in_stream = {
    .name = "gpu",
    .load_image = gpu_load_image,
    .unload = gpu_unload,
    .occupancy = gpu_occupancy,
    .allocate = gpu_allocate,
    .release = gpu_release,
    .fill = gpu_fill,
    .launch = gpu_launch,
};

const struct device device_gpu = {&in_stream, gpu_open,  gpu_enter, gpu_leave, gpu_capturing,
                                  gpu_follow, gpu_begin, gpu_end,   gpu_forget};

sgemm_status sgemm_create(sgemm_handle *handle, const sgemm_options *options) {
    return create_on(&device_gpu, handle, options);
}
