// The step contract: all that a lesson needs to know of the harness, and all that the harness knows of a lesson.
//
// A step is a folder under steps/ with kernel.cu (device code), step.c (one constant `struct step`) and README.md (the
// lesson). Each of its variants is the same kernel.cu compiled with other -D flags. Every kernel computes
//
//     C = alpha * A * B + beta * C        A (M, K) lda, B (K, N) ldb, C (M, N) ldc, all row-major FP32
//
// for every M, N, K >= 0, lda >= K, ldb >= N, ldc >= N and pointers aligned to an element, with the C signature
//
//     extern "C" __global__ void sgemm_NAME(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
//                                           int ldb, float beta, float *C, int ldc);
//
// A step of element type FP64 is named dgemm_NAME and has double for float. When beta is 0, C is not read. alpha is only a
// factor: with alpha 0, A and B are read all the same.
//
// The launch: blocks of `threads` threads along x; blockIdx.x counts tiles along N, blockIdx.y tiles along M. CUDA
// allows 65,535 blocks along y, so the harness launches a taller problem in bands of rows; a kernel need not know. A
// `persistent` kernel gets one row of blocks instead, and so does one with `row`.
//
// A lesson with a main.c is a program of its own, build/NAME, made of all .c files of its folder. Such a lesson says `apart` why the
// ladder does not run it.
#pragma once

#include "../element.h"

#include <stdbool.h>
#include <stdint.h>

enum { STEP_MAX_VARIANTS = 48 };

// What a variant that chooses knows of the problem and the device.
struct situation {
    int m, n, k;
    int multiprocessors;
    bool machine_code;  // the device runs the step's machine code
    bool reads_c;       // beta is not 0
    const char *device; // its name, "NVIDIA H200"
};

// How it is run: by which variant of the same step, with how many blocks for a tile of C (see `slots`; 0 leaves it to the
// harness), and how many of C's rows, from the first on. The rest is asked for again, as a problem of its own.
struct plan {
    const char *variant;
    int parts;
    int rows; // 0: all
};

// What a row of A or a column of B holds: exponents (floor of log2 of the magnitude) of its largest and its smallest number that
// is neither zero nor infinite nor NaN; largest < smallest where there is none.
struct extent {
    int largest, smallest;
    bool not_finite; // there is an infinity or a NaN
};

// What a variant's own limit is made from.
struct operands {
    struct situation situation;
    const struct extent *rows, *cols; // (m) of A's rows, (n) of B's columns
    const void *scratch;              // its first 256 bytes after the launches; NULL for a variant without phases
};

// One of several launches that make up a variant. Its kernel has the step's parameters and one more, `char *scratch`: device memory
// whose first 256 bytes are zero when it is first given; what a launch leaves there the next one finds.
struct phase {
    const char *kernel; // "one_level/strassen_add" where it is in the cubin of that variant of the step
    int threads;
    int shared_bytes;                                     // dynamic shared memory of a block
    int64_t (*blocks)(const struct situation *situation); // of the launch, along x
};

struct composer;
struct gemm;

// Parts of a variant that few lessons need; empty where they do not.

// A form that knows whole tiles only names a kernel of its cubin here (launch_gemm.h): before each launch it copies A, B and what is
// needed of C to matrices padded with zeros to multiples of block_m, block_n and block_k, after it C back. The copies belong to the
// form's time.
struct padding {
    const char *kernel;
    int block_k;
};

// A form of several launches, in this order, ended by one without a kernel; the step's kernel is one of them. All of them belong to the
// form's time.
struct phases {
    const struct phase *phases;
    int64_t (*scratch_bytes)(const struct situation *situation);
};

// A form that multiplies by products of smaller matrices (compose.h): `compose` launches its phases, whose parameters are their own, in
// whatever order, and asks for products, which the variant `leaf` computes.
struct composition {
    bool (*compose)(const struct composer *composer, const struct gemm *gemm);
    const char *leaf; // "10_block_order/dispatch"
    int levels;       // of recursion, at most
};

