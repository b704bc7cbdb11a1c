// The table of microbenchmarks, called probes, which main.c checks and runs.
//
// Most kernels repeat one operation in a loop, between two readings of the SM's clock; the kernels
// of PROBE_LAUNCH and PROBE_BLOCKS have no loop. The signature of all kernels is
//
//     extern "C" __global__ void NAME(int rounds, unsigned value, const uint4 *in, uint4 *out,
//                                     long long *cycles);
//
// `rounds` is the number of iterations of the loop. Each block writes the SM cycles of its loop, or
// another time (see own_time), to cycles[blockIdx.x].
#pragma once

#include <stdbool.h>
#include <stdint.h>

// What a probe measures: its unit and its grid.
enum probe_kind {
    PROBE_RATE,   // results per cycle and SM; one block on every SM
    PROBE_BYTES,  // bytes per cycle and SM; one block on every SM; `results` counts bytes
    PROBE_CYCLES, // cycles of a round divided by `results`; one block on one SM
    PROBE_LOADED, // like PROBE_CYCLES, with one block on every SM
    PROBE_BANK,   // cycles of a scheduler per result of a warp; one block, on one SM
    PROBE_FLOPS,  // TFLOP/s of the device; one block on every SM; a result is two operations

    // Microseconds from an event before `passes` empty launches to an event after them. The caches
    // are flushed before. There are `value` blocks per SM; 0 stands for one block in all.
    PROBE_LAUNCH,
    PROBE_BLOCKS, // median of cycles[], in cycles; `value` blocks per SM
    PROBE_STREAM, // GB/s of the device; as many blocks as fit; `results` counts bytes
};

struct probe {
    // --- the probe's row in the CSV; no string has a comma
    const char *group;   // "ceiling", "latency", "throughput", "advice", "banks", "pipeline"
    const char *what;    // "FP32 add"
    const char *variant; // distinguishes rows with the same `what`; may be empty

    // --- the kernel
    const char *kernel; // symbol
    // name of a cubin that banks.awk made, for sm_90 only; NULL for the cubin of kernel.cu
    const char *cubin;
    enum probe_kind kind;
    int threads; // per block, a multiple of 32
    // the kernel's argument; a PROBE_STREAM kernel gets the number of 16-byte words instead
    uint32_t value;
    int results; // number of results per thread and round; PROBE_CYCLES: divisor of its cycles
    int shared;  // bytes of dynamic shared memory per block
    // the least compute capability that has the instruction, such as 80; 0 if every chip has it
    int since;

    // --- what the loop must contain
    const char *expect; // mnemonics or their beginnings: "FADD" or "HADD2|HFMA2"
    int times;          // number of instructions that match `expect`; 0 if the kernel has no loop

    // --- data and repetitions
    // bytes of the data (PROBE_STREAM) or of the ring in `in` (PROBE_CYCLES, PROBE_LOADED); 0: none
    int64_t bytes;
    int step;   // bytes per slot of the ring; its pointers visit the slots in random order
    int passes; // number of passes over the data (PROBE_STREAM) or of launches (PROBE_LAUNCH)
    // true if cycles[] has another time than that of the rounds; a model cannot predict it
    bool own_time;

    double documented;  // the documented value in the probe's unit; 0 if there is none
    const char *source; // where the value is documented
};

// The probes (probes.c); in the last row, `what` is NULL.
extern const struct probe machine_probes[];
