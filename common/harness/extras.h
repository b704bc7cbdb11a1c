// Properties of variants and steps that step.h lacks, one struct per concern. Each names the
// lessons that use it; "shapes" is the step in library/shapes.
#pragma once

#include "../element.h"
#include "step.h"

#include <stdbool.h>
#include <stdint.h>

// --- Arguments of the functions below ------------------------------------------------------------

// The problem and the device.
struct situation {
    int m, n, k;
    int ldb, ldc; // leading dimensions of B and C; 0 means n
    int multiprocessors;
    int capability;     // compute capability of the device, such as 90; 0 if unknown
    bool machine_code;  // the device can run the hand-written machine code of this program's steps
    bool reads_c;       // beta is not 0
    const char *device; // its name, "NVIDIA H200"
};

// The range of magnitudes in a row of A or a column of B: the exponents, floor(log2(magnitude)),
// of its largest and its smallest finite nonzero element. largest < smallest if there is no such
// element.
struct extent {
    int largest, smallest;
    bool not_finite; // there is an infinity or a NaN
};

// The arguments of a variant's own error limit (struct accuracy).
struct operands {
    struct situation situation;
    const struct extent *rows, *cols; // (m) rows of A, (n) columns of B
    const void *scratch;              // first 256 bytes of the phases' scratch memory, after the launches; or NULL
};

// --- Concerns of a variant -----------------------------------------------------------------------

// How the kernel is built, if not from kernel.cu for every architecture. Lessons 09 to 13, 15,
// shapes.
struct build {
    // The source: a file in the step's folder, such as "hand.sass", or a path, such as
    // "library/shapes/kernel.cu". NULL: kernel.cu. `sass asm` assembles files named *.sass.
    const char *source;
    // Passes of `sass reuse` that rewrite the compiled kernel, "banks,order"; NULL if there is
    // none.
    const char *passes;
    bool passes_optional; // chips other than sm_90 run the compiled kernel, without the passes
    // The lowest compute capability that has the kernel's instructions, such as 80. If it is 0, a
    // compiled kernel runs on any, and assembled or rewritten machine code on sm_90 only.
    int capability;
    bool sm_90a; // compiled for sm_90a: runs on compute capability 9.0 only
};

// A launch other than a two-dimensional grid of one block per tile. Lessons 09, 10, 11, shapes.
struct grid {
    bool persistent; // gridDim.x is the number of blocks that run at once; they share the tiles
    bool linear;     // gridDim.x is the number of tiles; the kernel assigns tiles to blocks
    // If it is not 0, several blocks may share a tile along K. A `linear` kernel then gets at most
    // this many blocks; if there are more tiles, it gets one block per tile. A persistent kernel
    // gets as many blocks as run at once, but at most this many, even if there are fewer tiles.
    int max_blocks;
};

// For a variant that requires whole tiles: a second kernel of its cubin, which copies matrices
// (launch_gemm.h). Before each launch it copies A, B and, if needed, C to matrices padded with
// zeros to multiples of block_m, block_n and block_k; after the launch it copies C back. The
// variant's time includes the copies. Lesson 11.
struct padding {
    const char *kernel; // NULL if there is none
    int block_k;
};

// One of several launches. Its kernel has the step's parameters and one more, `char *scratch`:
// device memory that all launches share. Its first 256 bytes are zero when it is allocated.
struct phase {
    const char *kernel; // "strassen_add"; in the cubin of another variant, "one_level/strassen_add"
    int threads;
    int shared_bytes;                                     // dynamic shared memory per block
    int64_t (*blocks)(const struct situation *situation); // returns gridDim.x
};

// A variant of several launches in a row. One of them is the step's kernel. The variant's time
// includes them all. Lessons 13, 15.
struct phases {
    const struct phase *phases; // the last row has no kernel
    int64_t (*scratch_bytes)(const struct situation *situation);
};

// A variant that computes C by GEMMs of smaller matrices (compose.h), which the variant `leaf`
// runs. `compose` launches the phases itself, in the order that it needs. Unlike other phases'
// kernels, theirs have parameters of their own. Lesson 15.
struct composer;
struct gemm;
struct composition {
    bool (*compose)(const struct composer *composer, const struct gemm *gemm);
    const char *leaf; // "shapes/dispatch"
    int levels;       // largest depth of recursion
};

