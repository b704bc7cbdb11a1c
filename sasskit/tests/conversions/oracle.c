// Computes the expected results of the conversions in list.def by exact arithmetic on the host.
//
//     oracle inputs DIR              writes the values of each source type to DIR/TYPE.bin
//     oracle check TYPE ARCH FILE    compares FILE, the output of kernel from_TYPE on sm_ARCH
//     oracle count TYPE              prints how many values and conversions TYPE has
//
// A value is rounded by a search among all values of the target format, so the rounding shares
// nothing with the simulator's. Any NaN equals any other, except in FP8, where the PTX manual
// defines the bits.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64 || sizeof(long double) == 8,
               "long double holds 64-bit integers");

enum type {
    F16,
    BF16,
    TF32,
    F32,
    F64,
    E4M3,
    E5M2,
    S8,
    U8,
    S16,
    U16,
    S32,
    U32,
    S64,
    U64,
    WHOLE_F16,
    WHOLE_F32,
    WHOLE_F64
};
enum rounding { NEAREST, DOWN, UP, ZERO, AWAY };
enum { FTZ = 1, RELU = 2, SATFINITE = 4, SATURATE = 8 };
enum shape { SINGLE, PACKED, PAIRED };

struct conversion {
    enum type to, from;
    const char *text;
    enum rounding rounding;
    int flags, arch;
    enum shape shape;
};
struct source {
    const char *name;
    const struct conversion *conversions; // ends with an entry whose text is NULL
};

#define CVT(to, from, text, rounding, flags, arch)  {to, from, text, rounding, flags, arch, SINGLE},
#define PACK(to, from, text, rounding, flags, arch) {to, from, text, rounding, flags, arch, PACKED},
#define PAIR(to, from, text, rounding, flags, arch) {to, from, text, rounding, flags, arch, PAIRED},
#define SOURCE(type)                                static const struct conversion of_##type[] = {
#define END(type) \
    { .text = NULL } \
    } \
    ;
#include "sources.h"
#undef SOURCE
#undef END

static const struct source sources[] = {
#define LIST(type) {#type, of_##type},
    LIST(F32) LIST(F64) LIST(F16) LIST(BF16) LIST(S8) LIST(U8) LIST(S16) LIST(U16) LIST(S32)
        LIST(U32) LIST(S64) LIST(U64) LIST(F16X2) LIST(E4M3X2) LIST(E5M2X2)};

// --- formats -------------------------------------------------------------------------------------

static const struct format {
    int exponent, fraction; // in bits
    bool infinite;
} formats[] = {
    [F16] = {5, 10, true},       [BF16] = {8, 7, true},       [TF32] = {8, 10, true},
    [F32] = {8, 23, true},       [F64] = {11, 52, true},      [E4M3] = {4, 3, false},
    [E5M2] = {5, 2, true},       [WHOLE_F16] = {5, 10, true}, [WHOLE_F32] = {8, 23, true},
    [WHOLE_F64] = {11, 52, true}};

static bool is_float(enum type t) {
    return t <= E5M2 || t >= WHOLE_F16;
}
static bool is_whole(enum type t) {
    return t >= WHOLE_F16;
}
static int bits_of(enum type t) {
    static const int bits[] = {
        [S8] = 8, [U8] = 8, [S16] = 16, [U16] = 16, [S32] = 32, [U32] = 32, [S64] = 64, [U64] = 64};
    return is_float(t) ? 1 + formats[t].exponent + formats[t].fraction : bits[t];
}
static bool is_signed(enum type t) {
    return t == S8 || t == S16 || t == S32 || t == S64;
}

