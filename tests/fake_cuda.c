// A fake CUDA driver and cuBLAS: device memory is host memory, and a launch of a GEMM computes
//
//     C = alpha A B + beta C
//
// from the arguments that every kernel of the course has, in double if its name begins with dgemm_.
// A kernel called pad_matrix copies a matrix to a padded one. A kernel called probe_... takes the
// arguments of probe.h and reports 1000 cycles per round. Step 15's kernels compute nothing.
// Built as libcuda.so.1 and libcublas.so.13 and found first by LD_LIBRARY_PATH, it lets the tests
// run whole programs without a GPU.
//
// FAKE_CUDA in the environment chooses a fault:
//     nodevice, old (driver), oom (out of memory), nopeer (no peer access),
//     nolt (cublasLt does not start), capability (one that no cubin exists for),
//     wrong (one element of C), fault (a launch fails), slow (a launch takes 50 ms),
//     hang (no stream completes), endless (no kernel completes)
//
// cublasSgemm takes 20 ms longer in its default mode than in the pedantic one. cublasLt offers six
// algorithms: the first is refused, the second fails, the others take 14, 12, 2 and 16 ms. It
// offers none for N = 7.
//
// FAKE_GPUS is the number of devices (1), FAKE_MEMORY the memory that each reports, in MB (1024).
// FAKE_CHIP names their chips: rows of `chips` separated by commas, the last for all further
// devices. A chip refuses other architectures' cubins and more shared memory than it has.
// Each device has its own memory, streams and events. Most calls fail if a stream, an event,
// the target of cuMemcpy2DAsync or the memory of an FP32 GEMM belongs to another device than the
// current context's. A wait for an event that was never recorded fails, too.
#include "backend/cublas_calls.h"

#include <cuda.h>
#include <elf.h>
#include <stdbool.h>
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

static int device_count(void) {
    const char *text = getenv("FAKE_GPUS");
    return text ? atoi(text) : 1;
}

// All have 65,536 registers per SM and at most 255 per thread. Shared memory, threads and blocks:
// CUDA C++ Programming Guide, "Compute Capabilities". SMs and boost clocks: NVIDIA's data sheets.
static const struct chip {
    const char *key, *name;
    int capability, multiprocessors, clock_mhz;
    int block_kb, shared_kb; // KB of shared memory: limit per block (opt-in), and per SM
    int threads, blocks;     // per SM
} chips[] = {
    {"", "Fake GPU, one of a kind", 90, 2, 1000, 227, 228, 2048, 32},
    {"t4", "Tesla T4", 75, 40, 1590, 64, 64, 1024, 16},
    {"a100", "NVIDIA A100-SXM4-40GB", 80, 108, 1410, 163, 164, 2048, 32},
    {"3090", "NVIDIA GeForce RTX 3090", 86, 82, 1695, 99, 100, 1536, 16},
    {"4090", "NVIDIA GeForce RTX 4090", 89, 128, 2520, 99, 100, 1536, 24},
    {"h100", "NVIDIA H100 80GB HBM3", 90, 132, 1980, 227, 228, 2048, 32},
    {"h200", "NVIDIA H200", 90, 132, 1980, 227, 228, 2048, 32},
    {"5090", "NVIDIA GeForce RTX 5090", 120, 170, 2407, 99, 100, 1536, 24},
};

static const struct chip *chip_of(int device) {
    const char *list = getenv("FAKE_CHIP");
    if (!list) return chips;
    for (const char *comma; device > 0 && (comma = strchr(list, ',')); device--) list = comma + 1;
    const size_t length = strcspn(list, ",");
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        if (strlen(chips[i].key) == length && strncmp(chips[i].key, list, length) == 0)
            return &chips[i];
    }
    fprintf(stderr, "FAKE_CHIP=%s: no such chip\n", list);
    abort();
}

static int capability_of(int device) {
    return mode_is("capability") ? 30 : chip_of(device)->capability;
}

