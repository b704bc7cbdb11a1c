// A judge times kernels and compares their results. It is the model of an SM, or what a program
// provides, for example a GPU.
#pragma once

#include "isa/cubin.h"
#include "trial.h"

#include <stdbool.h>

enum judge_status { JUDGE_READY, JUDGE_ABSENT, JUDGE_FAILED };

// A judge as a table of functions. `state` is opaque to callers; open() makes it and close() frees
// it.
struct judge_table {
    const char *name; // the argument of --judge
    double least;     // gains below it are noise
    // Opens the judge for one launch of the kernel `name`. JUDGE_ABSENT: there is no such device
    // here. The error says why.
    enum judge_status (*open)(void **state, const struct trial *launch, const char *name, struct error *error);
    void (*close)(void *state);
    const char *(*title)(const void *state); // for people: "NVIDIA H200"
    // Sets `milliseconds` to the median times of two cubins in `rounds` alternating launches.
    bool (*compare)(void *state, const struct sass_cubin *a, const struct sass_cubin *b, int rounds,
                    double milliseconds[2], struct error *error);
    // Sets *same if both compute the same bits. NULL if the judge computes none.
    bool (*same)(void *state, const struct sass_cubin *a, const struct sass_cubin *b, bool *same, struct error *error);
};

extern const struct judge_table judge_model; // models an H200's SM

struct judge {
    const struct judge_table *table;
    void *state;
    struct trial launch;
};

// Opens the judge called `name` from the NULL-terminated list; without a name, the first that is
// not absent.
bool judge_open(struct judge *judge, const struct judge_table *const *list, const char *name, const char *launch,
                const struct sass_cubin *cubin, const char *kernel, struct error *error);
void judge_close(struct judge *judge);

// Returns how often the model issues each of the kernel's `count` instructions in one launch. The
// caller frees it. NULL: the error says why.
uint64_t *judge_counts(const char *launch, const struct sass_cubin *cubin, const char *kernel, size_t count,
                       struct error *error);