// Error limits of a variant whose errors are not those of K products, each rounded once, as FP32
// multiply-adds have them. Lessons 13, 15.
struct accuracy {
    // Accuracy lost on purpose, in units of 2^-24 |A||B|. The check adds it to its limits, and
    // requires no exact results if it is not 0.
    double loss;
    // Returns the error limit for these operands on hard inputs (matrix.h), in the same units;
    // INFINITY allows any error. Sets *wrong to a message if what the kernels left in the scratch
    // memory cannot be right for the operands. If `limit` is NULL, the limit is that of K products,
    // each rounded once, plus `loss`.
    double (*limit)(const struct operands *operands, const char **wrong);
    // For algorithms whose errors are bounded by the largest elements of A and B, not by |A||B|:
    // returns the largest error allowed in an element of A B; INFINITY allows any. The check also
    // allows, on inputs that are not hard, a root mean square of the errors of 2^levels (1 + 8 / K)
    // times that of other variants. If `norm_limit` is NULL, the limits above apply.
    double (*norm_limit)(const struct operands *operands, int levels);
};

// One launch of a plan: which variant of `among` (see struct chooser) computes which part of C.
struct planned {
    const char *variant;
    int parts;                // blocks per tile (see `max_blocks`); 0 if the harness decides
    int row, col, rows, cols; // rows [row, row + rows) and columns [col, col + cols) of C
};

// A chooser's decision. Invariant: the launches' parts of C do not overlap and cover all of C.
enum { MOST_PLANNED = 3 };
struct plan {
    int count;
    struct planned launches[MOST_PLANNED];
};

// How a variant without a kernel of its own chooses among the variants that `among` names: by
// `choose`, or, if that is NULL, the variant whose own `expects` returns the least time. The
// choosing variant's block_m is the height of the others' tiles, because the check compares the
// rows at the edges of tiles. Lessons 13, 15, shapes.
struct chooser {
    // Returns the time that the variant with this struct takes, in microseconds. Variants in
    // another's `among` have it, too.
    double (*expects)(const struct situation *situation);
    struct plan (*choose)(const struct situation *situation);
    // "shapes/dispatch", or "shapes" for all its variants that have a kernel; NULL at the end.
    const char *const *among;
    // Returns true if `variant`, with this number of blocks per tile, may be nearly the fastest
    // (--candidates). If it is NULL, every variant may. Only `shapes` has it.
    bool (*is_candidate)(const struct situation *situation, const char *variant, int parts);
    // Returns the device whose measured times are used on `device`.
    const char *(*costs_from)(const char *device);
};

struct extras {
    struct build build;
    struct grid grid;
    struct padding padded;
    // The kernel has two more parameters, cudaTextureObject_t A_texture, B_texture: all of A and
    // of B as float4. Texel i has the elements 4 i to 4 i + 3, counted from element (0, 0), and is
    // zero behind the last element. Both handles are 0 if the device or the problem does not allow
    // textures (problem.h). Otherwise cols and ld are multiples of 4, and the texel number (row *
    // ld + col) / 4 fits an int for rows up to 256 behind the last. Lesson 12.
    bool textures;
    struct phases phased;
    struct composition composed;
    struct accuracy accuracy;
    struct chooser choice;
    // The model cannot predict its time: its launches depend on computed values, and the model
    // runs only some of the blocks. Lessons 13, 15.
    bool not_predicted;
};

// Returns the variant's concerns; an empty struct if it has none or is NULL (the baseline).
static inline const struct extras *extras_of(const struct variant *variant) {
    static const struct extras none;
    return variant && variant->extras ? variant->extras : &none;
}

// --- Concerns of a step --------------------------------------------------------------------------

// Cubins for sm_90 that an awk script makes from the cubin of the step's first variant: the script
// edits the kernel's listing, which is then assembled. Its variable `pattern` is the name of the
// cubin to make, without `prefix`. Lesson 00.
struct edits {
    const char *kernel, *script, *prefix;
    const char *const *names; // NULL at the end
};

struct step_extras {
    const char *folder;   // "library/shapes"; NULL: the folder of its name in steps/
    enum element element; // FP64: the kernel is dgemm_NAME and has double for float. Lesson 11.
    // Steps whose kernels it also runs, or whose headers its kernels include: "09_reuse_sass
    // shapes". Lessons 13, 14, 15, shapes.
    const char *needs;
    // Why build/ladder does not run it, such as "multiplies no matrices". Such a lesson has its own
    // main.c; its program build/NAME is made of all .c files in its folder. Lessons 00, 14.
    const char *not_in_ladder;
    bool not_benched; // `make bench-sim` leaves it out. Lesson 13.
    struct edits edits;
};

static inline const struct step_extras *step_extras_of(const struct step *step) {
    static const struct step_extras none;
    return step && step->extras ? step->extras : &none;
}
