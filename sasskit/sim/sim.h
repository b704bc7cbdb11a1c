// Runs NVIDIA machine code on the CPU and counts events, under Nsight Compute's names.
//
// A kernel comes from a cubin. Device memory is a set of allocations at simulated addresses. A
// launch runs every block, in parallel on the host's cores; its result does not depend on their
// number. The simulator counts and gives no times (sasskit/model predicts them). Limits:
// docs/simulator.md.
#pragma once

#include "base/error.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// --- device memory (memory.c) --------------------------------------------------------------------
struct sim_memory;
struct sim_memory *sim_memory_open(void);
void sim_memory_close(struct sim_memory *memory);
enum { SIM_ALIGNMENT = 512 }; // of allocations and textures, in bytes
// Returns the device address; 0 if the host has too little memory.
uint64_t sim_allocate(struct sim_memory *memory, int64_t bytes);
// Like sim_allocate(), `past` bytes past an aligned address. Large allocations may exceed the
// host's memory if little of them is written.
uint64_t sim_allocate_past(struct sim_memory *memory, int64_t bytes, int past);
// Marks an allocation as unwritten: reads before a write are reported.
bool sim_mark_unwritten(struct sim_memory *memory, uint64_t address);
// Returns how many elements nothing has written since sim_mark_unwritten(), and sets *first to the
// first one. Returns 0 if the allocation was not marked.
int64_t sim_unwritten(const struct sim_memory *memory, uint64_t address, int64_t elements, int element_bytes,
                      int64_t *first);
uint64_t sim_allocated(const struct sim_memory *memory); // bytes
// Returns the start of the allocation around this address and sets *bytes to its size; 0 if there
// is none.
uint64_t sim_allocation(const struct sim_memory *memory, uint64_t address, uint64_t *bytes);
// Returns false if no allocation starts at this address.
bool sim_release(struct sim_memory *memory, uint64_t address);
// Returns the host address of [address, address + bytes); NULL if not within one allocation.
void *sim_host(const struct sim_memory *memory, uint64_t address, int64_t bytes);
// Creates a texture object whose texels have `values` 32-bit values: 1, 2 or 4. 0 if the size is
// not stated; texels then have four values, and a fetch that takes fewer is refused, since the
// texels may be meant to be smaller. Returns the handle that a kernel takes as cudaTextureObject_t;
// 0 if not aligned, not within one allocation, or too little host memory.
uint64_t sim_texture_open(struct sim_memory *memory, uint64_t address, int64_t texels, int values);
void sim_texture_close(struct sim_memory *memory, uint64_t handle);

// --- tensor maps (tensor_map.c) ------------------------------------------------------------------
// Arguments of cuTensorMapEncodeTiled. Not supported: interleaving, element strides, L2 promotion.
// Elements outside the tensor are zeros. Dimensions are in order, the innermost first.
enum { SIM_TENSOR_DIMENSIONS = 5, SIM_TENSOR_MAP_BYTES = 128 };
struct sim_tensor {
    uint64_t address;
    int dimensions, element_bytes;
    uint64_t size[SIM_TENSOR_DIMENSIONS];   // elements
    uint64_t stride[SIM_TENSOR_DIMENSIONS]; // bytes from one index to the next; [0] is ignored
    uint32_t box[SIM_TENSOR_DIMENSIONS];    // elements that one copy transfers
    int swizzle;                            // 0, 32, 64 or 128 bytes
};
// Encodes a CUtensorMap of 128 bytes, which tensormap.replace can change; maps that NVIDIA's driver
// made cannot be read. Returns false and sets *error for tensors that cuTensorMapEncodeTiled
// refuses.
bool sim_tensor_map(const struct sim_tensor *tensor, uint8_t map[SIM_TENSOR_MAP_BYTES], struct error *error);

// --- kernels (kernel.c) --------------------------------------------------------------------------
struct sim_kernel;
// Opens a kernel by its name in the cubin or in the source (scale, ns::scale<float>). `name` NULL:
// the only kernel.
struct sim_kernel *sim_kernel_open(const char *path, const char *name, struct error *error);
struct sim_kernel *sim_kernel_open_memory(const void *bytes, size_t size, const char *path, const char *name,
                                          struct error *error);
void sim_kernel_close(struct sim_kernel *kernel);
// Returns the host memory of a device variable (__device__ or __constant__), by its name in the
// cubin or in the source; NULL if there is none, or several. The host writes the initial value of
// launches there, and reads what launches leave in a __device__ variable.
// Sets *bytes to its size and *address to its device address (0 for __constant__).
void *sim_variable(struct sim_kernel *kernel, struct sim_memory *memory, const char *name, uint64_t *address,
                   int64_t *bytes, struct error *error);
