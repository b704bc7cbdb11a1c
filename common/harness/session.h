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
    struct csv *counters;         // receives the backend's counters
    struct csv *digests;          // receives digests of the results
    struct contender *contenders; // `count` contenders; the first is the baseline, if there is one
    int count;
    int unloaded;   // number of chosen variants that could not be loaded
    bool untunable; // true if cublasLt is missing or failed: no more baselines are tuned
    bool has_baseline;
    double sustained_seconds;
    struct staging staging;
    int *tile_rows; // tile heights of the kernels, `tile_count` of them
    int tile_count;
    bool textures; // true if one of the variants takes textures
    long failures; // number of failed checks
};

// Loads the chosen kernels from `folder` ("build/cubin"). Complains if some do not load. Returns
// false if none loads. The caller calls session_close() in either case.
bool session_open(struct session *session, const char *folder, const struct choice *choices,
                  int choice_count);
void session_close(struct session *session);

// Runs all problems. Returns an exit status.
int session_run(struct session *session);
