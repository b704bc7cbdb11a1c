// Several devices at once: memory, streams and what travels between them. `gpu` uses the CUDA driver and NCCL; `sim` is a test double
// whose devices are the simulator's and whose collectives are plain copies.
//
// A rank is one device. A process has `count` of all `ranks`, from rank `first` on; `local` numbers its own, from 0. One thread calls.
// Kernels and host copies go through `backend`, to the device that was selected. A launch enters stream 0 of its device; stream 1 is
// beside it. Everything that is entered into a stream is asynchronous; `finish` waits. Failures are as in backend.h.
#pragma once

#include "backend/backend.h"

enum { ENGINE_MOST_RANKS = 64, ENGINE_ID_BYTES = 128 };

struct engine_plan {
    int ranks, first, count; // of all processes; this process's
    int device;              // of the host, of this process's first rank; its others have the next ones
    bool collectives;        // they will be wanted, if there are several ranks
    bool peers;              // devices will read each other's memory
    const void *id;          // ENGINE_ID_BYTES of NCCL's, the same for all processes; NULL: this process has all ranks
};

// Rows of floats in a device's memory; a `pitch` is bytes from row to row.
struct strip {
    device_pointer at;
    int64_t pitch;
};

struct engine {
    const char *name; // as the backend's
    const struct backend *backend;

    enum backend_status (*open)(const struct engine_plan *plan, struct device_info *info);
    void (*close)(void);
    int (*devices)(void); // of this host, before open; -1 with backend_error()
    bool (*make_id)(void *id);
    const char *(*transport)(void); // "NCCL 2.28.9"

    // The ranks as a grid, row by row: group 0 is all of them, group 1 a rank's row, group 2 its column. A collective takes at most
    // `channels` thread blocks of a device, 0: as many as NCCL likes. All ranks call it, before the first collective.
    bool (*arrange)(int rows, int cols, int channels);
    bool (*select)(int local);

    // Within a device, or from another one of this process (`from_local`).
    bool (*copy)(int local, int stream, struct strip to, int from_local, struct strip from, int64_t row_bytes,
                 int64_t rows);

    // Collectives of floats in stream 1, between begin() and end(): all local ranks' calls of one. Ranks of a group are counted
    // within it.
    bool (*begin)(void);
    bool (*exchange)(int local, device_pointer from, int64_t send, int target, device_pointer to, int64_t receive,
                     int source);
    bool (*gather)(int local, device_pointer all, int64_t each);
    bool (*broadcast)(int local, int group, int root, device_pointer from, device_pointer to, int64_t count);
    bool (*reduce_scatter)(int local, device_pointer from, device_pointer to, int64_t each);
    bool (*end)(void);

    // Event `number` of a device is when what is in the stream now is done; the other stream can be made to wait for it.
    bool (*mark)(int local, int stream, int number);
    bool (*wait)(int local, int stream, int number);
    bool (*elapsed)(int local, int from, int to, double *milliseconds); // after finish()
    bool (*finish)(void);
    bool (*healthy)(void); // whether no collective has failed; may be called by another thread

    int64_t (*received)(int local); // bytes from other ranks, a counter that runs on: the links' own; -1: nobody counts
};

extern const struct engine engine_gpu, engine_sim;