// All devices' allocations; the table is searched by address.
enum { MOST_BLOCKS = 4096 };
static struct block {
    uintptr_t start;
    size_t bytes;
    int device;
} blocks[MOST_BLOCKS];
static int current; // device of the current context

struct stream {
    int device;
};
struct event {
    struct timespec time;
    int device, recorded;
};

// Returns the device that owns the memory at an address, or -1.
static int device_of(uintptr_t address) {
    for (int i = 0; i < MOST_BLOCKS; i++) {
        if (blocks[i].start && address >= blocks[i].start &&
            address < blocks[i].start + blocks[i].bytes)
            return blocks[i].device;
    }
    return -1;
}

static int is_foreign(CUdeviceptr address) {
    const int device = device_of((uintptr_t)address);
    return device >= 0 && device != current;
}

static int is_foreign_stream(CUstream stream) {
    return stream && ((struct stream *)stream)->device != current;
}

// An opened cubin, and one of its kernels.
struct module {
    Elf64_Shdr *sections; // `count` headers
    char *names;
    int count;
    uint32_t flags; // e_flags of the ELF header
};
struct function {
    enum { SGEMM = 1, DGEMM, PAD, SUMS, PROBE } computes;
    int device;
    int static_bytes, dynamic_bytes; // shared memory: declared; most that a launch may add
};

#define DEFINE_GEMM(name, real) \
    struct name { \
        int m, n, k; \
        real alpha, beta; \
        const real *a, *b; \
        real *c; \
        int lda, ldb, ldc; \
    }; \
    static void compute_##name(const struct name *g) { \
        for (int i = 0; i < g->m; i++) { \
            for (int j = 0; j < g->n; j++) { \
                real sum = 0, *c = &g->c[(size_t)i * g->ldc + j]; \
                for (int p = 0; p < g->k; p++) \
                    sum += g->a[(size_t)i * g->lda + p] * g->b[(size_t)p * g->ldb + j]; \
                *c = g->alpha * sum + (g->beta != 0 ? g->beta * *c : 0); \
            } \
        } \
    } \
    static struct name read_##name(void **arguments) { \
        return (struct name){.m = *(int *)arguments[0], \
                             .n = *(int *)arguments[1], \
                             .k = *(int *)arguments[2], \
                             .alpha = *(real *)arguments[3], \
                             .a = (const real *)(uintptr_t) * (CUdeviceptr *)arguments[4], \
                             .lda = *(int *)arguments[5], \
                             .b = (const real *)(uintptr_t) * (CUdeviceptr *)arguments[6], \
                             .ldb = *(int *)arguments[7], \
                             .beta = *(real *)arguments[8], \
                             .c = (real *)(uintptr_t) * (CUdeviceptr *)arguments[9], \
                             .ldc = *(int *)arguments[10]}; \
    }
DEFINE_GEMM(sgemm, float)
DEFINE_GEMM(dgemm, double)

// Reports 1000 cycles for each round of a probe.
static void pretend(void **arguments, unsigned blocks) {
    const int rounds = *(int *)arguments[0];
    long long *cycles = (long long *)(uintptr_t) * (CUdeviceptr *)arguments[4];
    for (unsigned b = 0; b < blocks; b++) cycles[b] = 1000ll * rounds;
}

static void pad(void **arguments) {
    const int rows = *(int *)arguments[0], cols = *(int *)arguments[1],
              ld_from = *(int *)arguments[3];
    const int ld_to = *(int *)arguments[5], to_rows = *(int *)arguments[6],
              to_cols = *(int *)arguments[7];
    const double *from = (const double *)(uintptr_t) * (CUdeviceptr *)arguments[2];
    double *to = (double *)(uintptr_t) * (CUdeviceptr *)arguments[4];
    for (int i = 0; i < to_rows; i++) {
        for (int j = 0; j < to_cols; j++) {
            to[(size_t)i * ld_to + j] = i < rows && j < cols ? from[(size_t)i * ld_from + j] : 0;
        }
    }
}

