// A backend runs kernels: on a GPU by the CUDA driver, on the simulator, or on the timing model.
// Further backends can be added to the table in backend.c.
//
// One thread at a time calls a backend, for one device (but see gpu.h). A function that fails
// returns false (or a status, NULL or -1) and leaves one line for the user in backend_error().
#pragma once

#include "../element.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t device_pointer; // an address in device memory, in bytes
// a texture object's handle, which is a kernel argument; 0 if there is none
typedef uint64_t device_texture;

enum backend_status {
    BACKEND_READY,  // the device is open and usable
    BACKEND_ABSENT, // there is no driver or no device
    BACKEND_FAILED  // there is a device, but it cannot be used
};

struct device_info {
    char name[128];
    // --- versions
    char driver[64];         // for example "580.159.04"
    char toolkit[64];        // CUDA toolkit of the build, for example "CUDA 13.0"
    char baseline[64];       // for example "cuBLAS 13.1.0"; "" if there is no baseline
    char baseline_note[320]; // one line: why there is no baseline
    // --- processors
    int compute_capability; // 10 * major + minor, for example 90
    int multiprocessors;
    int lanes;       // FP32 lanes per multiprocessor
    int lanes_64;    // FP64 lanes per multiprocessor, without tensor cores
    int clock_mhz;   // highest SM clock
    int most_shared; // most shared memory per block (opt-in limit), in bytes
    // --- memory
    int64_t l2_bytes;
    int64_t memory_bytes;
    int texture_alignment; // alignment of a texture in linear memory, in bytes
    // most texels of a texture in linear memory; 0 if the device has no textures
    int64_t texture_width;
    bool checks_addresses; // true if an access outside an allocation ends the launch
    bool lazy_memory;      // true if memory takes no room until it is written

    // true if --untried was given, which permits machine code that never ran on this kind of chip
    bool untried;
};

struct kernel_info {
    int registers;    // per thread
    int shared_bytes; // static shared memory, in bytes per block
    int local_bytes;  // bytes per thread: spilled registers and local arrays
    // most threads per block: the kernel's __launch_bounds__, or the device's limit; 0 if unknown
    int max_threads;
};

struct launch {
    int64_t grid_x, grid_y;
    int threads;      // per block, along x
    int shared_bytes; // dynamic shared memory, in bytes per block
    // True if the launch may start before the previous one ends; its kernel itself waits for that
    // end (programmatic dependent launch, sm_90 and later). Only library/gpu.c overlaps launches.
    bool overlaps;
    void **arguments; // one pointer per argument of the kernel
    // Bytes that the kernel must read from device memory if caches are empty; 0 if unknown.
    int64_t least_bytes;
};

// Readings of the device's sensors; NaN for a sensor that the device lacks.
struct sensors {
    double clock_mhz;         // SM clock
    double watts;             // board power
    double energy_millijoule; // board energy since the driver was loaded
};

// C (m, n) = alpha * A (m, k) * B (k, n) + beta * C, row-major; leading dimensions count elements.
struct gemm {
    enum element element;
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
    // --- for the baseline only
    bool default_math; // true for cuBLAS's default mode instead of its pedantic mode
    // 0 if cuBLAS chooses; otherwise the number, from 1, of an algorithm that the last call of
    // algorithms() found
    int algorithm;

    device_pointer a, b, c;
    device_texture a_texture, b_texture; // 0 if the matrix has no texture
};

// One counter of a kernel's launches.
struct counter {
    const char *name; // name in Nsight Compute; sim__... if Nsight lacks the counter
    double value;
    // The part of the device that is busy for `value` cycles, for example "shared memory", so that
    // the launch takes at least as long. NULL for a counter that is no such bound.
    const char *part;
};
enum { MAX_COUNTERS = 96 };

// A loaded kernel; each backend defines this struct for itself.
struct kernel;

struct backend {
    const char *name; // name in options and in the CSV
    bool timed;       // true if start(), stop() and elapsed() measure or predict times
    bool predicted;   // true if a model predicts the times; every run gives equal ones

    enum backend_status (*open)(struct device_info *info);
    void (*close)(void);

