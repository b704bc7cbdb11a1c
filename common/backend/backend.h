// A backend runs kernels: `gpu` through the CUDA driver; others can be added to the table in backend.c.
//
// One device is open at a time, and one thread calls. Every function that can fail returns false (or a status) and
// leaves one line for the user in backend_error(): the call, the device's own name for the error, and what to do.
#pragma once

#include "../element.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t device_pointer; // an address in device memory, in bytes
typedef uint64_t device_texture; // a texture object's handle, as kernels take it; 0 is none

enum backend_status {
    BACKEND_READY,  // open for use
    BACKEND_ABSENT, // nothing of the kind here: no driver, no device
    BACKEND_FAILED  // there is one, but it cannot be used as it is
};

struct device_info {
    char name[128];
    char driver[64];         // "580.159.04"
    char toolkit[64];        // what the host program was built with, "CUDA 13.0"
    char baseline[64];       // "cuBLAS 13.1.0", or empty when there is none
    char baseline_note[320]; // why there is none, one line
    int compute_capability;  // 90 for 9.0
    int multiprocessors;
    int lanes;       // FP32 lanes of one multiprocessor
    int lanes_64;    // FP64 lanes of one multiprocessor, tensor cores not counted
    int clock_mhz;   // highest SM clock
    int most_shared; // bytes of shared memory of a block, when it asks for them
    int64_t l2_bytes;
    int64_t memory_bytes;
    int texture_alignment; // bytes: where a texture of linear memory may start
    int64_t texture_width; // texels of one; 0 when the device has no textures
    bool checks_addresses; // an access outside an allocation ends the launch: matrices need no guards
    bool lazy_memory;      // memory costs nothing until it is written
    bool untried;          // machine code runs here that was never run on a chip of this kind
};

struct kernel_info {
    int registers;    // of a thread
    int shared_bytes; // static shared memory of a block
    int local_bytes;  // of a thread: spilled registers and local arrays
    int max_threads;  // per block: the kernel's __launch_bounds__, or what the device allows; 0: not known
};

struct launch {
    int64_t grid_x, grid_y;
    int threads;         // of a block, along x
    int shared_bytes;    // dynamic shared memory of a block
    bool overlaps;       // may begin before the launch in front of it has ended: the kernel waits itself (sm_90 on)
    void **arguments;    // pointers to the kernel's arguments, in their order
    int64_t least_bytes; // that the work must read from device memory when no cache holds any of it; 0 when not known
};

// What the device said of itself; NaN where it did not.
struct sensors {
    double clock_mhz;         // SM clock
    double watts;             // board power
    double energy_millijoule; // board energy since the driver was loaded
};

// C (m, n) = alpha * A (m, k) * B (k, n) + beta * C, row-major, leading dimensions in elements
struct gemm {
    enum element element;
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
    bool default_math; // of the baseline: cuBLAS in its default mode, not in the pedantic one
    int algorithm;     // of the baseline: 0, its own choice, or one of those that algorithms() counted last, from 1 on
    device_pointer a, b, c;
    device_texture a_texture, b_texture; // of A and B; 0: there are none
};

// What the device counted of a kernel, under Nsight Compute's name.
struct counter {
    const char *name;
    double value;
    const char *part; // of the device, "shared memory", whose least SM cycles this is; NULL: it is no bound
};
enum { MAX_COUNTERS = 64 };

struct kernel; // a loaded kernel; the backend's own

struct backend {
    const char *name; // as in --backend and in the CSV
    bool timed;       // start, stop and elapsed give device times
    bool predicted;   // they are a model's: the same every time, and never a measurement

    enum backend_status (*open)(struct device_info *info);
    void (*close)(void);

    // Loads kernel `symbol` from the cubin at `path`, ready for launches with `shared_bytes` of dynamic shared memory.
    bool (*load)(const char *path, const char *symbol, int shared_bytes, struct kernel **kernel,
                 struct kernel_info *info);
    // The same from a cubin in memory, which messages call `name`.
    bool (*load_image)(const void *image, size_t bytes, const char *name, const char *symbol, int shared_bytes,
                       struct kernel **kernel, struct kernel_info *info);
    void (*unload)(struct kernel *kernel);
    bool (*occupancy)(struct kernel *kernel, int threads, int shared_bytes, int *blocks);

    // `past` bytes, less than 256, past a 256-byte boundary.
    bool (*allocate)(int64_t bytes, int past, device_pointer *address);
    void (*release)(device_pointer address);
    void *(*allocate_host)(size_t bytes); // memory that copies run fast from and to
    void (*release_host)(void *memory);
    bool (*to_device)(device_pointer to, const void *from, int64_t bytes);
    bool (*to_host)(void *to, device_pointer from, int64_t bytes);
    bool (*on_device)(device_pointer to, device_pointer from, int64_t bytes);
    bool (*fill)(device_pointer to, uint32_t word, int64_t words);

    // A texture of `texels` float4 in memory from `start` on, for tex1Dfetch; start and texels as device_info allows. NULL
    // where texture_width is 0.
    bool (*make_texture)(device_pointer start, int64_t texels, device_texture *texture);
    void (*free_texture)(device_texture texture);

    // Asynchronous: an error may show only at the next synchronize, elapsed or copy to the host.
    bool (*launch)(struct kernel *kernel, const struct launch *launch);
    bool (*baseline)(const struct gemm *gemm); // only when device_info names one
    // How many algorithms of its own the baseline's library offers for an FP32 problem; -1, with backend_error(): none for any. NULL
    // where there is no such library.
    int (*algorithms)(const struct gemm *gemm);
    bool (*synchronize)(void);

    bool (*start)(void);                    // enters the first time stamp in the stream
    bool (*stop)(void);                     // enters the second
    bool (*elapsed)(double *milliseconds);  // waits for the second; the time between them
    bool (*flush_cache)(void);              // overwrites the L2 cache
    void (*read_sensors)(struct sensors *); // does not wait for the device

    // NULL where counting is another program's business. Takes what the kernel's launches since the last call summed up
    // to; returns how many counters there are, at most `most`.
    int (*take_counters)(struct kernel *kernel, struct counter *counters, int most);
};

// Set when the run is to end: a simulated launch in flight, which may take hours, then fails as interrupted.
extern volatile sig_atomic_t backend_stop;

extern const struct backend backend_gpu, backend_sim, backend_model;

// The architecture whose kernels backend `sim` runs, "sm_86"; sm_90 where none is set.
bool backend_sim_architecture(const char *text);
// The machine of backend `model`, as model/sm.h has it: "h200", or "h100,shared_wavefronts=2".
bool backend_model_machine(const char *text);
// From now on backend `model` has counters, too: what the warps do, under Nsight Compute's names.
void backend_model_count(void);

// The backends of this build, ends with NULL.
extern const struct backend *const backends[];

// The backend of that name, or NULL.
const struct backend *backend_find(const char *name);

// Keeps the message for backend_error() and returns false.
#define backend_fail(...) backend_report(NULL, __VA_ARGS__)

// The last failure of this thread, one line without its newline.
const char *backend_error(void);

// The same for a launch that came to its end but did what no kernel may do: keeps that in a word, "race", too.
bool backend_report(const char *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

// What the kernel of the last failure was reported for, in a word; NULL: something else failed.
const char *backend_finding(void);