struct accuracy {
    // What it loses on purpose, in units of 2^-24 |A||B|: the check allows so much beyond its limits, and asks for no exact results.
    double loses;
    // Its limit on inputs that are hard (matrix.h), in the same units, when it is not that of K products each rounded once, plus
    // `loses`: what it states of these operands, INFINITY where it states nothing. *wrong becomes what the scratch memory says that
    // does not fit the operands, if it does. NULL: no limit of its own.
    double (*limit)(const struct operands *operands, const char **wrong);
    // The same for one whose errors are bounded by the largest elements of A and B and not by |A||B|: how far an element of A B may be
    // off, INFINITY where it states nothing. The root mean square of its
    // errors on inputs that are not hard may be 2^levels (1 + 8 / K) times the usual.
    // NULL: it is judged by the limits above.
    double (*norm_limit)(const struct operands *operands, int levels);
};

// Which variant runs a problem. One without a kernel of its own says by `choose` which other variant of its step runs it, or names in
// `among` what may run it, and of these the one runs that expects to take the least time. block_m is then the height of tiles of theirs,
// at whose edges C is checked.
struct chooser {
    double (*expects)(const struct situation *situation); // microseconds that it expects to take itself
    struct plan (*choose)(const struct situation *situation);
    const char *const *among;                      // "10_block_order/dispatch" and the like, NULL at the end
    const char *(*costs_from)(const char *device); // the device whose measured times it chooses by on this one
};

struct variant {
    const char *name;  // as in --variant and in the CSV, "coalesced"
    const char *idea;  // one line for --list
    const char *flags; // what the source is compiled or assembled with, "-DTILE=%m": %m and %n are block_m and block_n
    // What it is made from: a file of the step's folder, "hand.sass", or one with its own, "library/shapes/kernel.cu"; NULL:
    // kernel.cu. Text of machine code, *.sass, is assembled by `sass asm`; the compiled kernel is rewritten by `sass reuse
    // --passes ...`. Either is for sm_90 alone, or with `capability` for the chips from that one up to sm_90.
    const char *source;
    const char *passes;   // "banks,order"; NULL: none
    bool passes_optional; // other chips run the kernel as compiled, without the passes
    int block_m;          // rows of C that one block computes
    int block_n;          // columns of C that one block computes
    int threads;          // threads of a block, a multiple of 32
    int shared_bytes; // dynamic shared memory of a block, in bytes (static shared memory is the kernel's own business)
    bool persistent;  // launched with as many blocks as the device runs at once, which share the tiles out
    bool row;         // launched as one row of blocks, as many as there are tiles of C; the kernel knows which is whose
    // Blocks may share a tile along K. A row of blocks is then some number of times as long as there are tiles, but at most
    // `slots` blocks if that is more than one a tile; a persistent kernel gets all its blocks even where tiles are fewer.
    // 0: they may not.
    int slots;
    // The kernel has two more parameters, cudaTextureObject_t A_texture, B_texture: the whole of A and of B as float4. Texel i
    // is the elements 4 i to 4 i + 3 from the first on; past the last it is zero. Both are 0 where the device or the
    // problem does not allow it (problem.h); where they are not, cols and ld are multiples of 4, and texel
    // (row * ld + col) / 4 fits an int for rows up to 256 past the last.
    bool textures;
    int registers; // registers a thread takes when compiled for sm_90: claimed here, tested by `make test`

    struct padding padded;
    struct phases phased;
    struct composition composed;
    struct accuracy accuracy;
    struct chooser choice;

    int capability;     // the least compute capability that has its instructions, 80; 0: any
    bool sm_90a;        // compiled for sm_90a: it runs on 9.0 and on nothing else
    bool not_predicted; // it decides by what it computes, and the model runs only some of the blocks
};

struct step {
    const char *name;   // the folder's name, "01_naive"
    const char *kernel; // the kernel's symbol, "sgemm_naive"
    const char *title;  // a few words for tables and legends, "Naive"
    const char *idea;   // one line for --list
    enum element element;
    // Lessons whose kernels its program runs, too: "09_reuse_sass 10_block_order"; NULL: none.
    const char *needs;
    const char *apart; // why only its own program runs it, "multiplies no matrices"; NULL: the ladder runs it
    // Whether a variant with so many parts may come near the best (--candidates); NULL: any may.
    bool (*is_candidate)(const struct situation *situation, const char *variant, int parts);
    struct variant
        variants[STEP_MAX_VARIANTS]; // ends at the first without a name; the last is what the next step builds on
};

// Enters a step in the table of the program that it is linked into. The linker gathers the pointers in link order:
// build/ladder is linked from all steps, build/01_naive from one.
#define REGISTER_STEP(lesson)                                                                                          \
    const struct step *const lesson##_entry __attribute__((used, section("steps"))) = &(lesson)