    // Loads kernel `symbol` of the cubin `path` for launches with `shared_bytes` of dynamic shared
    // memory.
    bool (*load)(const char *path, const char *symbol, int shared_bytes, struct kernel **kernel,
                 struct kernel_info *info);
    // Like load(), but from a cubin in memory; messages call it `name`.
    bool (*load_image)(const void *image, size_t bytes, const char *name, const char *symbol,
                       int shared_bytes, struct kernel **kernel, struct kernel_info *info);
    void (*unload)(struct kernel *kernel);
    bool (*occupancy)(struct kernel *kernel, int threads, int shared_bytes, int *blocks);

    // Sets *address to new memory that begins `past` bytes after a 256-byte boundary. Requires:
    // past < 256.
    bool (*allocate)(int64_t bytes, int past, device_pointer *address);
    void (*release)(device_pointer address);
    void *(*allocate_host)(size_t bytes); // memory that copies fast to the device
    void (*release_host)(void *memory);
    bool (*to_device)(device_pointer to, const void *from, int64_t bytes);
    bool (*to_host)(void *to, device_pointer from, int64_t bytes);
    bool (*on_device)(device_pointer to, device_pointer from, int64_t bytes);
    bool (*fill)(device_pointer to, uint32_t word, int64_t words);

    // Makes a texture of `texels` float4 from `start` on, for tex1Dfetch. Requires: alignment and
    // size are as device_info allows. This member is NULL if texture_width is 0.
    bool (*make_texture)(device_pointer start, int64_t texels, device_texture *texture);
    void (*free_texture)(device_texture texture);

    // Launches asynchronously: an error may appear at the next synchronize(), elapsed() or copy to
    // the host.
    bool (*launch)(struct kernel *kernel, const struct launch *launch);
    bool (*baseline)(const struct gemm *gemm); // requires: device_info names a baseline
    // Returns how many algorithms cublasLt offers for an FP32 problem; -1, with backend_error(), if
    // cublasLt is missing or fails. This member is NULL if the backend has no cublasLt.
    int (*algorithms)(const struct gemm *gemm);
    bool (*synchronize)(void);

    bool (*start)(void);                   // puts the first time stamp into the stream
    bool (*stop)(void);                    // puts the second time stamp into the stream
    bool (*elapsed)(double *milliseconds); // waits for the second stamp; sets the time between both
    bool (*flush_cache)(void);             // overwrites the L2 cache
    void (*read_sensors)(struct sensors *); // does not wait for the device

    // Sets counters[] to the kernel's counters, over all its launches since the last call. Returns
    // their number, at most `most`. This member is NULL if the backend does not count.
    int (*take_counters)(struct kernel *kernel, struct counter *counters, int most);
    // Prints a note, once per kernel, if its counters may mislead, because it was compiled for a
    // debugger or spills registers. This member is NULL if the backend cannot tell.
    void (*note_counters)(struct kernel *kernel);
};

// Nonzero ends the run: a simulated launch, which may take hours, then fails as interrupted.
extern volatile sig_atomic_t backend_stop;

extern const struct backend backend_gpu, backend_sim, backend_model;

// Sets the architecture whose kernels backend `sim` runs, for example "sm_86"; default: sm_90.
bool backend_sim_architecture(const char *text);
// Sets backend `model`'s machine (model/sm.h), for example "h200" or "h100,shared_wavefronts=2".
bool backend_model_machine(const char *text);
// Makes backend `model` count warp states (Nsight Compute's stall reasons) as counters.
void backend_model_count(void);

// The backends of this build, ended by NULL.
extern const struct backend *const backends[];

// Returns the backend with that name; NULL if there is none.
const struct backend *backend_find(const char *name);

// Sets the message of backend_error() and returns false.
#define backend_fail(...) backend_report(NULL, __VA_ARGS__)

// Returns the message of the calling thread's last failure, one line without its newline.
const char *backend_error(void);

// Like backend_fail(), for a launch that completed but violated a rule, which `finding` names, for
// example "race".
bool backend_report(const char *finding, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Returns the finding of the last failure; NULL if no rule was violated.
const char *backend_finding(void);