// Returns the value of an encoding. Floats are IEEE 754's interchange formats, except E4M3: its
// largest exponent has numbers and one NaN.
static long double decode(enum type t, uint64_t bits) {
    const struct format f = formats[t];
    if (!is_float(t)) {
        const int shift = 64 - bits_of(t);
        return is_signed(t) ? (long double)((int64_t)(bits << shift) >> shift)
                            : (long double)(bits << shift >> shift);
    }
    const uint64_t fraction = bits & ((1ull << f.fraction) - 1), top = (1ull << f.exponent) - 1;
    const uint64_t exponent = bits >> f.fraction & top;
    const int bias = (int)(top >> 1);
    const long double sign = bits >> (f.exponent + f.fraction) & 1 ? -1 : 1;
    if (f.infinite && exponent == top)
        return fraction ? (long double)NAN : sign * (long double)INFINITY;
    if (!f.infinite && exponent == top && fraction == (1ull << f.fraction) - 1) return NAN;
    if (!exponent) return sign * ldexpl((long double)fraction, 1 - bias - f.fraction);
    return sign *
           ldexpl((long double)(fraction | 1ull << f.fraction), (int)exponent - bias - f.fraction);
}

// Returns the last positive encoding whose value is not above `value`. Requires: value >= 0. The
// search is binary, as a format's positive encodings are ordered like their values.
static uint64_t below(enum type t, long double value, uint64_t largest) {
    uint64_t low = 0, high = largest;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (decode(t, middle) <= value)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// Returns the encoding of the largest finite number.
static uint64_t largest_of(enum type t) {
    const struct format f = formats[t];
    const uint64_t infinity = ((1ull << f.exponent) - 1) << f.fraction;
    return f.infinite ? infinity - 1 : infinity | ((1ull << f.fraction) - 2);
}

// Returns the encoding of a value, rounded to the format.
static uint64_t round_to_float(enum type t, long double value, enum rounding rounding, int flags) {
    const struct format f = formats[t];
    const int sign_at = f.exponent + f.fraction;
    const uint64_t largest = largest_of(t), sign = signbit(value) ? 1ull << sign_at : 0;
    if (isnan(value)) return f.infinite && t != E5M2 ? (1ull << sign_at) - 1 : 0x7f;
    const long double size = fabsl(value);
    uint64_t found = below(t, size, largest);
    if (isinf(size)) {
        found = flags & SATFINITE ? largest : largest + 1;
    } else if (decode(t, found) != size) {
        // Above the largest number, `high` is what would follow it at the same spacing.
        const long double low = decode(t, found), high = found < largest
                                                             ? decode(t, found + 1)
                                                             : low + (low - decode(t, found - 1));
        const long double to_low = size - low, to_high = high - size;
        const bool up = rounding == UP     ? !sign
                        : rounding == DOWN ? sign != 0
                        : rounding == ZERO ? false
                        : rounding == AWAY ? to_high <= to_low
                                           : to_high < to_low || (to_high == to_low && (found & 1));
        found += up;
        if (found > largest && flags & SATFINITE) found = largest;
    }
    return sign | found;
}

static long double to_whole(long double value, enum rounding rounding) {
    const long double low = floorl(value), rest = value - low;
    if (isnan(value) || isinf(value) || rest == 0) return value;
    const bool up = rounding == UP     ? true
                    : rounding == DOWN ? false
                    : rounding == ZERO ? value < 0
                                       : rest > 0.5L || (rest == 0.5L && fmodl(low, 2) != 0);
    return copysignl(up ? low + 1 : low, value);
}

static uint64_t to_integer(enum type t, const struct conversion *c, long double value) {
    const int bits = bits_of(t);
    const uint64_t all = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    // As PTX defines it, a NaN gives 0, or only the sign bit if one of the types has 64 bits.
    if (isnan(value)) return c->from == F64 || bits == 64 ? 1ull << (bits - 1) : 0;
    const long double whole = to_whole(value, c->rounding);
    const long double least = is_signed(t) ? -ldexpl(1, bits - 1) : 0,
                      most = ldexpl(1, is_signed(t) ? bits - 1 : bits);
    if (whole < least) return is_signed(t) ? 1ull << (bits - 1) : 0;
    if (whole >= most) return is_signed(t) ? all >> 1 : all;
    return (whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole) & all;
}

static uint64_t convert(const struct conversion *c, uint64_t bits) {
    long double value = decode(c->from, bits);
    // An FP64 number is flushed if its value, rounded to 24 binary digits, is below the smallest
    // normal number of FP32.
    const long double least = c->from == F64 ? 0x1p-126L - 0x1p-151L : 0x1p-126L;
    if (c->flags & FTZ && fabsl(value) < least) value = copysignl(0, value);
    if (c->flags & RELU && (value < 0 || (value == 0 && signbit(value)))) value = 0;
    if (c->flags & SATURATE)
        value = isnan(value) || value < 0 || (value == 0 && signbit(value)) ? 0
                : value > 1                                                 ? 1
                                                                            : value;
    if (!is_float(c->to)) return to_integer(c->to, c, value);
    if (is_whole(c->to)) return round_to_float(c->to, to_whole(value, c->rounding), c->rounding, 0);
    const uint64_t found = round_to_float(c->to, value, c->rounding, c->flags);
    return c->to == TF32 ? found << 13 : found;
}

// --- values --------------------------------------------------------------------------------------

enum { N = 4096 };
static uint64_t value[N];

static uint64_t next_random(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// Appends edge values for each target format to value[] and returns the new count: zero, the
// smallest and largest subnormal and normal numbers, ties, and the neighbours of all these in the
// source format.
static int edges(enum type from, int count) {
    static const enum type targets[] = {E4M3, E5M2, F16, BF16, TF32, F32};
    const uint64_t sign = 1ull << (bits_of(from) - 1);
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        const enum type t = targets[k];
        const struct format f = formats[t];
        const uint64_t normal = 1ull << f.fraction, largest = largest_of(t);
        const uint64_t marks[] = {
            0,           1,      2, 3, normal - 2, normal - 1, normal, normal + 1, 2 * normal - 1,
            largest - 1, largest};
        for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
            for (int half = 0; half < 2; half++) {
                const long double low = decode(t, marks[m]),
                                  high = marks[m] < largest ? decode(t, marks[m] + 1)
                                                            : low + (low - decode(t, marks[m] - 1));
                const uint64_t at = below(from, half ? (low + high) / 2 : low, largest_of(from));
                for (int near = -1; near <= 1 && count + 2 <= N; near++) {
                    value[count++] = at + (uint64_t)(int64_t)(near + (near < 0 && at == 0));
                    value[count] = value[count - 1] | sign, count++;
                }
            }
        }
    }
    return count;
}

