// A judge times kernels and, if it runs them, compares their results. judge_model is the
// timing model of an SM; a program can list further judges, such as one for a GPU.
#pragma once

#include "isa/cubin.h"
#include "trial.h"

#include <stdbool.h>

enum judge_status { JUDGE_READY, JUDGE_ABSENT, JUDGE_FAILED };

// A judge as a table of functions. `state` belongs to the judge: open() creates it, close() frees
// it.
struct judge_table {
    const char *name; // the value of --judge
    double least;     // gains of time below this fraction are noise
    // Opens the judge for one launch of the kernel `name`. Returns JUDGE_ABSENT if the judge's
    // device is not here. On failure the error says why.
    enum judge_status (*open)(void **state, const struct trial *launch, const char *name,
                              struct error *error);
    void (*close)(void *state);
    const char *(*title)(const void *state); // the judge's name for people: "NVIDIA H200"
    // Sets `milliseconds` to the median times of two cubins, over `rounds` rounds that launch both
    // in turn.
    bool (*compare)(void *state, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                    double milliseconds[2], struct error *error);
    // Sets *same to true if both cubins compute equal bits. NULL for a judge that has no results.
    bool (*same)(void *state, const struct sass_cubin *a, const struct sass_cubin *b, bool *same,
                 struct error *error);
};

extern const struct judge_table judge_model; // models an H200's SM

struct judge {
    const struct judge_table *table;
    void *state;
    struct trial launch;
};

// Opens the judge called `name` from a NULL-terminated list; if `name` is NULL, the first one whose
// device is here.
bool judge_open(struct judge *judge, const struct judge_table *const *list, const char *name,
                const char *launch, const struct sass_cubin *cubin, const char *kernel,
                struct error *error);
void judge_close(struct judge *judge);

// Returns how often the modelled SM issues each of the kernel's `count` instructions in one launch,
// as an array that the caller frees; NULL on failure, and the error says why.
uint64_t *judge_counts(const char *launch, const struct sass_cubin *cubin, const char *kernel,
                       size_t count, struct error *error);
