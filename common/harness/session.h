// A session runs every chosen variant of one element type on every problem: it checks, times and
// records them. Requires an open backend.
#pragma once

#include "contender.h"
#include "csv.h"

struct session {
    const struct options *options;
    const struct backend *backend;
    const struct device_info *info;
    enum element element;
    struct csv *csv;
    struct csv *counters;         // the backend's counters
    struct csv *digests;          // digests of the results
    struct contender *contenders; // (count) the baseline first, if there is one
    int count;
    int unloaded;   // chosen variants that did not load
    bool untunable; // there is no cublasLt
    bool has_baseline;
    double sustained_seconds;
    struct staging staging;
    int *tile_rows; // (tile_count) tile heights of the kernels
    int tile_count;
    bool textures; // a variant requires textures
    long failures; // failed checks
};

// Loads the chosen kernels from `folder` ("build/cubin"). Complains about each that does not load.
// Returns false if none loads. The caller calls session_close() in either case.
bool session_open(struct session *session, const char *folder, const struct choice *choices, int choice_count);
void session_close(struct session *session);

// Runs all problems. Returns an exit status.
int session_run(struct session *session);
