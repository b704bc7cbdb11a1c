// Contenders: the chosen variants' kernels and, first, the baseline.
#pragma once

#include "code.h"
#include "launch_gemm.h"
#include "problem.h"
#include "steps.h"

// One launch of a plan (extras.h).
struct share {
    struct contender *by; // the contender that runs it
    struct planned part;
};
enum { MOST_SHARINGS = 64 };

// A chooser's plan for one problem: which kernel computes which part of C. Plans are remembered,
// because a variant that composes asks for dozens of shapes again and again.
struct sharing {
    struct situation asked; // the problem and the device
    int count;
    struct share shares[MOST_PLANNED];
};

struct contender {
    // identity
    const struct step *step;       // NULL for the baseline
    const struct variant *variant; // NULL for the baseline
    enum element element;
    bool default_math; // baseline: cuBLAS in its default mode
    bool tuned;        // baseline: cublasLt's fastest algorithm
    int algorithm;     // index of the tuned cublasLt algorithm, from 1; 0 if there is none
    char label[32];    // name in tables if --parts has several numbers, "thin:8"

    // device
    int multiprocessors;
    const char *device; // its name
    int capability;
    bool machine_code; // the device runs machine code of the linked steps

    // loaded kernels
    struct kernel *kernel;
    struct kernel *pad_kernel;                // NULL if the variant needs none
    struct kernel *phase_kernels[MAX_PHASES]; // of a variant with phases; `kernel` is one of them
    struct workspace workspace;
    bool borrows; // an earlier contender owns the kernel and unloads it
    struct kernel_info info;
    int blocks_per_sm;
    struct blocks blocks;
    char code[CODE_DIGITS + 1]; // hash of its cubin's code; empty if it has none

    // only a variant that chooses
    struct contender *others; // (other_count) the contenders that it chooses from
    int other_count;
    struct sharing *sharings; // (MOST_SHARINGS) a ring of remembered plans
    int sharing_count;        // plans made so far
    struct sharing *last;     // the plan that ran last; NULL if there is none yet

    // only a variant that composes
    struct contender *leaf; // computes its products

    // results of the whole run
    long checks, failures;
    bool failed_a_trial;
    double worst_ratio;
};

// Returns the name of the step, "01_naive", or "cublas".
const char *contender_step(const struct contender *contender);
// Returns "coalesced", for example; for cuBLAS "pedantic", "default", "tuned" or "dgemm".
const char *contender_variant(const struct contender *contender);

// Writes the code hashes of the kernels that ran last: one per launch of a plan, joined by +.
// Writes "" for the baseline.
void contender_code(const struct contender *contender, char *text, size_t size);

// Sets `path` to the variant's cubin under `folder` ("build/cubin") for the compute capability or,
// if there is none, for an earlier one of the same major version, whose code the device runs as
// well. Returns false if there is none.
bool find_cubin(char *path, int size, const char *folder, int compute_capability, const char *step,
                const char *variant);

// True if the variant is machine code that this project never ran on a GPU with this compute
// capability.
bool is_untried(const struct variant *variant, const struct backend *backend, const struct device_info *info);

// True if the variant can run on this device; otherwise sets `why` to the reason.
bool contender_fits(const struct variant *variant, const struct backend *backend, const struct device_info *info,
                    char *why, size_t size);

// Loads the chosen variant's kernel, or those that it chooses from. Complains and returns false on
// failure.
bool contender_load(struct contender *contender, const struct backend *backend, const struct device_info *info,
                    const char *folder, const struct choice *choice);
void contender_unload(struct contender *contender, const struct backend *backend);

// Frees the device memory that the contender's launches allocated. It is called between problems:
// where memory lies changes the model's times, which must not depend on what ran before.
void contender_free_workspaces(struct contender *contender, const struct backend *backend);

// --- sharing.c -----------------------------------------------------------------------------------

// Returns the plan of a contender that chooses, made now or remembered; NULL with backend_error().
const struct sharing *sharing_for(struct contender *contender, const struct situation *situation);

// Returns the contender whose kernel computed the first rows of C in the last launch: itself, or
// one of `others`.
const struct contender *contender_runner(const struct contender *contender);

// --- contender_launch.c --------------------------------------------------------------------------

// Returns the input of the step's rules for a problem.
struct situation contender_situation(const struct contender *contender, const struct problem *problem);

// Returns the GEMM that computes rows [first, first + rows) of C.
struct gemm rows_of(const struct problem *problem, int64_t first, int64_t rows);

// Launches the contender's kernels on a problem, asynchronously. A two-dimensional grid is
// launched in bands of at most 65,535 block rows. Returns false with backend_error().
bool contender_launch(struct contender *contender, const struct problem *problem);

// Prints `STEP VARIANT CODE` (code.h) for each variant that has a cubin for `capability` under
// `folder`.
bool list_codes(struct step_table table, const char *folder, int capability);