// Writes one line per kind of instruction that the simulator cannot run. Returns their number.
int sim_kernel_needs(const struct sim_kernel *kernel, FILE *out);
struct sim_kernel_facts {
    const char *name;
    int registers, shared_bytes, local_bytes; // static shared memory, without the system's
    int max_threads;                          // of __launch_bounds__; 0 if there is none
    int parameter_count;
    int arch;
};
struct sim_kernel_facts sim_kernel_facts(const struct sim_kernel *kernel);
int sim_parameter_size(const struct sim_kernel *kernel, int ordinal); // bytes

// --- what an SM holds (occupancy.c) --------------------------------------------------------------
struct sim_sm {
    int blocks, warps, schedulers, registers, shared_bytes; // 32-bit registers of all schedulers
    // Bytes that each block occupies in addition to its own.
    int system_shared;
    // Largest number of its own bytes that a block may have.
    int block_shared;
};
// `arch`: for example 90. Returns zeros if the simulator does not support it.
struct sim_sm sim_sm_of(int arch);
// Returns how many blocks the SM holds at once. `registers` is per thread; they are allocated per
// warp in units of 256. `shared_bytes` is per block, allocated in units of 128 together with the
// system's bytes.
int sim_blocks_that_fit(const struct sim_sm *sm, int registers, int warps, int shared_bytes);

// --- launches (launch.c) -------------------------------------------------------------------------
struct sim_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;        // dynamic
    const void *const *arguments; // in the kernel's order
    int host_threads;             // 0: all that the host has
    // Instructions after which a warp counts as endless; 0: default.
    uint64_t limit;
    int most_reports;                  // per launch; 0: default
    FILE *reports;                     // NULL: stderr
    bool global_races;                 // check device memory too: slow, one host thread
    const struct sim_picture *picture; // NULL if there is none
    // When it becomes nonzero, the launch is interrupted and its reports are printed; NULL: never.
    const volatile sig_atomic_t *stop;
};

// One request of one instruction that is written to `file` as CSV, one line per lane:
// lane,address,phase,first,last
struct sim_picture {
    uint32_t address;           // of the instruction
    uint64_t skip;              // number of executions by block 0, warp 0 to skip
    FILE *file;                 // NULL: keeps the latest request of any instruction in *latest
    struct sim_request *latest; // in counts/picture.h
};

struct sim_result; // sum of the counts of one or more launches
struct sim_result *sim_result_open(const struct sim_kernel *kernel);
void sim_result_close(struct sim_result *result);
void sim_result_clear(struct sim_result *result);

// Runs a launch and adds its counts to *result. Returns false if it could not run or an error was
// reported; *error has the first one.
bool sim_run(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             struct sim_result *result, struct error *error);

// --- what was counted (counters.c) ---------------------------------------------------------------
struct sim_counter {
    const char *name; // Nsight Compute's name; sim__... if it has none
    double value;
};
// Fills counters[], at most `most`. Returns the number. A value that cannot be known is NaN.
int sim_counters(const struct sim_result *result, struct sim_counter *counters, int most);
enum { SIM_MAX_COUNTERS = 80 };
// Returns NaN if there is no such counter, or if its value cannot be known.
double sim_counter(const struct sim_result *result, const char *name);
// Prints a note if the kernel's counters and times are likely to be misread (notes.c): it was
// compiled by nvcc -G, it spills registers, or its arrays lie in local memory.
void sim_print_notes(const struct sim_kernel *kernel);
// Writes one JSON line `line` per executed instruction.
void sim_lines_to_json(const struct sim_result *result);
// Prints one line per executed instruction.
void sim_print_lines(const struct sim_result *result, FILE *file);

// --- bounds (bounds.c) ---------------------------------------------------------------------------
// Lower bounds: the SM cycles that each part of a machine needs at least for the counted events.
struct sim_machine {
    const char *name;
    int multiprocessors;
    double clock_ghz;
    // per cycle and SM
    double fma_lanes;   // FP32 FMAs
    double fp64_lanes;  // FP64 FMAs
    double issue_slots; // warp instructions
    double shared_wavefronts;
    double l1_sectors; // 32-byte sectors stored or fetched as a texture
    double l1_lines;   // 128-byte lines that the tags look up
    // per machine
    double dram_gbytes;     // GB/s of all SMs
    double file_schedulers; // independent register files per SM
};
extern const struct sim_machine sim_h200;
struct sim_bound {
    const char *part;    // name in text
    const char *counter; // name in counters.csv
    double cycles;       // SM cycles when the work is spread evenly over all SMs
};
enum { SIM_BOUNDS = 7 };
// Fills bounds[]. Returns the index of the largest. `dram_bytes`: minimum DRAM traffic; 0 if
// unknown.
int sim_bounds(const struct sim_result *result, const struct sim_machine *machine, double dram_bytes,
               struct sim_bound bounds[SIM_BOUNDS]);
// Returns the TFLOP/s of the launch's FFMAs if it took `cycles`.
double sim_bound_tflops(const struct sim_result *result, const struct sim_machine *machine, double cycles);