static void make_values(const struct source *s) {
    const enum type from = s->conversions[0].from;
    const int bits = bits_of(from);
    uint64_t state = 1;
    int count = 0;
    if (is_float(from)) {
        const struct format f = formats[from];
        const uint64_t infinity = ((1ull << f.exponent) - 1) << f.fraction,
                       sign = 1ull << (bits - 1);
        const uint64_t special[] = {0,
                                    sign,
                                    infinity,
                                    infinity | sign,
                                    infinity | 1,
                                    infinity | sign | 1,
                                    sign - 1,
                                    sign | (sign - 1)};
        for (size_t i = 0; i < sizeof special / sizeof *special; i++) value[count++] = special[i];
        // Zero and powers of two, at which integer types end; numbers up to 1.5 away from each.
        for (int i = 0; i <= 65 && bits > 8; i++) {
            for (int near = -3; near <= 3; near++) {
                const long double one = i < 65 ? ldexpl(1, i) + near * 0.5L : near * 0.5L;
                const uint64_t at = below(from, fabsl(one), largest_of(from));
                value[count++] = at, value[count++] = at | sign;
            }
        }
        if (bits > 8) count = edges(from, count);
    } else {
        for (int i = 0; i < bits; i++) {
            for (int near = -2; near <= 2; near++)
                value[count++] = (1ull << i) + (uint64_t)(int64_t)near;
            for (int near = -1; near <= 1; near++)
                value[count++] = -(1ull << i) + (uint64_t)(int64_t)near;
            // Ties: whole numbers with one binary digit more than a format holds.
            for (int digits = 7; digits <= 53; digits++)
                if (i + digits + 1 < bits && count + 2 < N)
                    value[count++] = (1ull << (i + digits)) + (1ull << i),
                    value[count++] = (1ull << (i + digits)) + (3ull << i);
        }
    }
    for (int i = 0; count < N && bits <= 16 && i < 1 << bits && bits == 8; i++)
        value[count++] = (uint64_t)i;
    for (; count < N; count++)
        value[count] =
            next_random(&state) >> (next_random(&state) % (uint64_t)(bits < 64 ? 1 : 40));
    const uint64_t all = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    const bool paired = s->conversions[0].shape == PAIRED;
    for (int i = 0; i < N; i++) value[i] &= all;
    for (int i = 0; i < N && paired; i++) value[i] |= (value[(i + 5) % N] & all) << bits;
}

