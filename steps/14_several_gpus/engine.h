// An engine runs several devices: it has their memory, their streams and the communication among
// them. `gpu` uses the CUDA driver and NCCL. `sim` is a test double on the simulator; its
// collectives are plain copies.
//
// A rank is one device. A process has `count` of all `ranks`, from rank `first` on; `local` numbers
// its own ranks from 0. Kernels and host copies go through `backend` to the selected device. Each
// device has two streams: launches go to stream 0, collectives to stream 1, copies to either. Work
// in a stream may run until finish() returns. A bool function that fails sets backend_error().
//
// Requires: one thread makes all calls; only healthy() may be called by another one.
#pragma once

#include "backend/backend.h"

enum { ENGINE_MOST_RANKS = 64, ENGINE_ID_BYTES = 128 };

struct engine_plan {
    int ranks;        // number of ranks of all processes
    int first, count; // first rank and number of ranks of this process
    int device; // device of rank `first`; the process's other ranks have the devices after that
    bool collectives; // true if jobs of several ranks will call collectives
    bool peers;       // true if devices will read each other's memory
    // NCCL's id (ENGINE_ID_BYTES), equal in all processes; NULL if there is one process
    const void *id;
};

// Rows of floats in a device's memory.
struct strip {
    device_pointer at;
    int64_t pitch; // bytes from one row to the next
};

struct gpu_engine {
    const char *name;
    const struct backend *backend;

    enum backend_status (*open)(const struct engine_plan *plan, struct device_info *info);
    void (*close)(void);

    // Returns the number of devices of this host; -1 if they cannot be used. Sets backend_error()
    // unless the number is above 0. Requires: open() has not been called.
    int (*devices)(void);
    bool (*make_id)(void *id);      // sets the bytes that engine_plan.id points to
    const char *(*transport)(void); // what moves the data, for example "NCCL 2.28.9"

    // Arranges the ranks as a grid, row by row. Group 0 consists of all ranks, group 1 of a rank's
    // row, group 2 of its column. A collective uses at most `channels` thread blocks of a device;
    // if that is 0, NCCL decides. Requires: all processes call it before their first collective.
    bool (*arrange)(int rows, int cols, int channels);
    bool (*select)(int local);

    // Copies `rows` rows of `row_bytes` bytes from a strip of device `from_local` to a strip of
    // device `local`. Both devices are in this process; they may be one device.
    bool (*copy)(int local, int stream, struct strip to, int from_local, struct strip from,
                 int64_t row_bytes, int64_t rows);

    // Collectives in stream 1. All counts are numbers of floats; `each` is the share of one rank.
    // `root` is a rank's number in its group. A rank's own share lies at its place in `all`.
    // Requires: between begin() and end(), every local rank calls the same collective once.
    bool (*begin)(void);
    bool (*exchange)(int local, device_pointer from, int64_t send, int target, device_pointer to,
                     int64_t receive, int source);
    bool (*gather)(int local, device_pointer all, int64_t each);
    bool (*broadcast)(int local, int group, int root, device_pointer from, device_pointer to,
                      int64_t count);
    bool (*reduce_scatter)(int local, device_pointer from, device_pointer to, int64_t each);
    bool (*end)(void);

    // mark() records event `number` of a device in a stream; wait() makes a stream wait for it.
    bool (*mark)(int local, int stream, int number);
    bool (*wait)(int local, int stream, int number);

    // Sets the time between two events; NAN on `sim`. Requires: finish() was called.
    bool (*elapsed)(int local, int from, int to, double *milliseconds);

    // Waits until all streams are empty. Returns false if that or a collective has failed.
    bool (*finish)(void);

    // Returns false if a collective has failed.
    bool (*healthy)(void);

    // Returns how many bytes the links of the device have received from other ranks; -1 if unknown.
    // The count starts at an unknown value, so only differences have a meaning.
    int64_t (*received)(int local);
};

extern const struct gpu_engine engine_gpu, engine_sim;
