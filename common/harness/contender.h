// What runs in a race: the chosen variants' kernels and, first, the baseline.
#pragma once

#include "launch_gemm.h"
#include "problem.h"
#include "steps.h"

// What a variant that chooses has chosen for some rows of C.
struct share {
    struct contender *by; // one of its others
    int parts;
    int64_t rows;
};
enum { MOST_SHARES = 4, MOST_SHARINGS = 64 };

// What it chose for a problem: who runs the rows of C, from above. A variant that composes asks for dozens of shapes in turn.
struct sharing {
    struct situation asked;
    int count;
    struct share shares[MOST_SHARES];
};

struct contender {
    const struct step *step;       // NULL for the baseline
    const struct variant *variant; // NULL for the baseline
    bool default_math;             // of the baseline: in cuBLAS's default mode
    bool tuned;                    // of the baseline: with the algorithm that was timed to be the fastest
    int algorithm;                 // that one's number
    enum element element;
    struct kernel *kernel;
    struct kernel *pad_kernel;                // NULL where the variant needs none
    struct kernel *phase_kernels[MAX_PHASES]; // of a variant of several launches; `kernel` is one of them
    struct workspace workspace;
    bool borrows;   // its kernel is that of a contender before it, which unloads it
    char label[32]; // its name where --parts has several numbers, "thin:8"
    struct kernel_info info;
    int blocks_per_sm;
    struct blocks blocks;
    int multiprocessors;
    const char *device;       // its name
    bool machine_code;        // the device runs the step's machine code
    struct contender *others; // (other_count) what a variant that chooses chooses from, NULL for all else
    int other_count;
    struct contender *leaf;   // what computes its products, of a variant that composes; NULL for all else
    struct sharing *sharings; // (MOST_SHARINGS) of a variant that chooses, the newest in place of the oldest
    int sharing_count;        // made so far
    struct sharing *last;     // what ran last; NULL: nothing yet
    long checks, failures;    // over the whole run
    bool failed_a_trial;
    double worst_ratio;
};

const char *contender_step(const struct contender *contender); // "01_naive" or "cublas"
const char *contender_variant(
    const struct contender *contender); // "coalesced"; of cuBLAS "pedantic", "default", "tuned" or "dgemm"

// Finds the cubin of a variant under `folder` ("build/cubin") for a compute capability: that of the capability itself
// or of an earlier one of the same major version, whose code it also runs. False when there is none.
bool find_cubin(char *path, int size, const char *folder, int compute_capability, const char *step,
                const char *variant);

// Whether a variant can run on this device; else `why` says what it needs.
bool contender_fits(const struct variant *variant, const struct backend *backend, const struct device_info *info,
                    char *why, size_t size);

// Loads the chosen variant's kernel, or those that it chooses from. Complains and returns false.
bool contender_load(struct contender *contender, const struct backend *backend, const struct device_info *info,
                    const char *folder, const struct choice *choice);
void contender_unload(struct contender *contender, const struct backend *backend);

// Whose kernel ran last, on the first rows of C: its own, or one of the others.
const struct contender *contender_runner(const struct contender *contender);

// What its step's rules are told of a problem.
struct situation contender_situation(const struct contender *contender, const struct problem *problem);

// Rows [first, first + rows) of C.
struct gemm rows_of(const struct problem *problem, int64_t first, int64_t rows);

// Launches it on a problem, asynchronously, in bands of at most 65,535 block rows where it is not launched as one row of blocks.
// False with backend_error().
bool contender_launch(struct contender *contender, const struct problem *problem);