// --- the check -----------------------------------------------------------------------------------

static uint64_t expected(const struct conversion *c, int i) {
    const int from = bits_of(c->from), to = bits_of(c->to);
    if (c->shape == SINGLE) return convert(c, value[i]);
    if (c->shape == PACKED) return convert(c, value[i]) << to | convert(c, value[(i + 7) % N]);
    const uint64_t all = (1ull << from) - 1;
    return convert(c, value[i] >> from & all) << to | convert(c, value[i] & all);
}

// Compares only the low bits: an integer narrower than its register may be sign-extended.
static bool is_right(const struct conversion *c, uint64_t got, uint64_t wanted) {
    const int bits = c->to == TF32 ? 32 : bits_of(c->to);
    const uint64_t all = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    for (int half = 0; half < (c->shape == SINGLE ? 1 : 2); half++) {
        const uint64_t a = got >> half * bits & all, b = wanted >> half * bits & all;
        const enum type t = c->to == TF32 ? F32 : c->to;
        const bool nans =
            is_float(t) && t != E4M3 && t != E5M2 && isnan(decode(t, a)) && isnan(decode(t, b));
        if (a != b && !nans) return false;
    }
    return true;
}

static int check(const struct source *s, int arch, const char *path) {
    FILE *file = fopen(path, "rb");
    int wrong = 0;
    if (!file) return fprintf(stderr, "%s: cannot be read\n", path), 2;
    for (const struct conversion *c = s->conversions; c->text; c++) {
        static uint64_t got[N];
        int bad = 0;
        if (fread(got, sizeof *got, N, file) != N)
            return fprintf(stderr, "%s: too short\n", path), 2;
        for (int i = 0; c->arch <= arch && i < N; i++) {
            const uint64_t wanted = expected(c, i);
            if (c->rounding == AWAY && isnan(decode(c->from, value[i])))
                continue; // ptxas makes AWAY of integer additions, which lose a NaN
            if (is_right(c, got[i], wanted)) continue;
            if (!bad++)
                printf("%s of 0x%" PRIx64 " (%Lg; the other 0x%" PRIx64 ") gives 0x%" PRIx64
                       ", expected 0x%" PRIx64 "\n",
                       c->text, value[i], decode(c->from, value[i]), value[(i + 7) % N], got[i],
                       wanted);
        }
        if (bad) printf("%s: %d of %d wrong\n", c->text, bad, N);
        wrong += bad != 0;
    }
    fclose(file);
    return wrong != 0;
}

static int write_inputs(const char *folder) {
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        char path[512];
        make_values(&sources[i]);
        snprintf(path, sizeof path, "%s/%s.bin", folder, sources[i].name);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(value, sizeof *value, N, file) != N || fclose(file))
            return fprintf(stderr, "%s: cannot be written\n", path), 2;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && !strcmp(argv[1], "inputs")) return write_inputs(argv[2]);
    for (size_t i = 0; argc > 2 && i < sizeof sources / sizeof *sources; i++) {
        if (strcmp(argv[2], sources[i].name)) continue;
        make_values(&sources[i]);
        int conversions = 0;
        while (sources[i].conversions[conversions].text) conversions++;
        if (!strcmp(argv[1], "count")) return printf("%d %d\n", N, conversions), 0;
        if (argc == 5 && !strcmp(argv[1], "check"))
            return check(&sources[i], atoi(argv[3]), argv[4]);
    }
    fprintf(stderr, "usage: oracle inputs DIR | count TYPE | check TYPE ARCH FILE\n");
    return 2;
}
