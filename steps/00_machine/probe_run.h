// Runs one probe: measures on a GPU, counts on the simulator, predicts by the timing model.
#pragma once

#include "backend/backend.h"
#include "probe_code.h"

// Where probes run, and the memory that they share.
struct bench {
    const struct backend *backend;
    const struct device_info *info;
    device_pointer in, out, cycles;
    int64_t bytes; // size of `in` and of `out` in bytes, a power of two
};

// The results of a probe; NaN if not measured or not counted.
struct probe_finding {
    double value;           // measured or predicted value, in the unit of the probe's kind
    double mhz;             // SM clock
    double per_result;      // warp instructions of the loop per result of a warp
    double lost_per_result; // cycles lost to register-bank conflicts per result of a warp
    int local_bytes;        // bytes of local memory per thread
};

// Allocates `in` and `out` with `bytes` bytes each, or less where the backend limits it. `bytes` is
// the size that the largest probe needs. Complains and returns false on failure. The caller calls
// bench_close() in either case.
bool bench_open(struct bench *bench, const struct backend *backend, const struct device_info *info,
                int64_t bytes);
void bench_close(struct bench *bench);

const char *probe_unit(enum probe_kind kind);

// Loads the kernel and runs it. Complains and returns false on failure, or if the simulator's
// number of instructions per round does not fit the loop (`code`).
bool probe_run(struct bench *bench, const struct probe *probe, const char *path,
               const struct probe_code *code, struct probe_finding *finding);
