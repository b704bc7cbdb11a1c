// Microbenchmarks: the table of probes, which main.c checks and runs.
//
// A probe's kernel does one thing in a loop, between two readings of the SM's clock. All kernels
// have the signature
//
//     extern "C" __global__ void NAME(int rounds, unsigned value, const uint4 *in, uint4 *out,
//                                     long long *cycles);
//
// `rounds`: iterations of the loop. Each block writes the SM cycles that it took to
// cycles[blockIdx.x].
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What a probe measures: the unit, and the grid.
enum probe_kind {
    PROBE_RATE,   // results/clk/SM; one block on every SM
    PROBE_BYTES,  // bytes/clk/SM; one block on every SM; `results` counts bytes
    PROBE_CYCLES, // cycles from one result of a warp to the next; one block on one SM
    PROBE_LOADED, // as PROBE_CYCLES, but one block on every SM
    PROBE_BANK,   // cycles per instruction and scheduler; one block, on all schedulers of one SM
    PROBE_FLOPS,  // TFLOP/s of the device; one block on every SM, two operations per result

    // Microseconds between two events around launches without rounds, after a flush of the caches;
    // `value` blocks per SM, or for 0 one block.
    PROBE_LAUNCH,
    PROBE_BLOCKS, // cycles, the median of cycles[]; `value` blocks per SM
    PROBE_STREAM, // GB/s of the device; as many blocks as fit; `results` counts bytes
};

struct probe {
    // Its row in the CSV. No string has a comma.
    const char *group;   // "ceiling", "latency", "throughput", "advice", "banks", "pipeline"
    const char *what;    // "FP32 add"
    const char *variant; // distinguishes rows of one `what`; may be empty

    // The kernel.
    const char *kernel; // symbol
    const char *cubin;  // NULL: the step's; else another one of the step, made for sm_90 only
    enum probe_kind kind;
    int threads;    // per block, a multiple of 32
    uint32_t value; // parameter; the harness passes the number of 16-byte words for PROBE_STREAM
    int results;    // per thread and round
    int shared;     // bytes of dynamic shared memory per block
    int since;      // least compute capability that has the instruction, 80; 0: any

    // What its loop must hold.
    const char *expect; // mnemonics or their first parts, "FADD" or "HADD2|HFMA2"
    int times;          // how many such instructions; 0 if the kernel has no loop

    // Data and repetitions.
    // PROBE_STREAM: size of the data; PROBE_CYCLES: of the ring in `in`, 0 if there is none
    int64_t bytes;
    int step;      // bytes per slot of the ring, whose pointers visit the slots in random order
    int passes;    // PROBE_STREAM: passes over the data; PROBE_LAUNCH: launches
    bool own_time; // cycles[] is not the time of the rounds, so a model cannot predict it

    double documented;  // in the probe's unit; 0 if there is none
    const char *source; // of the documented figure
};

// The probes (probes.c); the last has no `what`.
extern const struct probe machine_probes[];
