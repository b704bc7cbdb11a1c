// Microbenchmarks: the table of probes, which main.c checks and runs.
//
// A probe's kernel does one thing in a loop, between two readings of the SM's clock. All have the C signature
//
//     extern "C" __global__ void NAME(int rounds, unsigned value, const uint4 *in, uint4 *out, long long *cycles);
//
// `rounds`: how often the loop runs. Each block writes the SM cycles that it took to cycles[blockIdx.x].
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What is measured, with which grid, and in which unit it is given.
enum probe_kind {
    PROBE_RATE,   // results/clk/SM: one block on every SM
    PROBE_BYTES,  // bytes/clk/SM: one block on every SM; results counts bytes
    PROBE_CYCLES, // cycles from one result of a warp to the next: one block on one SM
    PROBE_LOADED, // the same with one block on every SM
    PROBE_BANK,   // cycles per instruction and scheduler: one block on one SM, spread over its four schedulers
    PROBE_FLOPS,  // TFLOP/s of the device: one block on every SM, two operations a result
    PROBE_LAUNCH, // microseconds between two events around launches of no rounds, behind the flush: `value` blocks an SM, 0 for one
    PROBE_BLOCKS, // cycles, the median of what the blocks say of themselves: `value` blocks an SM
    PROBE_STREAM, // GB/s of the device: as many blocks as fit; results counts bytes
};

struct probe {
    const char *group;   // "ceiling", "latency", "throughput", "advice", "banks"
    const char *what;    // as in the CSV, "FP32 add"; no comma
    const char *variant; // what tells rows of one `what` apart; "" for none
    const char *kernel;  // symbol
    const char *cubin;   // NULL: the step's own; else a cubin beside it, which may be there for sm_90 only
    enum probe_kind kind;
    int threads;        // of a block, a multiple of 32
    uint32_t value;     // passed to the kernel; of PROBE_STREAM the harness passes the number of 16-byte words instead
    int results;        // of a thread in one round
    const char *expect; // mnemonics that the loop consists of, "FADD" or "HADD2|HFMA2": prefixes
    int times;          // how many of them the loop's code has
    int64_t bytes;      // PROBE_STREAM: of the data. PROBE_CYCLES: of a ring of pointers in `in`, 0 for none
    int step;           // of the ring: bytes from one pointer to the next slot, the slots in random order
    int passes;         // PROBE_STREAM: over the data. PROBE_LAUNCH: launches
    int shared;         // bytes of dynamic shared memory of a block; a device without so many leaves it out
    int since;          // compute capability, 80: older devices lack the instruction, and the probe is left out there
    bool own_time;      // the kernel writes another time to cycles[]: not that of the rounds, which a model predicts
    double documented;  // in the same unit, 0 when there is none
    const char *source; // of the documented figure; no comma
};

// The probes (probes.c), which end at the first without a `what`.
extern const struct probe machine_probes[];
