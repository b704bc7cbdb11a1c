// What runs in a race: the chosen variants' kernels and, first, the baseline.
#pragma once

#include "code.h"
#include "launch_gemm.h"
#include "problem.h"
#include "steps.h"

// A launch of a plan, and the contender that it names.
struct share {
    struct contender *by;
    struct planned part;
};
enum { MOST_SHARINGS = 64 };

// Which kernel computes which part of C, as a chooser decided for one problem. A variant that composes asks for dozens
// of shapes in turn.
struct sharing {
    struct situation asked;
    int count;
    struct share shares[MOST_PLANNED];
};

struct contender {
    // What it is.
    const struct step *step;       // NULL for the baseline
    const struct variant *variant; // NULL for the baseline
    enum element element;
    bool default_math; // baseline: in cuBLAS's default mode
    bool tuned;        // baseline: with the algorithm that was timed to be the fastest
    int algorithm;     // index of the tuned cublasLt algorithm, from 1; 0: none
    char label[32];    // its name if --parts has several numbers, "thin:8"

    // The device.
    int multiprocessors;
    const char *device; // its name
    int capability;
    bool machine_code; // it runs the step's machine code

    // What is loaded.
    struct kernel *kernel;
    struct kernel *pad_kernel;                // NULL if the variant needs none
    struct kernel *phase_kernels[MAX_PHASES]; // of a variant of several launches; `kernel` is one of them
    struct workspace workspace;
    bool borrows; // its kernel belongs to a contender before it, which unloads it
    struct kernel_info info;
    int blocks_per_sm;
    struct blocks blocks;
    char code[CODE_DIGITS + 1]; // of its cubin; empty if it has none

    // A variant that chooses.
    struct contender *others; // (other_count) what it chooses from
    int other_count;
    struct sharing *sharings; // (MOST_SHARINGS), the newest in place of the oldest
    int sharing_count;        // made so far
    struct sharing *last;     // what ran last; NULL: nothing yet

    struct contender *leaf; // a variant that composes: what computes its products

    // What was found, over the whole run.
    long checks, failures;
    bool failed_a_trial;
    double worst_ratio;
};

const char *contender_step(const struct contender *contender); // "01_naive" or "cublas"
const char *contender_variant(
    const struct contender *contender); // "coalesced"; of cuBLAS "pedantic", "default", "tuned" or "dgemm"

// Writes the codes of the kernels that ran last, one per launch of a plan, with + between them; "" for the baseline.
void contender_code(const struct contender *contender, char *text, size_t size);

// Finds the cubin of a variant under `folder` ("build/cubin") for a compute capability: that of the capability itself
// or of an earlier one of the same major version, whose code it also runs. False when there is none.
bool find_cubin(char *path, int size, const char *folder, int compute_capability, const char *step,
                const char *variant);

// True for machine code that was never run on a GPU of this device's kind.
bool is_untried(const struct variant *variant, const struct backend *backend, const struct device_info *info);

// Whether a variant can run on this device; else `why` says what it needs.
bool contender_fits(const struct variant *variant, const struct backend *backend, const struct device_info *info,
                    char *why, size_t size);

// Loads the chosen variant's kernel, or those that it chooses from. Complains and returns false.
bool contender_load(struct contender *contender, const struct backend *backend, const struct device_info *info,
                    const char *folder, const struct choice *choice);
void contender_unload(struct contender *contender, const struct backend *backend);

// --- sharing.c -----------------------------------------------------------------------------------------------------------

// Which kernels run a problem, by a contender that chooses; remembered for the next time. NULL with backend_error().
const struct sharing *sharing_for(struct contender *contender, const struct situation *situation);

// Whose kernel ran last, on the first rows of C: its own, or one of the others.
const struct contender *contender_runner(const struct contender *contender);

// --- contender_launch.c --------------------------------------------------------------------------------------------------

// What its step's rules are told of a problem.
struct situation contender_situation(const struct contender *contender, const struct problem *problem);

// Rows [first, first + rows) of C.
struct gemm rows_of(const struct problem *problem, int64_t first, int64_t rows);

// Launches it on a problem, asynchronously, in bands of at most 65,535 block rows where it is not launched as one row of blocks.
// False with backend_error().
bool contender_launch(struct contender *contender, const struct problem *problem);

// Prints `STEP VARIANT CODE` (code.h) for each variant with a cubin for compute capability `capability` under `folder`.
bool list_codes(struct step_table table, const char *folder, int capability);
