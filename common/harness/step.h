// The step contract: how a lesson describes itself to the harness.
//
// A step is a folder under steps/ with kernel.cu (device code), step.c (its table of variants) and
// README.md (the lesson). A variant is kernel.cu (or another source: extras.h), compiled with its
// own flags. Apart from exceptions in extras.h (FP64, other grids), every kernel computes
//
//     C = alpha * A * B + beta * C      A (M, K) lda, B (K, N) ldb, C (M, N) ldc: row-major FP32
//
// for every M, N, K >= 0, lda >= K, ldb >= N, ldc >= N and pointers aligned to one element. Its
// signature is
//
//     extern "C" __global__ void sgemm_NAME(int M, int N, int K,
//                                           float alpha, const float *A, int lda, const float *B,
//                                           int ldb, float beta, float *C, int ldc);
//
// If beta is 0, C is not read. If alpha is 0, A and B are read nevertheless.
//
// A launch has blocks of `threads` threads along x. blockIdx.x counts tiles along N, blockIdx.y
// tiles along M. CUDA allows 65,535 blocks along y, so the harness launches a taller problem in
// bands of rows, each with its own pointers and M.
#pragma once

#include <stddef.h>

// One kernel of a lesson. The next lesson builds on the last variant in the table of this one.
struct variant {
    const char *name;     // the variant's name in --variant and in the CSV, "coalesced"
    const char *flags;    // nvcc's options, "-DTILE=%m": %m and %n stand for block_m and block_n
    const char *idea;     // one line for --list
    int block_m, block_n; // rows and columns of one block's tile of C
    int threads;          // number of threads per block, a multiple of 32
    int registers;        // per thread on sm_90; `make test` compares the number with the cubin
    int shared_bytes;     // dynamic shared memory per block
    // further properties (extras.h); NULL if there are none
    const struct extras *extras;
};

struct step {
    const char *name;                 // the folder's name, "01_naive"
    const char *kernel;               // the kernel's symbol, "sgemm_naive"
    const char *title;                // a few words for tables and legends, "Naive"
    const char *idea;                 // one line for --list
    const struct variant *variants;   // the last row has no name
    const struct step_extras *extras; // further properties (extras.h); NULL if there are none
    // the figure that the lesson is about, "wavefronts_per_ffma" (figures.def); NULL if none
    const char *figure;
};

// Adds a step to the table of the program into which it is linked. The linker collects the
// pointers in link order: build/ladder is linked from all steps, build/01_naive from one.
#define REGISTER_STEP(lesson) \
    const struct step *const lesson##_entry __attribute__((used, section("steps"))) = &(lesson)
