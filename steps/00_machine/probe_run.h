// Runs one probe: on a GPU to measure, on the simulator to count.
#pragma once

#include "backend/backend.h"
#include "probe_code.h"

// Where probes run, and the memory that they share.
struct bench {
    const struct backend *backend;
    const struct device_info *info;
    device_pointer in, out, cycles;
    int64_t bytes; // of in and of out, a power of two
};

struct finding {
    double value;           // in the unit of the probe's kind; NaN where there is no time
    double mhz;             // SM clock, NaN
    double per_result;      // warp instructions of the loop for one result of a warp; NaN where nothing counts them
    double lost_per_result; // register-bank cycles lost for one result, NaN
    int local_bytes;        // of a thread
};

// bytes: of the largest probe. Complains and returns false; bench_close() it in any case.
bool bench_open(struct bench *bench, const struct backend *backend, const struct device_info *info, int64_t bytes);
void bench_close(struct bench *bench);

const char *probe_unit(enum probe_kind kind);

// Loads the kernel and runs it. On the simulator the executed instructions must be those of the loop (`code`). Complains
// and returns false.
bool probe_run(struct bench *bench, const struct probe *probe, const char *path, const struct probe_code *code,
               struct finding *finding);
