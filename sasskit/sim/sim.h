// Runs NVIDIA machine code on the CPU, and counts events under Nsight Compute's names.
//
// A kernel comes from a cubin. Device memory is a set of allocations at simulated addresses. A
// launch runs every block, in parallel on the host's cores; its result does not depend on their
// number. The simulator predicts no times; sasskit/model does. Limits: sasskit/docs/simulator.md.
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
enum { SIM_ALIGNMENT = 512 }; // alignment of allocations and textures, in bytes
// Returns the device address of a new allocation; 0 if the host has too little memory.
uint64_t sim_allocate(struct sim_memory *memory, int64_t bytes);
// Like sim_allocate(), but the allocation begins `past` bytes behind an aligned address. It may be
// larger than the host's memory, as long as little of it is written.
uint64_t sim_allocate_past(struct sim_memory *memory, int64_t bytes, int past);
// Marks an allocation as unwritten, so that launches report reads of parts that nothing has
// written. Returns false if there is no such allocation, or the host has too little memory.
bool sim_mark_unwritten(struct sim_memory *memory, uint64_t address);
// Returns how many elements were not written since sim_mark_unwritten(), and sets *first to the
// index of the first one. Returns 0 if the allocation was not marked.
int64_t sim_unwritten(const struct sim_memory *memory, uint64_t address, int64_t elements,
                      int element_bytes, int64_t *first);
uint64_t sim_allocated(const struct sim_memory *memory); // in bytes
// Returns the start of the allocation that contains the address, and sets *bytes to its size. If
// there is none, both are 0.
uint64_t sim_allocation(const struct sim_memory *memory, uint64_t address, uint64_t *bytes);
// Returns false if no allocation starts at this address.
bool sim_release(struct sim_memory *memory, uint64_t address);
// Returns the host address of [address, address + bytes); NULL if that is not within one
// allocation.
void *sim_host(const struct sim_memory *memory, uint64_t address, int64_t bytes);
// Creates a texture object and returns its handle, which a kernel takes as cudaTextureObject_t.
// A texel has `values` 32-bit values: 1, 2 or 4. 0 means that their number is unknown: texels then
// have four values, and a fetch of fewer is refused, because the real texels may be smaller.
// Returns 0 if the address is not aligned, if the texels are not within one allocation, or if the
// host has too little memory.
uint64_t sim_texture_open(struct sim_memory *memory, uint64_t address, int64_t texels, int values);
void sim_texture_close(struct sim_memory *memory, uint64_t handle);

// --- tensor maps (tensor_map.c) ------------------------------------------------------------------
// Arguments of cuTensorMapEncodeTiled. Not supported: interleaving, element strides, L2 promotion.
// Elements outside the tensor are read as zeros. The innermost dimension comes first.
enum { SIM_TENSOR_DIMENSIONS = 5, SIM_TENSOR_MAP_BYTES = 128 };
struct sim_tensor {
    uint64_t address;
    int dimensions, element_bytes;
    uint64_t size[SIM_TENSOR_DIMENSIONS]; // in elements
    // bytes from one element to the next along the dimension; stride[0] is not used
    uint64_t stride[SIM_TENSOR_DIMENSIONS];
    uint32_t box[SIM_TENSOR_DIMENSIONS]; // in elements; one copy transfers a box
    int swizzle;                         // width of the pattern: 0 (none), 32, 64 or 128 bytes
};
// Encodes a CUtensorMap of 128 bytes, which tensormap.replace can change. Launches understand only
// these maps, not those of NVIDIA's driver. Returns false and sets *error for a tensor that
// cuTensorMapEncodeTiled or the simulator refuses.
bool sim_tensor_map(const struct sim_tensor *tensor, uint8_t map[SIM_TENSOR_MAP_BYTES],
                    struct error *error);

// --- kernels (kernel.c) --------------------------------------------------------------------------
struct sim_kernel;
// Opens a kernel by its mangled name or its name in the source (scale, ns::scale<float>). If `name`
// is NULL, opens the cubin's only kernel.
struct sim_kernel *sim_kernel_open(const char *path, const char *name, struct error *error);
struct sim_kernel *sim_kernel_open_memory(const void *bytes, size_t size, const char *path,
                                          const char *name, struct error *error);
void sim_kernel_close(struct sim_kernel *kernel);
// Returns the host memory of a device variable (__device__ or __constant__) by its mangled name or
// its name in the source; NULL if there is none, or several. The host may write it before a launch,
// and may read a __device__ variable afterwards. Sets *bytes to the variable's size and *address to
// its device address (0 for __constant__).
void *sim_variable(struct sim_kernel *kernel, struct sim_memory *memory, const char *name,
                   uint64_t *address, int64_t *bytes, struct error *error);
// Writes one line per kind of instruction that the simulator cannot run. Returns the number of
// lines.
int sim_kernel_needs(const struct sim_kernel *kernel, FILE *out);
struct sim_kernel_facts {
    const char *name;
    // registers and local bytes per thread; static shared bytes per block, without the system's
    int registers, shared_bytes, local_bytes;
    int max_threads; // from __launch_bounds__; 0 if the kernel has none
    int parameter_count;
    int arch;
};
struct sim_kernel_facts sim_kernel_facts(const struct sim_kernel *kernel);
// Returns the size of a parameter in bytes.
int sim_parameter_size(const struct sim_kernel *kernel, int ordinal);

