// A contender is one thing that the harness checks and times: cuBLAS or a variant.
#pragma once

#include "code.h"
#include "launch_gemm.h"
#include "problem.h"
#include "steps.h"

// One launch of a plan (extras.h), with the contender that runs it.
struct share {
    struct contender *by;
    struct planned part;
};
enum { MOST_SHARINGS = 64 };

// The plan of a chooser (extras.h) for one problem: which kernel computes which part of C. Plans
// are kept, because a composed variant needs the plans of dozens of shapes again and again.
struct sharing {
    struct situation asked; // the problem and the device that the plan was made for
    int count;
    struct share shares[MOST_PLANNED];
};

struct contender {
    // --- identity
    const struct step *step;       // NULL for cuBLAS
    const struct variant *variant; // NULL for cuBLAS
    enum element element;
    bool default_math; // true for cuBLAS in its default math mode
    bool tuned;        // true for cublasLt's fastest algorithm
    int algorithm;     // index of cublasLt's fastest algorithm, from 1; 0 if not tuned
    // the name in tables and in the CSV if --parts has several numbers, for example "thin:8"
    char label[32];

    // --- device
    int multiprocessors;
    const char *device; // the device's name
    int capability;
    bool machine_code; // true if the device may run machine code of any linked step

    // --- loaded kernels
    struct kernel *kernel;
    // copies matrices to padded ones (extras.h); NULL if the variant needs no padding
    struct kernel *pad_kernel;
    // the kernels of a variant with passes; `kernel` is one of them
    struct kernel *pass_kernels[MAX_PASSES];
    struct workspace workspace;
    bool borrows; // true if an earlier contender owns the kernel and unloads it
    struct kernel_info info;
    int blocks_per_sm;
    struct blocks blocks;
    char code[CODE_DIGITS + 1]; // code hash of the cubin; empty if there is none

    // --- only for a variant that chooses among others
    struct contender *candidates; // `candidate_count` contenders to choose from
    int candidate_count;
    struct sharing *sharings; // a ring of MOST_SHARINGS remembered plans
    int sharing_count;        // number of plans made so far
    struct sharing *last;     // the plan that was used last; NULL before the first

    // --- only for a composed variant
    struct contender *leaf; // the contender that computes the smaller products

    // --- results of the whole run
    long checks, failures;
    bool failed_a_trial;
    double worst_ratio;
};

// Returns the name of the step, "01_naive", or "cublas".
const char *contender_step(const struct contender *contender);
// Returns the variant's name or label; for cuBLAS "pedantic", "default", "tuned" or "dgemm".
const char *contender_variant(const struct contender *contender);

// Writes the code hashes of the kernels that were launched last, joined by +; "" for the baseline.
void contender_code(const struct contender *contender, char *text, size_t size);

// Sets `path` to the variant's cubin under `folder` ("build/cubin"). If there is none for the
// compute capability, takes one for an earlier capability of the same major version, whose code the
// device runs, too. Returns the cubin's capability; 0 if there is none.
int find_cubin(char *path, int size, const char *folder, int compute_capability, const char *step,
               const char *variant);

// Returns true if the backend is `gpu` and the variant is machine code that this project never ran
// on a GPU with this compute capability.
bool is_untried(const struct variant *variant, const struct backend *backend,
                const struct device_info *info);

// Returns true if the variant can run on this device; otherwise sets `why` to the reason.
bool contender_fits(const struct variant *variant, const struct backend *backend,
                    const struct device_info *info, char *why, size_t size);

// Loads the kernels of the variant, or of those among which it chooses. Complains and returns false
// on failure.
bool contender_load(struct contender *contender, const struct backend *backend,
                    const struct device_info *info, const char *folder,
                    const struct choice *choice);
void contender_unload(struct contender *contender, const struct backend *backend);

// Frees the device memory that the contender's launches allocated. Call it between problems: the
// model's times depend on addresses, and these must not depend on earlier problems.
void contender_free_workspaces(struct contender *contender, const struct backend *backend);

// --- sharing.c -----------------------------------------------------------------------------------

// Returns the plan of a contender that chooses among variants. A remembered plan is used if there
// is one. Returns NULL with backend_error() on failure.
const struct sharing *sharing_for(struct contender *contender, const struct situation *situation);

// Returns the contender whose kernel computed the first rows of C in the last launch: this one, or
// one of its candidates.
const struct contender *contender_runner(const struct contender *contender);

// --- contender_launch.c --------------------------------------------------------------------------

// Returns the problem and the device as arguments of a chooser's functions (extras.h).
struct situation contender_situation(const struct contender *contender,
                                     const struct problem *problem);

// Returns the GEMM that computes rows [first, first + rows) of C.
struct gemm rows_of(const struct problem *problem, int64_t first, int64_t rows);

// Launches the contender's kernels on a problem, asynchronously: one launch of a two-dimensional
// grid per 65,535 rows of blocks. Returns false with backend_error() on failure.
bool contender_launch(struct contender *contender, const struct problem *problem);

// Prints `STEP VARIANT CODE` (code.h) for each variant of `table` that has a cubin for `capability`
// under `folder`, except those of steps with `not_in_ladder`. Defined in contender.c.
bool list_codes(struct step_table table, const char *folder, int capability);
