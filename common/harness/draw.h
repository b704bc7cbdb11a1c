// Draws random problems, for --random: shapes, layouts, factors and inputs.
#pragma once

#include "matrix.h"
#include "parse.h"

struct drawn {
    struct shape shape;   // M, N and K from 1 to DRAWN_MOST, roughly uniform in the logarithm
    struct layout layout; // the leading dimensions are of kind STRIDE_EXACT
    double alpha, beta;
    enum inputs inputs;
    uint64_t seed; // seed of the inputs
};
enum { DRAWN_MOST = 600 };

// Returns problem `number` of the sequence that `seed` determines. The sequence is the same on
// every machine. Uniform inputs are three times as frequent as any other kind.
struct drawn draw_problem(uint64_t seed, int64_t number);

// Writes the options that repeat the problem, "--shape 3x5x7 --ld ...".
void describe_drawn(const struct drawn *drawn, char *text, size_t size);
