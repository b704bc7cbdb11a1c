// Runs sm_90 machine code on the CPU and counts what it does, under Nsight Compute's names.
//
// A kernel is a cubin's; device memory is a set of allocations with addresses of their own; a launch runs every block, in
// parallel on the host's cores, and gives a result that does not depend on how many there are. Errors are one line.
// It counts; it never claims a time (sasskit/model predicts one). Limits: docs/simulator.md.
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct sim_error {
    char message[512];
    const char *report; // in a word what a launch was reported for, "race"; NULL: something else failed
    bool misuse;        // what was asked for can never be
    bool printed;       // it was printed already, as a finding
    int code;           // the driver's error for a launch that it would refuse, 701; 0: none
    char remedy[200];   // what to do; "": not known
};
// Always false: fills the error.
bool sim_say(struct sim_error *error, bool misuse, const char *format, ...) __attribute__((format(printf, 3, 4)));
#define sim_fail(error, ...)   sim_say(error, false, __VA_ARGS__)
#define sim_refuse(error, ...) sim_say(error, true, __VA_ARGS__)

// --- device memory (memory.c) -------------------------------------------------------------------------------------------
struct sim_memory;
struct sim_memory *sim_memory_open(void);
void sim_memory_close(struct sim_memory *memory);
enum { SIM_ALIGNMENT = 512 };                                    // of allocations, and of where a texture may start
uint64_t sim_allocate(struct sim_memory *memory, int64_t bytes); // 0: no host memory
// The same, `past` bytes past such a boundary; more than the host has, if little of it is written.
uint64_t sim_allocate_past(struct sim_memory *memory, int64_t bytes, int past);
bool sim_mark_unwritten(struct sim_memory *memory,
                        uint64_t address); // an allocation; who reads it before it is written is reported
// Elements of a part of such an allocation that nothing has written since, and the first of them; 0 where it was not marked.
int64_t sim_unwritten(const struct sim_memory *memory, uint64_t address, int64_t elements, int element_bytes,
                      int64_t *first);
uint64_t sim_allocated(const struct sim_memory *memory); // bytes
// Where the one with this address starts, and its size; 0: there is none.
uint64_t sim_allocation(const struct sim_memory *memory, uint64_t address, uint64_t *bytes);
bool sim_release(struct sim_memory *memory, uint64_t address); // false: no such allocation
// Host address of [address, address + bytes), NULL when it is not within one allocation.
void *sim_host(const struct sim_memory *memory, uint64_t address, int64_t bytes);
// A texture object: `texels` of four 32-bit values each. The handle is what a kernel takes as cudaTextureObject_t. 0: not
// aligned, not within one allocation, or no host memory.
uint64_t sim_texture_open(struct sim_memory *memory, uint64_t address, int64_t texels);
void sim_texture_close(struct sim_memory *memory, uint64_t handle);

// --- tensor maps (tensor_map.c) -------------------------------------------------------------------------------------------
// What cuTensorMapEncodeTiled is told, without interleaving, element strides and L2 promotion, and zeros outside the tensor. A
// dimension is an index's, the innermost first.
enum { SIM_TENSOR_DIMENSIONS = 5, SIM_TENSOR_MAP_BYTES = 128 };
struct sim_tensor {
    uint64_t address;
    int dimensions, element_bytes;
    uint64_t size[SIM_TENSOR_DIMENSIONS];   // elements
    uint64_t stride[SIM_TENSOR_DIMENSIONS]; // bytes from one index to the next; [0] is not asked for
    uint32_t box[SIM_TENSOR_DIMENSIONS];    // elements that a copy takes
    int swizzle;                            // 0, 32, 64 or 128 bytes
};
// Makes the 128 bytes of a CUtensorMap as this simulator has them: NVIDIA's form is not published, and theirs are not read.
// False for what cuTensorMapEncodeTiled would not take, with the reason.
bool sim_tensor_map(const struct sim_tensor *tensor, uint8_t map[SIM_TENSOR_MAP_BYTES], struct sim_error *error);

// --- kernels (kernel.c) ----------------------------------------------------------------------------------------------------
// By its name in the cubin, or as the source has it: scale, ns::scale<float>. NULL: the only one that there is.
struct sim_kernel;
struct sim_kernel *sim_kernel_open(const char *path, const char *name, struct sim_error *error);
struct sim_kernel *sim_kernel_open_memory(const void *bytes, size_t size, const char *path, const char *name,
                                          struct sim_error *error);
void sim_kernel_close(struct sim_kernel *kernel);
// A device variable, __device__ or __constant__, by its name in the cubin or in the source: where the host writes the value that
// launches start with (and, of __device__, reads what they leave), its size, and its device address (0 of __constant__).
// NULL: there is none, or several.
void *sim_variable(struct sim_kernel *kernel, struct sim_memory *memory, const char *name, uint64_t *address,
                   int64_t *bytes, struct sim_error *error);
