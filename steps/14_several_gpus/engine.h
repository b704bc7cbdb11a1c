// An engine has the memory, the streams and the communication of several devices. `gpu` uses the
// CUDA driver and NCCL. `sim` is a test double on the simulator, whose collectives are plain
// copies.
//
// A rank is one device. A process has `count` of all `ranks`, from rank `first` on; `local` numbers
// its own ranks from 0. Kernels and host copies go through `backend` to the selected device. Each
// device has two streams: launches go to stream 0, collectives to stream 1. Whatever is put into a
// stream is asynchronous until finish(). Functions that fail return false and set backend_error().
//
// Requires: one thread makes all calls; only healthy() may be called by another one.
#pragma once

#include "backend/backend.h"

enum { ENGINE_MOST_RANKS = 64, ENGINE_ID_BYTES = 128 };

struct engine_plan {
    int ranks;        // number of ranks of all processes
    int first, count; // ranks of this process
    int device; // device of rank `first`; the process's other ranks have the devices after that
    bool collectives; // collectives will be called if there are several ranks
    bool peers;       // devices will read each other's memory
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

    // Returns the number of devices of this host; -1 with backend_error(). May be called before
    // open().
    int (*devices)(void);
    bool (*make_id)(void *id);
    const char *(*transport)(void); // what moves the data, for example "NCCL 2.28.9"

    // Arranges the ranks as a grid, row by row. Group 0 consists of all ranks, group 1 of a rank's
    // row, group 2 of its column. A collective uses at most `channels` thread blocks of a device;
    // if that is 0, NCCL decides. Requires: all processes call it before their first collective.
    bool (*arrange)(int rows, int cols, int channels);
    bool (*select)(int local);

    // Copies between two strips of a device, or from device `from_local` of this process to another
    // one.
    bool (*copy)(int local, int stream, struct strip to, int from_local, struct strip from,
                 int64_t row_bytes, int64_t rows);

    // Collectives of floats in stream 1. `root` is a rank's number in its group. Requires: between
    // begin() and end(), every local rank makes its call of one collective.
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

    // Sets the time between two events. Requires: finish() was called.
    bool (*elapsed)(int local, int from, int to, double *milliseconds);

    // Waits until all streams are empty.
    bool (*finish)(void);

    // Returns false if a collective has failed.
    bool (*healthy)(void);

    // Returns the bytes that the links of the device have received from other ranks, counted from
    // an unknown start on; -1 if unknown.
    int64_t (*received)(int local);
};

extern const struct gpu_engine engine_gpu, engine_sim;
