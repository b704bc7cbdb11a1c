// Problems drawn at random, for --random: shapes, layouts, factors and inputs.
#pragma once

#include "matrix.h"
#include "parse.h"

struct drawn {
    struct shape shape;   // each side from 1 to DRAWN_MOST, as often below its root as above
    struct layout layout; // of exact leading dimensions
    double alpha, beta;
    enum inputs inputs;
    uint64_t seed; // of the inputs
};
enum { DRAWN_MOST = 600 };

// Problem `number` of those that a seed gives: the same on every machine. Uniform inputs three times as often as any others.
struct drawn draw_problem(uint64_t seed, int64_t number);

// The options that ask for the same problem again, "--shape 3x5x7 --ld ...".
void describe_drawn(const struct drawn *drawn, char *text, size_t size);
