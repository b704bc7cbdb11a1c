// What few lessons need beyond step.h: one struct per concern, each with the lessons that use it. `shapes` is library/shapes.
#pragma once

#include "../element.h"
#include "step.h"

#include <stdbool.h>
#include <stdint.h>

// --- What a rule of a lesson is told -------------------------------------------------------------------------------------

// The problem and the device.
struct situation {
    int m, n, k;
    int ldb, ldc; // leading dimensions of B and C; 0: n
    int multiprocessors;
    int capability;     // compute capability of the device; 0: not known
    bool machine_code;  // the device runs the step's machine code
    bool reads_c;       // beta is not 0
    const char *device; // its name, "NVIDIA H200"
};

// What a row of A or a column of B holds: exponents (floor of log2 of the magnitude) of its largest and its smallest number that
// is neither zero nor infinite nor NaN; largest < smallest where there is none.
struct extent {
    int largest, smallest;
    bool not_finite; // it contains an infinity or a NaN
};

// What a variant's own limit is computed from.
struct operands {
    struct situation situation;
    const struct extent *rows, *cols; // (m) of A's rows, (n) of B's columns
    const void *scratch;              // its first 256 bytes after the launches; NULL for a variant without phases
};

// --- Concerns of a variant -----------------------------------------------------------------------------------------------

// How the code is made, where it is not kernel.cu compiled for any chip. Lessons 09 to 13, 15, shapes.
struct build {
    // The source: a file of the step's folder, "hand.sass", or one with its own folder, "library/shapes/kernel.cu"; NULL:
    // kernel.cu. Machine code as text, *.sass, is assembled by `sass asm`.
    const char *source;
    // Passes of `sass reuse` that rewrite the compiled kernel, "banks,order"; NULL: none. Machine code, assembled or rewritten, is
    // for sm_90 alone, or with `capability` for all chips from that one on.
    const char *passes;
    bool passes_optional; // other chips run the kernel as compiled, without the passes
    int capability;       // the least compute capability that has its instructions, 80; 0: any
    bool sm_90a;          // compiled for sm_90a: it runs on 9.0 and on nothing else
};

// A launch that is not one block per tile of C in two dimensions. Lessons 09, 10, 11, shapes.
struct grid {
    bool persistent; // as many blocks as the device runs at once, in one row, share the tiles
    bool row;        // one row of blocks, one per tile of C; the kernel knows which block computes which tile
    // Blocks may share a tile along K. A row of blocks is then some number of times as long as there are tiles, but at most
    // `slots` blocks if that is more than one per tile; a persistent kernel gets all its blocks even if tiles are fewer.
    // 0: they may not.
    int slots;
};

// A variant that requires whole tiles names a second kernel of its cubin (launch_gemm.h): before each launch it copies A, B and, if
// needed, C to matrices padded with zeros to multiples of block_m, block_n and block_k; after the launch it copies C back. The
// copies belong to the variant's time. Lesson 11.
struct padding {
    const char *kernel;
    int block_k;
};

// One of several launches. Its kernel has the step's parameters and one more, `char *scratch`: device memory whose first 256 bytes
// are zero when it is first given; what one launch leaves there the next one finds.
struct phase {
    const char *kernel; // "one_level/strassen_add" if it is in the cubin of that variant of the step
    int threads;
    int shared_bytes;                                     // dynamic shared memory per block
    int64_t (*blocks)(const struct situation *situation); // of the launch, along x
};

// A variant of several launches, in this order, ended by one without a kernel; the step's kernel is one of them. All of them belong
// to the variant's time. Lessons 13, 15.
struct phases {
    const struct phase *phases;
    int64_t (*scratch_bytes)(const struct situation *situation);
};

// A variant that multiplies by products of smaller matrices (compose.h): `compose` launches its phases, whose parameters are their
// own, in any order, and asks for products, which the variant `leaf` computes. Lesson 15.
struct composer;
struct gemm;
struct composition {
    bool (*compose)(const struct composer *composer, const struct gemm *gemm);
    const char *leaf; // "shapes/dispatch"
    int levels;       // of recursion, at most
};

