// Further properties of variants and steps, beyond step.h: one struct per concern. Each comment
// names the lessons that use its struct; "shapes" is the step in library/shapes.
#pragma once

#include "../element.h"
#include "step.h"

#include <stdbool.h>
#include <stdint.h>

// --- Arguments of the functions below ------------------------------------------------------------

// The problem and the device, as the functions below see them.
struct situation {
    int m, n, k;
    int ldb, ldc; // leading dimensions of B and C; 0 means n
    int multiprocessors;
    int capability;     // compute capability of the device, such as 90; 0 if unknown
    bool machine_code;  // true if the device can run assembled or rewritten code of a linked step
    bool reads_c;       // true if beta is not 0
    const char *device; // the device's name, "NVIDIA H200"
};

// The range of magnitudes in a row of A or a column of B: the exponents, floor(log2(magnitude)), of
// its largest and its smallest finite nonzero element. If there is none, largest < smallest.
struct extent {
    int largest, smallest;
    bool not_finite; // true if the row or column has an infinity or a NaN
};

// The arguments of a variant's own error limit (struct accuracy).
struct operands {
    struct situation situation;
    const struct extent *rows, *cols; // the ranges of the m rows of A and of the n columns of B
    // the first 256 bytes of the passes' scratch memory (struct pass) after the launches; NULL if
    // the variant has no passes
    const void *scratch;
};

// --- Concerns of a variant -----------------------------------------------------------------------

// How the kernel is built. By default, kernel.cu is compiled for every architecture. Lessons 03, 05
// to 13, 15, shapes.
struct build {
    // The source: the name of a file in the step's folder, "hand.sass", or a path,
    // "library/shapes/kernel.cu"; NULL stands for kernel.cu. `sass asm` assembles files named
    // *.sass.
    const char *source;
    // The passes that `sass reuse` runs on the compiled machine code, "banks,order"; NULL for none.
    const char *passes;
    // true if other chips than sm_90 run the compiled kernel, without these passes
    bool passes_optional;
    // The lowest compute capability that has the kernel's instructions, such as 80. If it is 0, a
    // compiled kernel runs on any device, and assembled or rewritten machine code on sm_90 only.
    int capability;
    bool sm_90a; // true if compiled for sm_90a, whose code runs on compute capability 9.0 only
};

// The grid, unless it is two-dimensional with one block per tile. Lessons 09, 10, 11, shapes.
struct grid {
    // True if gridDim.x is the number of tiles, but at most the number of blocks that the device
    // runs at once.
    bool persistent;
    // True if gridDim.x is the number of tiles; the kernel decides which block computes which tile.
    bool linear;
    // 0 if a block computes whole tiles only. Otherwise several blocks may share a tile along K,
    // and a launch has at most this many blocks. But a `linear` kernel with more tiles has one
    // block per tile. A persistent kernel has as many blocks as run at once, even if there are
    // fewer tiles, unless blocks.parts sets the number per tile (launch_gemm.h).
    int max_blocks;
};

// A second kernel in the cubin of a variant that requires whole tiles (launch_gemm.h). Before each
// launch this kernel copies A, B and, if needed, C to matrices padded with zeros to multiples of
// block_m, block_n and block_k; after the launch it copies C back. The variant's time includes the
// copies. Lesson 11.
struct padding {
    const char *kernel; // name of the second kernel; NULL if there is none
    int block_k;
};

// One launch of a variant that consists of several (struct passes). Unless the variant is composed,
// the kernel has the step's parameters and one more, `char *scratch`: device memory that all these
// launches share. The first 256 bytes of this memory are zero when it is allocated.
struct pass {
    // "strassen_add"; "one_level/strassen_add" is the kernel in the cubin of variant one_level
    const char *kernel;
    int threads;
    int shared_bytes;                                     // dynamic shared memory per block
    int64_t (*blocks)(const struct situation *situation); // returns gridDim.x
};

// A variant of several launches, one after the other. One of the kernels is the step's kernel. The
// variant's time includes all launches. Lessons 13, 15.
struct passes {
    const struct pass *pass; // the last row has no kernel
    int64_t (*scratch_bytes)(const struct situation *situation);
};

// A variant that computes C by GEMMs of smaller matrices (compose.h). The variant `leaf` computes
// these GEMMs. `compose` decides which passes to launch; each pass's kernel has parameters of its
// own. Lesson 15.
struct composer;
struct gemm;
struct composition {
    bool (*compose)(const struct composer *composer, const struct gemm *gemm);
    const char *leaf; // name of the variant that computes the smaller GEMMs, "shapes/dispatch"
    int levels;       // largest depth of recursion
};