// Writes a line for each kind of instruction that the kernel has and the simulator cannot run; returns how many.
int sim_kernel_needs(const struct sim_kernel *kernel, FILE *out);
struct sim_kernel_facts {
    const char *name;
    int registers, shared_bytes, local_bytes; // static shared memory without what the system reserves
    int max_threads;                          // __launch_bounds__, 0 where the kernel states none
    int parameter_count;
    int arch;
};
struct sim_kernel_facts sim_kernel_facts(const struct sim_kernel *kernel);
int sim_parameter_size(const struct sim_kernel *kernel, int ordinal); // bytes

// --- what an SM holds (occupancy.c) -----------------------------------------------------------------------------------------
struct sim_sm {
    int blocks, warps, schedulers, registers, shared_bytes; // registers of 32 bits, as many for each scheduler
    int system_shared, block_shared; // bytes that each block takes besides its own, and of its own at most
};
struct sim_sm sim_sm_of(int arch); // 90; all zeros where the simulator does not run it
// Blocks that it holds at once. Registers are a thread's, given out by warps in units of 256; bytes of shared memory are a block's,
// given out by 128 with the system's.
int sim_blocks_that_fit(const struct sim_sm *sm, int registers, int warps, int shared_bytes);

// --- launches (launch.c) -----------------------------------------------------------------------------------------------------
struct sim_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;             // dynamic
    const void *const *arguments;      // in the kernel's order
    int host_threads;                  // 0: as many as there are
    uint64_t limit;                    // instructions of a warp after which it counts as endless, 0: the default
    int most_reports;                  // of a launch, 0: the default
    FILE *reports;                     // NULL: stderr
    bool global_races;                 // look for races in device memory too: slowly, on one host thread
    const struct sim_picture *picture; // NULL: none
    const volatile sig_atomic_t
        *stop; // when not 0 any more, the launch ends as interrupted, its reports printed; NULL: never
};

// One request of one instruction to be drawn: CSV to `file`, a line a lane: lane,address,phase,first,last
struct sim_picture {
    uint32_t address;           // of the instruction
    uint64_t skip;              // executions by block 0, warp 0 to skip
    FILE *file;                 // NULL:
    struct sim_request *latest; // the latest request of any instruction is kept here (machine.h)
};

struct sim_result; // counts of one launch or of several added up
struct sim_result *sim_result_open(const struct sim_kernel *kernel);
void sim_result_close(struct sim_result *result);
void sim_result_clear(struct sim_result *result);

// Runs it and adds to result. False when something was reported or it could not run; the first report is in the error.
bool sim_run(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
             struct sim_result *result, struct sim_error *error);

// --- what was counted (counters.c) ----------------------------------------------------------------------------------------------
struct sim_counter {
    const char *name; // Nsight Compute's, or sim__... where it has none
    double value;
};
// Returns how many, at most `most`.
int sim_counters(const struct sim_result *result, struct sim_counter *counters, int most);
enum { SIM_MAX_COUNTERS = 64 };
double sim_counter(const struct sim_result *result, const char *name); // NaN: no such counter
// A line for each instruction that was executed.
// The same as JSON lines `line`.
void sim_lines_to_json(const struct sim_result *result);
void sim_print_lines(const struct sim_result *result, FILE *file);

// --- bounds (bounds.c) ---------------------------------------------------------------------------------------------------------
// Least SM cycles that each part of a machine needs for what was counted: bounds, not times.
struct sim_machine {
    const char *name;
    int multiprocessors;
    double clock_ghz;
    double fma_lanes;         // FP32 FMA a cycle and SM
    double fp64_lanes;        // FP64 FMA a cycle and SM
    double issue_slots;       // warp instructions a cycle and SM
    double shared_wavefronts; // a cycle and SM
    double l1_sectors;        // 32-byte sectors stored or fetched as a texture, a cycle and SM
    double l1_lines;          // 128-byte lines that the tags look up, a cycle and SM
    double dram_gbytes;       // a second, all SMs
    double file_schedulers;   // register files that work side by side in an SM
};
extern const struct sim_machine sim_h200;
struct sim_bound {
    const char *part;    // for people
    const char *counter; // for counters.csv
    double cycles;       // SM cycles when the work is spread evenly over all SMs
};
enum { SIM_BOUNDS = 7 };
// Fills bounds[], returns the index of the largest. dram_bytes: the least that has to be read, 0 when not known.
int sim_bounds(const struct sim_result *result, const struct sim_machine *machine, double dram_bytes,
               struct sim_bound bounds[SIM_BOUNDS]);
// FP32 TFLOP/s of the launch's FFMA if it took `cycles`.
double sim_bound_tflops(const struct sim_result *result, const struct sim_machine *machine, double cycles);
