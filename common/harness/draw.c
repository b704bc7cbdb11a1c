// Draws random problems.
#include "draw.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int below(uint64_t *state, int count) {
    return (int)(random_next(state) % (uint64_t)count);
}

// Draws the side of a matrix, uniform in its logarithm. One time in four the side is a multiple of
// 16, or one more or one less, because tiles end there.
static int draw_side(uint64_t *state) {
    const int side = (int)exp((double)(random_next(state) >> 11) * 0x1p-53 * log(DRAWN_MOST + 1));
    const int near = (side + 15) / 16 * 16 + below(state, 3) - 1;
    return below(state, 4) == 0 && near <= DRAWN_MOST ? near : side;
}

// Draws a leading dimension: `cols`, the next multiple of 4, or `cols` plus at most 39.
static struct stride draw_stride(uint64_t *state, int cols) {
    const int how = below(state, 3);
    return (struct stride){STRIDE_EXACT, how == 0   ? cols
                                         : how == 1 ? (cols + 3) / 4 * 4
                                                    : cols + below(state, 40)};
}

// Draws one of the `count` usual factors or, one time in four, a digit times a power of ten between
// 10^-6 and 10^6, of either sign. The factor is parsed from text in the way of --alpha, so that
// the option repeats exactly this value.
static double draw_factor(uint64_t *state, const double usual[], int count) {
    char text[32];
    if (below(state, 4) > 0) return usual[below(state, count)];
    const int exponent = below(state, 13) - 6, digit = exponent == 6 ? 1 : 1 + below(state, 9);
    snprintf(text, sizeof text, "%s%de%d", below(state, 2) ? "-" : "", digit, exponent);
    return strtod(text, NULL);
}

struct drawn draw_problem(uint64_t seed, int64_t number) {
    static const double alphas[] = {1, 1, 1, -1, 0.5, -1.5, 3.1, 0},
                        betas[] = {0, 0, 0, 1, -1, 0.75, -0.3, 7};
    static const enum inputs inputs[] = {
        INPUTS_UNIFORM,  INPUTS_UNIFORM,   INPUTS_UNIFORM,  INPUTS_SPECIAL,     INPUTS_EXACT,
        INPUTS_POSITIVE, INPUTS_NORMAL,    INPUTS_WIDE,     INPUTS_GRADED,      INPUTS_SCALED,
        INPUTS_SPARSE,   INPUTS_SPOTS,     INPUTS_CONSTANT, INPUTS_WORST_SPLIT, INPUTS_SUBNORMAL,
        INPUTS_HUGE,     INPUTS_CANCELLING};
    uint64_t state =
        seed * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)number * UINT64_C(0x9e6c63d0876a9a47);
    struct drawn d = {.seed = random_next(&state) >> 32};
    d.shape = (struct shape){draw_side(&state), draw_side(&state), draw_side(&state)};
    const int cols[] = {d.shape.k, d.shape.n, d.shape.n};
    for (int i = 0; i < 3; i++) {
        d.layout.ld[i] = draw_stride(&state, cols[i]);
        d.layout.shift[i] = below(&state, 2) ? below(&state, 64) : 0;
    }
    d.alpha = draw_factor(&state, alphas, sizeof alphas / sizeof *alphas);
    d.beta = draw_factor(&state, betas, sizeof betas / sizeof *betas);
    d.inputs = inputs[below(&state, sizeof inputs / sizeof *inputs)];
    return d;
}

void describe_drawn(const struct drawn *d, char *text, size_t size) {
    snprintf(text, size,
             "--shape %dx%dx%d --ld %d,%d,%d --shift %d,%d,%d --alpha %g --beta %g --inputs %s "
             "--seed %llu",
             d->shape.m, d->shape.n, d->shape.k, d->layout.ld[0].value, d->layout.ld[1].value,
             d->layout.ld[2].value, d->layout.shift[0], d->layout.shift[1], d->layout.shift[2],
             d->alpha, d->beta, inputs_names[d->inputs], (unsigned long long)d->seed);
}
