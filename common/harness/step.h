// The step contract: what a lesson says about itself, and all that the harness knows of it.
//
// A step is a folder under steps/ with kernel.cu (device code), step.c (its table of variants) and README.md (the lesson). Each
// variant is the same kernel.cu compiled with other flags. Every kernel computes
//
//     C = alpha * A * B + beta * C        A (M, K) lda, B (K, N) ldb, C (M, N) ldc, all row-major FP32
//
// for every M, N, K >= 0, lda >= K, ldb >= N, ldc >= N and pointers aligned to one element, with the C signature
//
//     extern "C" __global__ void sgemm_NAME(int M, int N, int K, float alpha, const float *A, int lda, const float *B,
//                                           int ldb, float beta, float *C, int ldc);
//
// If beta is 0, C is not read. If alpha is 0, A and B are read all the same.
//
// The launch: blocks of `threads` threads along x; blockIdx.x counts tiles along N, blockIdx.y tiles along M. CUDA allows 65,535
// blocks along y, so the harness launches a taller problem in bands of rows; a kernel does not notice.
#pragma once

#include <stddef.h>

// One compiled form of the kernel. The last one of a step is what the next step starts from.
struct variant {
    const char *name;        // as in --variant and in the CSV, "coalesced"
    const char *flags;       // what nvcc is given, "-DTILE=%m": %m and %n stand for block_m and block_n
    const char *idea;        // one line for --list
    int block_m, block_n;    // rows and columns of C that one block computes
    int threads;             // per block, a multiple of 32
    int registers;           // per thread when compiled for sm_90: claimed here, tested by `make test`
    int shared_bytes;        // dynamic shared memory per block; static shared memory is the kernel's own business
    const struct more *more; // what lessons 09 to 15 need besides (more.h); NULL: nothing
};

struct step {
    const char *name;               // the folder's name, "01_naive"
    const char *kernel;             // the kernel's symbol, "sgemm_naive"
    const char *title;              // a few words for tables and legends, "Naive"
    const char *idea;               // one line for --list
    const struct variant *variants; // ends at the first without a name
    const struct step_more *more;   // what few lessons need besides (more.h); NULL: nothing
    const char *figure;             // what the lesson is about, as table.c heads it; NULL: no count alone
};

// Enters a step in the table of the program that it is linked into. The linker gathers the pointers in link order:
// build/ladder is linked from all steps, build/01_naive from one.
#define REGISTER_STEP(lesson)                                                                                          \
    const struct step *const lesson##_entry __attribute__((used, section("steps"))) = &(lesson)