// Error limits of a variant that does not simply sum K products by FP32 multiply-adds. Lessons 13,
// 15.
struct accuracy {
    // Accuracy that the kernel loses on purpose, in units (check.h). The check adds it to its
    // limits. If it is not 0, results may have errors even with exact inputs.
    double loss;
    // Returns the error limit for these operands on hard inputs (matrix.h), in units; INFINITY
    // allows any error. Sets *wrong to a message if the scratch memory shows that the passes
    // decided wrongly, for example on a format. If `limit` is NULL, the limit is that of a sum of K
    // rounded products, plus `loss`.
    double (*limit)(const struct operands *operands, const char **wrong);
    // For algorithms whose errors are bounded by the largest elements of A and B, not by |A||B|:
    // returns the largest error allowed in an element of A B; INFINITY allows any. On inputs that
    // are not hard, the check also multiplies its limit for the root mean square of the errors by
    // 2^levels (1 + 8 / K). If `norm_limit` is NULL, the limits above apply.
    double (*norm_limit)(const struct operands *operands, int levels);
};

// One launch of a plan: which variant of `among` (see struct chooser) computes which part of C.
struct planned {
    const char *variant;
    int parts; // number of blocks per tile (see grid.max_blocks); 0 if the harness decides
    int row, col, rows, cols; // rows [row, row + rows) and columns [col, col + cols) of C
};

// A chooser's decision. Invariant: the launches' parts of C do not overlap and cover all of C.
enum { MOST_PLANNED = 3 };
struct plan {
    int count;
    struct planned launches[MOST_PLANNED];
};

// For a variant that has no kernel of its own and chooses among the variants that `among` names.
// `choose` decides; if it is NULL, the variant whose `expects` returns the least time is chosen.
// The chooser's block_m is a tile height of those variants, because the check compares rows at the
// edges of tiles. Lessons 13, 15, shapes.
struct chooser {
    // Returns the expected time of this variant, in microseconds. Variants with a kernel of their
    // own set it, too, if a chooser without `choose` chooses among them.
    double (*expects)(const struct situation *situation);
    struct plan (*choose)(const struct situation *situation);
    // The variants to choose from: "shapes/dispatch", or "shapes" for all variants of that step
    // that have a kernel. The list ends with NULL.
    const char *const *among;
    // Returns true if `variant`, with `parts` blocks per tile, may be among the fastest
    // (--candidates). If is_candidate is NULL, every variant may. Only `shapes` sets it.
    bool (*is_candidate)(const struct situation *situation, const char *variant, int parts);
    // Returns the name of the device whose measured times are used for `device`.
    const char *(*costs_from)(const char *device);
};

struct extras {
    struct build build;
    struct grid grid;
    struct padding padded;
    // True if the kernel has two more parameters, cudaTextureObject_t A_texture and B_texture: all
    // of A and of B as float4. Texel i has elements 4 i to 4 i + 3, counted from element (0, 0);
    // texels after the last element are zero. Both handles are 0 if the device or the problem
    // does not allow textures (problem.h). Otherwise cols and ld are multiples of 4, and the texel
    // number (row * ld + col) / 4 fits an int even 256 rows after the last row. Lesson 12.
    bool textures;
    struct passes passes;
    struct composition composed;
    struct accuracy accuracy;
    struct chooser choice;
    // True if the timing model cannot predict the variant's time: the launches depend on computed
    // values, and the model runs only some of the blocks. Lessons 13, 15.
    bool not_predicted;
};

// Returns the variant's extras; an empty struct if the variant has none, or is NULL (the baseline).
static inline const struct extras *extras_of(const struct variant *variant) {
    static const struct extras none;
    return variant && variant->extras ? variant->extras : &none;
}

// --- Concerns of a step --------------------------------------------------------------------------

// Cubins for sm_90 that an awk script makes from the cubin of the step's first variant: the script
// edits the listing of `kernel`, and `sass asm` assembles the result. The script's variable
// `pattern` is the name of the cubin to make, without `prefix`. Lesson 00.
struct edits {
    const char *kernel, *script, *prefix;
    const char *const *names; // ends with NULL
};

struct step_extras {
    const char *folder;   // "library/shapes"; NULL if the folder is steps/ plus the step's name
    enum element element; // if FP64, the kernel is dgemm_NAME and computes in double (lesson 11)
    // Steps whose kernels this step also runs, or whose headers its kernels include, for example
    // "09_reuse_sass shapes". Lessons 13, 14, 15, shapes.
    const char *needs;
    // Why build/ladder does not run the step, for example "multiplies no matrices"; NULL if it
    // does. A step with a reason has its own main.c, and its program build/NAME is linked from all
    // .c files in its folder. Lessons 00, 14.
    const char *not_in_ladder;
    bool not_benched; // true if `make bench-sim` leaves the step out (lesson 13)
    struct edits edits;
};

static inline const struct step_extras *step_extras_of(const struct step *step) {
    static const struct step_extras none;
    return step && step->extras ? step->extras : &none;
}