// --- what an SM holds (occupancy.c) --------------------------------------------------------------
struct sim_sm {
    // limits of an SM; `registers` counts 32-bit registers of all schedulers
    int blocks, warps, schedulers, registers, shared_bytes;
    int system_shared; // shared bytes that the system adds to each block's own
    int block_shared;  // maximum of shared bytes per block, without the system's
};
// Returns the limits for architecture `arch`, such as 90; zeros if the simulator does not support
// it.
struct sim_sm sim_sm_of(int arch);
// Returns how many blocks the SM holds at once. `registers` is per thread; they are allocated per
// warp, in units of 256. `shared_bytes` is per block; it is allocated together with the system's
// bytes, in units of 128.
int sim_blocks_that_fit(const struct sim_sm *sm, int registers, int warps, int shared_bytes);

// --- launches (launch.c) -------------------------------------------------------------------------
struct sim_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; // dynamic shared memory
    // pointers to the arguments, in the order of the kernel's parameters
    const void *const *arguments;
    int host_threads; // number of threads on the host; 0 for OpenMP's default (usually all cores)
    // A warp that executes more instructions counts as endless; 0 for the default.
    uint64_t limit;
    int most_reports; // how many reports are printed at most; 0 for the default
    FILE *reports;    // where reports are written; NULL for stderr
    // also check device memory for races; this is slow and uses one host thread
    bool global_races;
    uint64_t most_looks; // number of accesses after which the check for races ends; 0: no limit
    const struct sim_picture *picture; // request to be recorded; NULL if there is none
    // The launch is interrupted and its reports printed when *stop becomes nonzero; may be NULL.
    const volatile sig_atomic_t *stop;
};

// Selects one request of one instruction. The launch writes it to `file` as CSV, one line per
// active lane (counts/picture.h).
struct sim_picture {
    uint32_t address; // byte offset of the instruction
    uint64_t skip;    // number of requests to skip; only those of warp 0 of block 0 count
    FILE *file;       // NULL to keep the latest request of any instruction in *latest instead
    struct sim_request *latest;
};

struct sim_result; // Sums of the counts of one or more launches.
struct sim_result *sim_result_open(const struct sim_kernel *kernel);
void sim_result_close(struct sim_result *result);
void sim_result_clear(struct sim_result *result);

// Runs a launch and adds its counts to *result. Returns false and sets *error if the launch could
// not run or was interrupted, or if a check reported an error (*error is then the first one).
bool sim_run(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             struct sim_result *result, struct error *error);

// --- what was counted (counters.c) ---------------------------------------------------------------
struct sim_counter {
    const char *name; // Nsight Compute's name; sim__... for a counter that only the simulator has
    double value;
};
// Fills at most `most` entries of counters[]. Returns the number of entries filled. A value that
// cannot be known is NaN.
int sim_counters(const struct sim_result *result, struct sim_counter *counters, int most);
enum { SIM_MAX_COUNTERS = 80 };
// Returns the value of a counter; NaN if there is no such counter, or if its value cannot be known.
double sim_counter(const struct sim_result *result, const char *name);
// Prints a note if the kernel's counters and times are likely to be misread (notes.c): it was
// compiled by nvcc -G, spills registers, or has arrays in local memory.
void sim_print_notes(const struct sim_kernel *kernel);
// Writes one JSON line, of type "line", per executed instruction.
void sim_lines_to_json(const struct sim_result *result);
// Prints one line per executed instruction.
void sim_print_lines(const struct sim_result *result, FILE *file);

// --- bounds (bounds.c) ---------------------------------------------------------------------------
// Rates of a machine, from which bounds.c computes the least SM cycles that counted events take.
struct sim_machine {
    const char *name;
    int multiprocessors;
    double clock_ghz;
    // --- per cycle and SM
    double fma_lanes;   // FP32 FMAs
    double fp64_lanes;  // FP64 FMAs
    double issue_slots; // warp instructions
    double shared_wavefronts;
    double l1_sectors; // 32-byte sectors that are stored, or fetched as a texture
    double l1_lines;   // 128-byte lines that are looked up in the tags
    // --- others
    double dram_gbytes;     // GB/s of all SMs
    double file_schedulers; // number of register files per SM, one per scheduler
};
extern const struct sim_machine sim_h200;
struct sim_bound {
    const char *part;    // name in text
    const char *counter; // name in counters.csv
    double cycles;       // SM cycles, if the work is spread evenly over all SMs
};
enum { SIM_BOUNDS = 7 };
// Fills bounds[] and returns the index of the largest. `dram_bytes` is the least DRAM traffic; 0 if
// unknown.
int sim_bounds(const struct sim_result *result, const struct sim_machine *machine,
               double dram_bytes, struct sim_bound bounds[SIM_BOUNDS]);
// Returns the TFLOP/s of the counted FFMAs and DFMAs if they take `cycles`.
double sim_bound_tflops(const struct sim_result *result, const struct sim_machine *machine,
                        double cycles);