CUresult cuInit(unsigned flags) {
    return mode_is("nodevice") ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    *version = mode_is("old") ? 11080 : CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **text) {
    *text = error == CUDA_ERROR_NO_DEVICE           ? "CUDA_ERROR_NO_DEVICE"
            : error == CUDA_ERROR_LAUNCH_FAILED     ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == CUDA_ERROR_OUT_OF_MEMORY     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : error == CUDA_ERROR_INVALID_VALUE     ? "CUDA_ERROR_INVALID_VALUE"
            : error == CUDA_ERROR_NO_BINARY_FOR_GPU ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
            : error == CUDA_ERROR_NOT_FOUND         ? "CUDA_ERROR_NOT_FOUND"
                                                    : "CUDA_ERROR_UNKNOWN";
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    *text = "said by the fake driver";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
    *count = device_count();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    *device = ordinal;
    return ordinal < device_count() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    snprintf(name, (size_t)length, "%s", chip_of(device)->name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
    snprintf(id, (size_t)length, "0000:00:00.0");
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    const char *megabytes = getenv("FAKE_MEMORY");
    *bytes = megabytes ? (size_t)atoi(megabytes) << 20 : (size_t)1 << 30;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device) {
    const struct chip *chip = chip_of(device);
    switch ((int)which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = capability_of(device) / 10;
        break;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = capability_of(device) % 10;
        break;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = chip->multiprocessors;
        break;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        *value = chip->clock_mhz * 1000;
        break;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = 4096; // bytes; small, since L2 is flushed before every launch
        break;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
        *value = 256;
        break;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH:
        *value = 1 << 28;
        break;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = chip->block_kb * 1024;
        break;
    default:
        *value = 0;
    }
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    *context = (CUcontext)(uintptr_t)(device + 1);
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    current = (int)(uintptr_t)context - 1;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context) {
    *context = (CUcontext)(uintptr_t)(current + 1);
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    *can = device != peer && !mode_is("nopeer");
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    return (int)(uintptr_t)peer - 1 == current || flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0;
    *greatest = -5;
    return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    struct stream *made = calloc(1, sizeof *made);
    made->device = current;
    *stream = (CUstream)made;
    return flags == CU_STREAM_NON_BLOCKING && priority == -5 ? CUDA_SUCCESS
                                                             : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamDestroy(CUstream stream) {
    free(stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
    if (mode_is("hang")) sleep(1000);
    return is_foreign_stream(stream) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    const struct event *e = (const struct event *)event;
    return is_foreign_stream(stream) || flags || !e->recorded ? CUDA_ERROR_INVALID_VALUE
                                                              : CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    if (mode_is("endless")) sleep(1000);
    return CUDA_SUCCESS;
}

// Loads a cubin; it runs on its own architecture and on later ones of the same major version.
CUresult cuModuleLoadData(CUmodule *loaded, const void *image) {
    const char *bytes = image;
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_shentsize != sizeof(Elf64_Shdr))
        return CUDA_ERROR_INVALID_VALUE;
    const int newer = (int)(header.e_flags >> 8 & 0xff),
              arch = newer >= 75 ? newer : (int)(header.e_flags & 0xff);
    const int capability = capability_of(current);
    if (arch / 10 != capability / 10 || arch > capability) return CUDA_ERROR_NO_BINARY_FOR_GPU;
    struct module *m = calloc(1, sizeof *m);
    m->count = header.e_shnum;
    m->flags = header.e_flags;
    m->sections = malloc(header.e_shnum * sizeof *m->sections);
    memcpy(m->sections, bytes + header.e_shoff, header.e_shnum * sizeof *m->sections);
    const Elf64_Shdr *names = &m->sections[header.e_shstrndx];
    m->names = malloc(names->sh_size);
    memcpy(m->names, bytes + names->sh_offset, names->sh_size);
    *loaded = (CUmodule)m;
    return CUDA_SUCCESS;
}

CUresult cuModuleUnload(CUmodule unloaded) {
    struct module *m = (struct module *)unloaded; // functions are not freed
    free(m->sections);
    free(m->names);
    free(m);
    return CUDA_SUCCESS;
}

// Returns the section whose name is `prefix` and then `name`, or NULL.
static const Elf64_Shdr *section_of(const struct module *m, const char *prefix, const char *name) {
    for (int i = 0; i < m->count; i++) {
        const char *section = m->names + m->sections[i].sh_name;
        if (strncmp(section, prefix, strlen(prefix)) == 0 &&
            strcmp(section + strlen(prefix), name) == 0)
            return &m->sections[i];
    }
    return NULL;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    const struct module *m = (const struct module *)module;
    if (!section_of(m, ".text.", name)) return CUDA_ERROR_NOT_FOUND;
    const Elf64_Shdr *shared = section_of(m, ".nv.shared.", name);
    struct function *f = calloc(1, sizeof *f);
    f->computes = strncmp(name, "dgemm_", 6) == 0   ? DGEMM
                  : strncmp(name, "probe_", 6) == 0 ? PROBE
                  : strcmp(name, "pad_matrix") == 0 ? PAD
                  : strstr(name, "strassen")        ? SUMS
                                                    : SGEMM;
    f->device = current;
    // The driver reserves 1 KB of shared memory from sm_90 on. Cubins of nvcc 13 have a section for
    // it; cubins of nvcc 12 have their architecture in the lowest byte of e_flags.
    const bool reserves = section_of(m, ".nv.shared.", "reserved.0") || (m->flags & 0xff) >= 90;
    const int reserved = reserves ? 1024 : 0;
    f->static_bytes = shared ? (int)shared->sh_size - reserved : 0;
    f->dynamic_bytes = 48 * 1024 - f->static_bytes;
    *function = (CUfunction)f;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function) {
    const struct function *f = (const struct function *)function;
    *value = which == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES       ? f->static_bytes
             : which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024
                                                                : 32;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
    struct function *f = (struct function *)function;
    if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
        f->static_bytes + value > chip_of(f->device)->block_kb * 1024) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    f->dynamic_bytes = value;
    return CUDA_SUCCESS;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t shared) {
    const struct function *f = (const struct function *)function;
    const struct chip *chip = chip_of(f->device);
    const int bytes = f->static_bytes + (int)shared;
    *blocks = least(chip->blocks, chip->threads / threads);
    if (bytes > 0) *blocks = least(*blocks, chip->shared_kb * 1024 / bytes);
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
    for (int i = 0; i < MOST_BLOCKS; i++) {
        if (blocks[i].start) continue;
        blocks[i] = (struct block){(uintptr_t)memory, bytes, current};
        break;
    }
    return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr pointer) {
    for (int i = 0; i < MOST_BLOCKS; i++) {
        if (blocks[i].start == (uintptr_t)pointer) blocks[i].start = 0;
    }
    free((void *)(uintptr_t)pointer);
    return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
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
    memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return CUDA_SUCCESS;
}

// Copies rows. The memory written must belong to the current device; the memory read may belong to
// another device.
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream) {
    const char *from = (const char *)(uintptr_t)c->srcDevice;
    char *to = (char *)(uintptr_t)c->dstDevice;
    if (is_foreign_stream(stream) || is_foreign(c->dstDevice) ||
        c->srcMemoryType != CU_MEMORYTYPE_UNIFIED || c->dstMemoryType != CU_MEMORYTYPE_UNIFIED ||
        c->srcPitch < c->WidthInBytes || c->dstPitch < c->WidthInBytes) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t r = 0; r < c->Height; r++)
        memcpy(to + r * c->dstPitch, from + r * c->srcPitch, c->WidthInBytes);
    return CUDA_SUCCESS;
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned word, size_t words, CUstream stream) {
    unsigned *at = (unsigned *)(uintptr_t)to;
    for (size_t i = 0; i < words; i++) at[i] = word;
    return CUDA_SUCCESS;
}

