// A whole run on an open backend: every chosen variant on every problem, checked, timed, written down. All of one session
// are of one element type.
#pragma once

#include "contender.h"
#include "csv.h"

struct session {
    const struct options *options;
    const struct backend *backend;
    const struct device_info *info;
    enum element element;
    struct csv *csv;
    struct csv *counters;         // what a backend that counts has counted
    struct csv *digests;          // of the results
    struct contender *contenders; // (count) the baseline first, when there is one
    int count, unloaded;          // and how many more were chosen that did not load
    bool untunable;               // there is no cublasLt to choose from
    bool has_baseline;
    double sustained_seconds;
    struct staging staging;
    int *tile_rows; // (count) heights of the kernels' block tiles
    int tile_count;
    bool textures; // some variant wants them
    long failures;
};

// Loads the chosen kernels from `folder` ("build/cubin"). Complains of each that does not load, and returns false when none does; session_close() it in any case.
bool session_open(struct session *session, const char *folder, const struct choice *choices, int choice_count);
void session_close(struct session *session);

// Runs all problems. Returns an exit status.
int session_run(struct session *session);