// Limits of the error other than those of K products each rounded once. Lessons 13, 15.
struct accuracy {
    // What it loses on purpose, in units of 2^-24 |A||B|: the check allows this beyond its limits, and requires no exact results.
    double loses;
    // Its limit on hard inputs (matrix.h), in the same units, if it is not that of K products each rounded once plus `loses`: what
    // it states for these operands, INFINITY if it states nothing. Sets *wrong to a message if the scratch memory contradicts
    // the operands. NULL: it has no limit of its own.
    double (*limit)(const struct operands *operands, const char **wrong);
    // For a variant whose errors are bounded by the largest elements of A and B and not by |A||B|: how far an element of A B may be
    // off, INFINITY if it states nothing. The root mean square of its errors on inputs that are not hard may be
    // 2^levels (1 + 8 / K) times the usual. NULL: the limits above apply.
    double (*norm_limit)(const struct operands *operands, int levels);
};

// One launch of a plan: a variant of the same step computes rows [row, row + rows) and columns [col, col + cols) of C, with `parts`
// blocks per tile (see `slots`; 0 leaves it to the harness).
struct planned {
    const char *variant;
    int parts;
    int row, col, rows, cols;
};

// What a variant that chooses has chosen: launches whose parts of C do not overlap and make up all of it.
enum { MOST_PLANNED = 3 };
struct plan {
    int count;
    struct planned launches[MOST_PLANNED];
};

// Which variant runs a problem. A variant without a kernel of its own says by `choose` which other variant of its step runs, or
// names in `among` those of which the one runs that expects to take the least time. Its block_m is then the height of their tiles,
// at whose edges C is checked. Lessons 13, 15, shapes.
struct chooser {
    double (*expects)(const struct situation *situation); // microseconds that it expects to take itself
    struct plan (*choose)(const struct situation *situation);
    const char *const *among;                      // "shapes/dispatch" and the like, NULL at the end
    const char *(*costs_from)(const char *device); // the device whose measured times it uses on this one
};

struct more {
    struct build build;
    struct grid grid;
    struct padding padded;
    // The kernel has two more parameters, cudaTextureObject_t A_texture, B_texture: the whole of A and of B as float4. Texel i
    // is the elements 4 i to 4 i + 3 from the first on; past the last it is zero. Both are 0 where the device or the
    // problem does not allow it (problem.h); where they are not, cols and ld are multiples of 4, and texel
    // (row * ld + col) / 4 fits an int for rows up to 256 past the last. Lesson 12.
    bool textures;
    struct phases phased;
    struct composition composed;
    struct accuracy accuracy;
    struct chooser choice;
    bool not_predicted; // it decides by what it computes, and the model runs only some of the blocks. Lessons 13, 15.
};

// The concerns of any variant: empty if it has none, or is NULL (the baseline).
static inline const struct more *more_of(const struct variant *variant) {
    static const struct more none;
    return variant && variant->more ? variant->more : &none;
}

// --- Concerns of a step --------------------------------------------------------------------------------------------------

// Cubins for sm_90 that are made from that of the step's first variant: a kernel's listing goes through an awk script, whose
// variable `pattern` is the name without its prefix, and is assembled again. Lesson 00.
struct edits {
    const char *kernel, *script, *prefix;
    const char *const *names; // NULL at the end
};

struct step_more {
    enum element element; // FP64: the kernel is called dgemm_NAME and has double for float. Lesson 11.
    const char *needs;    // other lessons whose kernels its program runs, "09_reuse_sass shapes". Lessons 13, 14, 15.
    // Why the ladder does not run it, "multiplies no matrices". A lesson with a main.c is a program of its own, build/NAME, made of
    // all .c files of its folder. Lessons 00, 14.
    const char *apart;
    // Whether a variant with this number of parts may come near the best (--candidates); NULL: any may. Shapes.
    bool (*is_candidate)(const struct situation *situation, const char *variant, int parts);
    bool not_benched; // `make bench-sim` leaves it out. Lesson 13.
    struct edits edits;
};

static inline const struct step_more *step_more_of(const struct step *step) {
    static const struct step_more none;
    return step && step->more ? step->more : &none;
}