// Gives every texture the handle 1; no kernel of this driver reads textures.
CUresult cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *memory,
                           const CUDA_TEXTURE_DESC *reading, const CUDA_RESOURCE_VIEW_DESC *view) {
    *texture = 1;
    return memory->resType == CU_RESOURCE_TYPE_LINEAR && memory->res.linear.devPtr % 256 == 0 &&
                   !view
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
    return texture == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **arguments, void **extra) {
    const struct function *f = (const struct function *)function;
    if (f->device != current || shared > (unsigned)f->dynamic_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (mode_is("fault") || grid_x == 0 || grid_y == 0 || grid_y > 65535 || block_x > 1024) {
        return CUDA_ERROR_LAUNCH_FAILED;
    }
    if (f->computes == PROBE) {
        pretend(arguments, grid_x);
        return CUDA_SUCCESS;
    }
    if (f->computes == SUMS) return CUDA_SUCCESS; // tests only time step 15's kernels
    if (f->computes == PAD) {
        pad(arguments);
    } else if (f->computes == DGEMM) {
        const struct dgemm g = read_dgemm(arguments);
        compute_dgemm(&g);
        if (mode_is("wrong")) g.c[0] = (float)g.c[0]; // fits FP32's bound, exceeds FP64's
    } else {
        const struct sgemm g = read_sgemm(arguments);
        if (is_foreign((CUdeviceptr)(uintptr_t)g.a) || is_foreign((CUdeviceptr)(uintptr_t)g.b) ||
            is_foreign((CUdeviceptr)(uintptr_t)g.c)) {
            return CUDA_ERROR_INVALID_VALUE;
        }
        compute_sgemm(&g);
        if (mode_is("wrong")) g.c[0] += 1;
    }
    if (mode_is("slow")) usleep(50000);
    return CUDA_SUCCESS;
}

// An event is a time stamp, because every call has done its work when it returns.
CUresult cuEventCreate(CUevent *event, unsigned flags) {
    struct event *made = calloc(1, sizeof *made);
    made->device = current;
    *event = (CUevent)made;
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    struct event *e = (struct event *)event;
    e->recorded = 1;
    clock_gettime(CLOCK_MONOTONIC, &e->time);
    return is_foreign_stream(stream) || e->device != current ? CUDA_ERROR_INVALID_VALUE
                                                             : CUDA_SUCCESS;
}

CUresult cuEventSynchronize(CUevent event) {
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    const struct timespec *a = &((const struct event *)start)->time,
                          *b = &((const struct event *)end)->time;
    *milliseconds =
        (float)((double)(b->tv_sec - a->tv_sec) * 1e3 + (double)(b->tv_nsec - a->tv_nsec) * 1e-6);
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) {
    free(event);
    return CUDA_SUCCESS;
}

static cublasMath_t math_mode = CUBLAS_DEFAULT_MATH; // as in cuBLAS until it is set

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    *handle = (cublasHandle_t)1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version) {
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
    math_mode = mode;
    return mode == CUBLAS_PEDANTIC_MATH || mode == CUBLAS_DEFAULT_MATH
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

const char *cublasGetStatusString(cublasStatus_t status) {
    return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS"
                                           : "CUBLAS_STATUS_INVALID_VALUE";
}

// The column-major product (m, n) = (m, k) (k, n) is the row-major (n, m) = (n, k) (k, m).
cublasStatus_t cublasSgemm_v2_64(cublasHandle_t handle, cublasOperation_t op_a,
                                 cublasOperation_t op_b, int64_t m, int64_t n, int64_t k,
                                 const float *alpha, const float *a, int64_t lda, const float *b,
                                 int64_t ldb, const float *beta, float *c, int64_t ldc) {
    const struct sgemm g = {(int)n, (int)m, (int)k,   *alpha,   *beta,   b,
                            a,      c,      (int)ldb, (int)lda, (int)ldc};
    if (math_mode == CUBLAS_DEFAULT_MATH) usleep(20000);
    compute_sgemm(&g);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDgemm_v2_64(cublasHandle_t handle, cublasOperation_t op_a,
                                 cublasOperation_t op_b, int64_t m, int64_t n, int64_t k,
                                 const double *alpha, const double *a, int64_t lda, const double *b,
                                 int64_t ldb, const double *beta, double *c, int64_t ldc) {
    const struct dgemm g = {(int)n, (int)m, (int)k,   *alpha,   *beta,   b,
                            a,      c,      (int)ldb, (int)lda, (int)ldc};
    compute_dgemm(&g);
    return CUBLAS_STATUS_SUCCESS;
}

// --- cublasLt
// Here an algorithm is a number, and a layout is its rows, columns and leading dimension.
struct cublasLtMatrixLayout {
    int rows, cols, ld;
};

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
    *handle = (cublasLtHandle_t)1;
    return mode_is("nolt") ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
    return CUBLAS_STATUS_SUCCESS;
}

const char *cublasLtGetStatusString(cublasStatus_t status) {
    return cublasGetStatusString(status);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *operation,
                                        cublasComputeType_t compute, cudaDataType_t scale) {
    *operation = (cublasLtMatmulDesc_t)1;
    return compute == CUBLAS_COMPUTE_32F_PEDANTIC && scale == CUDA_R_32F
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) {
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType_t type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
    *layout = malloc(sizeof **layout);
    **layout = (struct cublasLtMatrixLayout){(int)rows, (int)cols, (int)ld};
    return type == CUDA_R_32F && ld >= (int64_t)rows ? CUBLAS_STATUS_SUCCESS
                                                     : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
    free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
    *preference = (cublasLtMatmulPreference_t)1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    const void *value, size_t bytes) {
    return bytes == (which == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? sizeof(uint64_t)
                                                                       : sizeof(uint32_t))
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int *count) {
    if (a->cols != b->rows || a->rows != c->rows || b->cols != c->cols || c != d)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (a->rows == 7) return CUBLAS_STATUS_NOT_SUPPORTED;
    for (*count = 0; *count < 6 && *count < most; ++*count) {
        results[*count] = (cublasLtMatmulHeuristicResult_t){.algo.data[0] = (uint64_t)*count};
        if (*count == 0) results[0].state = CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void *alpha, const void *a, cublasLtMatrixLayout_t a_layout,
                              const void *b, cublasLtMatrixLayout_t b_layout, const void *beta,
                              const void *c, cublasLtMatrixLayout_t c_layout, void *d,
                              cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace,
                              size_t workspace_bytes, void *stream) {
    static const unsigned milliseconds[] = {0, 0, 14, 12, 2, 16};
    const struct sgemm g = {b_layout->cols,
                            a_layout->rows,
                            a_layout->cols,
                            *(const float *)alpha,
                            *(const float *)beta,
                            b,
                            a,
                            d,
                            b_layout->ld,
                            a_layout->ld,
                            d_layout->ld};
    if (algorithm->data[0] < 2 || c != d || c_layout != d_layout)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    usleep(1000 * milliseconds[algorithm->data[0]]);
    compute_sgemm(&g);
    return CUBLAS_STATUS_SUCCESS;
}

// --- cublasXt: the same product on matrices in host memory

cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle) {
    *handle = (cublasXtHandle_t)1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
    return count <= device_count() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int dimension) {
    return dimension > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t op_a,
                             cublasOperation_t op_b, size_t m, size_t n, size_t k,
                             const float *alpha, const float *a, size_t lda, const float *b,
                             size_t ldb, const float *beta, float *c, size_t ldc) {
    const struct sgemm g = {(int)n, (int)m, (int)k,   *alpha,   *beta,   b,
                            a,      c,      (int)ldb, (int)lda, (int)ldc};
    compute_sgemm(&g);
    return CUBLAS_STATUS_SUCCESS;
}
