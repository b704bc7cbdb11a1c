// Computes in host C what the corpus kernels must compute, and compares simrun's output with it.
//
//     reference inputs DIR         writes to DIR the input files that the kernels' run lines name
//     reference check NAME FILE    compares FILE, an output of simrun, with kernel NAME's results
//     reference list               prints the kernels' names
//
// Inputs have 512 elements. The first 256 of fa and fb are all pairs of sixteen special values, and
// so are those of da and db, ua and ub, qa and qb. Those of fc, dc and uc are special values, too.
// All others are pseudo-random. FP32, FP64 and integer results must agree in every bit, results of
// approximations within an error (`kinds`, below).
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 512, BLOCK = 128, MAX_RESULTS = 16 };

static float fa[N], fb[N], fc[N]; // special values, random bits, and between -100 and 100
static float fp[N];               // positive, 2^-20 to 2^20
static float fu[N];               // uniform in [-1, 1)
static float fx[N];               // uniform in [-80, 80)
static float fw[N];               // angles between -2^99 and 2^99
static double da[N], db[N], dc[N], dx[N];
static uint32_t ua[N], ub[N], uc[N];
static uint64_t qa[N], qb[N];

// --- inputs --------------------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state) { // the generator splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static double uniform_random(uint64_t *state) { // uniform in [-1, 1)
    return (double)(int64_t)next_random(state) * 0x1p-63;
}

static const float float_specials[16] = {0.0f,    -0.0f,   INFINITY, -INFINITY, NAN,
                                         1.0f,    -1.0f,   1.5f,     0x1p-149f, -0x1.fffffcp-127f,
                                         FLT_MIN, FLT_MAX, -0x1p31f, 3.0e9f,    -16777215.0f,
                                         2.5f};
static const double double_specials[16] = {0.0,     -0.0,    INFINITY, -INFINITY, NAN,
                                           1.0,     -1.0,    1.5,      0x1p-1074, -0x1.ffffp-1023,
                                           DBL_MIN, DBL_MAX, -0x1p31,  1e19,      -4294967297.0,
                                           2.5};
static const uint32_t word_specials[16] = {
    0,  1, 2,  0x7fffffff, 0x80000000, 0xffffffff, 31, 32,
    33, 7, 10, 0xffff,     0xff00ff00, 0x12345678, 77, 0x55555555};
static const uint64_t long_specials[16] = {0,
                                           1,
                                           2,
                                           INT64_MAX,
                                           (uint64_t)INT64_MIN,
                                           UINT64_MAX,
                                           63,
                                           64,
                                           0xffffffff,
                                           0x100000000,
                                           10,
                                           0x7fffffff,
                                           0x80000000,
                                           0x0123456789abcdef,
                                           0x20000000000001,
                                           0x5555555555555555};

// Returns which of the sixteen special values is element i < 256 of array a, b or c (0, 1, 2).
static int special(int i, int which) {
    return which == 0 ? i / 16 % 16 : which == 1 ? i % 16 : (i * 7 + i / 16) % 16;
}

static float any_float(uint64_t *state) { // random bits, but no NaN or infinity
    uint32_t bits = (uint32_t)next_random(state);
    if ((bits >> 23 & 255) == 255) bits &= 0xbfffffff;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double any_double(uint64_t *state) {
    uint64_t bits = next_random(state);
    if ((bits >> 52 & 2047) == 2047) bits &= 0xbfffffffffffffff;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void make_inputs(void) {
    uint64_t state = 1;
    float *floats[] = {fa, fb, fc};
    double *doubles[] = {da, db, dc};
    uint32_t *words[] = {ua, ub, uc};
    uint64_t *longs[] = {qa, qb};
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < N; i++) {
            int s = special(i, a);
            bool first = i < 256, wide = i % 4 == 3;
            floats[a][i] = first  ? float_specials[s]
                           : wide ? any_float(&state)
                                  : (float)(100 * uniform_random(&state));
            doubles[a][i] = first  ? double_specials[s]
                            : wide ? any_double(&state)
                                   : 100 * uniform_random(&state);
            words[a][i] = first ? word_specials[s]
                                : (uint32_t)next_random(&state) >> (i % 3 == 0 ? i % 32 : 0);
            if (a < 2)
                longs[a][i] =
                    first ? long_specials[s] : next_random(&state) >> (i % 3 == 0 ? i % 64 : 0);
        }
    }
    for (int i = 0; i < N; i++) {
        fp[i] = (float)exp2(20 * uniform_random(&state));
        fu[i] = (float)uniform_random(&state);
        fx[i] = (float)(80 * uniform_random(&state));
        fw[i] = (float)(uniform_random(&state) * exp2(i < 256 ? 4 : i % 100));
        dx[i] = 700 * uniform_random(&state);
    }
}

// --- helpers -------------------------------------------------------------------------------------

union value {
    float f;
    uint32_t u;
    int32_t s;
    double d;
    uint64_t q;
    int64_t l;
};

static float flush(float x) { // denormals become zeros of equal sign
    return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x;
}

static float min_float(float a, float b) {
    if (isnan(a)) return b;
    if (isnan(b)) return a;
    if (a == b) return signbit(a) ? a : b;
    return a < b ? a : b;
}

static float max_float(float a, float b) {
    return -min_float(-a, -b);
}

static double min_double(double a, double b) {
    if (isnan(a)) return b;
    if (isnan(b)) return a;
    if (a == b) return signbit(a) ? a : b;
    return a < b ? a : b;
}

#define ROUNDED(mode, type, expression) \
    (fesetround(mode), result_##type = (expression), fesetround(FE_TONEAREST), result_##type)
static volatile float result_float;
static volatile double result_double;

// Converts a value that was rounded to an integer. Saturates at low and high; NaN becomes `nan`.
static int64_t saturate(double x, double low, double high, int64_t nan) {
    if (isnan(x)) return nan;
    return x <= low ? (int64_t)low : x >= high ? (int64_t)high : (int64_t)x;
}
static int32_t to_int(double x) {
    return (int32_t)saturate(x, INT32_MIN, INT32_MAX, 0);
}
static uint32_t to_unsigned(double x) {
    return (uint32_t)saturate(x, 0, UINT32_MAX, 0);
}
static int64_t to_long(double x) {
    if (isnan(x)) return INT64_MIN;
    return x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : (int64_t)x;
}
static uint64_t to_ulong(double x) {
    if (isnan(x)) return (uint64_t)1 << 63;
    return x >= 0x1p64 ? UINT64_MAX : x <= 0 ? 0 : (uint64_t)x;
}

static uint32_t to_half(float x) { // round to nearest even
    union value v = {.f = x};
    uint32_t sign = v.u >> 16 & 0x8000, exponent = v.u >> 23 & 255, fraction = v.u & 0x7fffff;
    if (isnan(x)) return 0x7fff;
    if (fabsf(x) >= 65520.0f) return sign | 0x7c00;
    if (exponent < 113) return sign | (uint32_t)rint(fabs((double)x) * 0x1p24);
    uint32_t kept = (exponent - 112) << 10 | fraction >> 13, rest = fraction & 0x1fff;
    return sign | (kept + (rest > 0x1000 || (rest == 0x1000 && (kept & 1))));
}

static float from_half(uint32_t h) {
    int exponent = h >> 10 & 31, fraction = h & 1023;
    double x = exponent == 31 ? (fraction ? NAN : INFINITY)
               : exponent     ? ldexp(1024 + fraction, exponent - 25)
                              : ldexp(fraction, -24);
    return (float)(h & 0x8000 ? -x : x);
}

static uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t s = selector >> 4 * k & 15, byte = both >> 8 * (s & 7) & 255;
        if (s & 8) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    return result;
}

static uint32_t extract(uint32_t a, uint32_t start, uint32_t count, bool is_signed) {
    uint32_t top = start + count - 1 < 31 ? start + count - 1 : 31, result = 0;
    uint32_t fill = is_signed && count ? a >> top & 1 : 0;
    for (uint32_t k = 0; k < 32; k++) {
        uint32_t bit = k < count && start + k < 32 ? a >> (start + k) & 1 : fill;
        result |= bit << k;
    }
    return result;
}

static uint32_t insert(uint32_t from, uint32_t into, uint32_t start, uint32_t count) {
    for (uint32_t k = 0; k < count && start + k < 32; k++) {
        into = (into & ~(1u << (start + k))) | (from >> k & 1) << (start + k);
    }
    return into;
}

static int count_bits(uint64_t x) {
    return __builtin_popcountll(x);
}
static uint32_t reverse_bits(uint32_t x) {
    uint32_t result = 0;
    for (int k = 0; k < 32; k++) result |= (x >> k & 1) << (31 - k);
    return result;
}

static uint32_t funnel(uint32_t low, uint32_t high, uint32_t count, bool right) {
    uint64_t both = (uint64_t)high << 32 | low;
    return right ? (uint32_t)(both >> count) : count == 32 ? low : (uint32_t)(both << count >> 32);
}

static int first_of_warp(int i) {
    return i & ~31;
}
static int first_of_block(int i) {
    return i & ~(BLOCK - 1);
}
static uint32_t low_byte(uint32_t x, int k) {
    return x >> 8 * k & 255;
}
static int32_t short_of(uint32_t x, int k) {
    return (int16_t)(x >> 16 * k);
}

// --- FP32 ----------------------------------------------------------------------------------------

static void fp32_add(int i, union value *o) {
    o[0].f = fa[i] + fb[i], o[1].f = fa[i] - fb[i], o[2].f = -fa[i] - fb[i], o[3].f = fa[i] + 1.5f;
}
static void fp32_mul(int i, union value *o) {
    o[0].f = fa[i] * fb[i], o[1].f = -fa[i] * fb[i], o[2].f = fabsf(fa[i]) * fb[i],
    o[3].f = fa[i] * 3.0f;
}
static void fp32_fma(int i, union value *o) {
    float a = fa[i], b = fb[i], c = fc[i];
    o[0].f = fmaf(a, b, c), o[1].f = fmaf(-a, b, c), o[2].f = fmaf(a, b, -c);
    o[3].f = fmaf(a, 2.5f, c), o[4].f = fmaf(a, b, 1.0f);
}
static void fp32_min_max(int i, union value *o) {
    o[0].f = min_float(fa[i], fb[i]), o[1].f = max_float(fa[i], fb[i]);
    o[2].f = min_float(fabsf(fa[i]), -fb[i]), o[3].f = max_float(fa[i], 0.0f);
}
static void fp32_abs_neg(int i, union value *o) {
    o[0].f = fabsf(fa[i]) - fabsf(fb[i]), o[1].f = -fabsf(fa[i]);
    o[2].f = copysignf(fa[i], fb[i]), o[3].f = -(fa[i] * fb[i]);
}
static void fp32_ftz(int i, union value *o) {
    float a = flush(fa[i]), b = flush(fb[i]), c = flush(fc[i]);
    o[0].f = flush(a + b), o[1].f = flush(a * b), o[2].f = flush(fmaf(a, b, c)),
    o[3].f = min_float(a, b);
}
static void fp32_rounding(int i, union value *o) {
    volatile float a = fa[i], b = fb[i], c = fc[i];
    static const int modes[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    for (int k = 0; k < 3; k++) {
        o[k].f = ROUNDED(modes[k], float, a + b);
        o[3 + k].f = ROUNDED(modes[k], float, a *b);
        o[6 + k].f = ROUNDED(modes[k], float, fmaf(a, b, c));
    }
    float sum = a + b;
    o[9].f = sum > 0 ? (sum < 1 ? sum : 1.0f) : 0.0f; // NaN becomes 0
}
static void fp32_divide(int i, union value *o) {
    o[0].f = fa[i] / fb[i], o[1].f = fb[i] / fa[i];
}
static void fp32_reciprocal(int i, union value *o) {
    o[0].f = 1.0f / fa[i], o[1].f = 1.0f / fb[i];
}
static void fp32_sqrt(int i, union value *o) {
    o[0].f = sqrtf(fa[i]), o[1].f = sqrtf(fb[i]);
}
static void fp32_compare(int i, union value *o) {
    float a = fa[i], b = fb[i];
    o[0].u = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
    o[1].u = (a < b ? 0 : 1) | (a >= b ? 0 : 1) << 1 | !!isnan(a) << 2 | !!isinf(b) << 3;
    o[2].u = (a < b && b > 1.0f) || a != a ? 7 : 9;
}
static void fp32_select(int i, union value *o) {
    float a = fa[i], b = fb[i], c = fc[i];
    o[0].f = a < b ? c : a, o[1].f = b >= c ? -a : b, o[2].f = a > 0.0f ? b : 2.0f;
}
static void fp32_exp_log(int i, union value *o) {
    double x = fx[i], p = fp[i];
    o[0].f = (float)exp(x), o[1].f = (float)exp2(x), o[2].f = (float)log(p),
    o[3].f = (float)log2(p);
    o[4].f = (float)pow(p, 0.5 * x);
}
static void fp32_sin_cos(int i, union value *o) {
    o[0].f = (float)sin(fw[i]), o[1].f = (float)cos(fw[i]);
}
static void mufu_rcp_rsq(int i, union value *o) {
    double p = fp[i];
    o[0].f = (float)(1 / p), o[1].f = (float)(1 / sqrt(p)), o[2].f = (float)sqrt(p),
    o[3].f = (float)(fx[i] / p);
}
static void mufu_exp_log(int i, union value *o) {
    o[0].f = (float)exp2(fu[i]), o[1].f = (float)exp(fu[i]), o[2].f = (float)log(fp[i]),
    o[3].f = (float)log2(fp[i]);
}
static void mufu_sin_cos(int i, union value *o) {
    float x = 3.0f * fu[i];
    o[0].f = (float)sin(x), o[1].f = (float)cos(x), o[2].f = (float)tanh(fu[i]);
}

// --- FP64 ----------------------------------------------------------------------------------------

static void fp64_arithmetic(int i, union value *o) {
    double a = da[i], b = db[i], c = dc[i];
    o[0].d = a + b, o[1].d = a - b, o[2].d = a * b, o[3].d = fma(a, b, c), o[4].d = fma(-a, b, -c),
    o[5].d = a * 2.5;
}
static void fp64_rounding(int i, union value *o) {
    volatile double a = da[i], b = db[i], c = dc[i];
    o[0].d = ROUNDED(FE_DOWNWARD, double, a + b), o[1].d = ROUNDED(FE_UPWARD, double, a + b);
    o[2].d = ROUNDED(FE_TOWARDZERO, double, a *b), o[3].d = ROUNDED(FE_UPWARD, double, a *b);
    o[4].d = ROUNDED(FE_DOWNWARD, double, fma(a, b, c)),
    o[5].d = ROUNDED(FE_TOWARDZERO, double, fma(a, b, c));
}
static void fp64_divide(int i, union value *o) {
    o[0].d = da[i] / db[i];
}
static void fp64_sqrt(int i, union value *o) {
    o[0].d = sqrt(da[i]);
}
static void fp64_compare(int i, union value *o) {
    double a = da[i], b = db[i];
    o[0].d = min_double(a, b), o[1].d = -min_double(-a, -b), o[2].d = fabs(a) < b ? a : -b;
    o[3].d = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | !!isnan(a) << 4;
}
static void fp64_exp(int i, union value *o) {
    o[0].d = (double)expl(dx[i]);
}

// --- integers ------------------------------------------------------------------------------------

static void int_add(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i], c = uc[i];
    o[0].u = a + b, o[1].u = a - b, o[2].u = a + b + c, o[3].u = a - b - c, o[4].u = -a,
    o[5].u = ~a + c;
}
static void int_mul(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i];
    o[0].u = a * b, o[1].u = a * b + uc[i], o[2].u = (uint64_t)a * b >> 32;
    o[3].u = (uint32_t)((int64_t)(int32_t)a * (int32_t)b >> 32);
    o[4].u = a * 5, o[5].u = a * 100 + 7, o[6].u = (a & 0xffffff) * (b & 0xffffff);
}
static void int_logic(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i], c = uc[i];
    o[0].u = a & b, o[1].u = a | (b ^ c), o[2].u = (a & b) | (~a & c),
    o[3].u = (a & b) | (b & c) | (a & c);
    o[4].u = ~(a ^ b), o[5].u = a & 0xff00ff00;
}
static void int_shift(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i], n = b & 63;
    o[0].u = a << (b & 31), o[1].u = a >> (b & 31), o[2].s = (int32_t)a >> (b & 31),
    o[3].u = a << 7;
    o[4].s = (int32_t)a >> 3, o[5].u = n > 31 ? 0 : a << n,
    o[6].s = (int32_t)a >> (n > 31 ? 31 : n);
}
static void int_funnel_shift(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i], c = uc[i], clamped = c > 32 ? 32 : c;
    o[0].u = c & 31 ? funnel(a, b, c & 31, false) : b, o[1].u = funnel(a, b, c & 31, true);
    o[2].u = clamped ? funnel(a, b, clamped, false) : b, o[3].u = funnel(a, b, clamped, true);
    o[4].u = a << 11 | a >> 21;
}
static void int_bit_counts(int i, union value *o) {
    uint64_t q = (uint64_t)ua[i] << 32 | ub[i];
    o[0].s = count_bits(ua[i]), o[1].s = ua[i] ? __builtin_clz(ua[i]) : 32,
    o[2].u = reverse_bits(ua[i]);
    o[3].s = __builtin_ffs((int)ua[i]), o[4].s = count_bits(q),
    o[5].s = q ? __builtin_clzll(q) : 64;
    o[6].s = __builtin_ffsll((long long)q);
}
static void int_bit_fields(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i] & 31, c = uc[i] & 31;
    o[0].u = extract(a, b, c, false), o[1].u = extract(a, b, c, true),
    o[2].u = insert(a, ub[i], c, 9);
    o[3].u = extract(a, 5, 11, false), o[4].u = extract(a, 8, 8, true),
    o[5].u = insert(a, ub[i], 8, 8);
}
static void int_byte_perm(int i, union value *o) {
    o[0].u = permute(ua[i], ub[i], 0x2301), o[1].u = permute(ua[i], ub[i], 0x7531);
    o[2].u = permute(ua[i], ub[i], uc[i] & 0x7777), o[3].u = permute(ua[i], ub[i], uc[i]);
}
static void int_min_max(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i];
    int32_t s = (int32_t)a, t = (int32_t)b;
    o[0].u = a < b ? a : b, o[1].u = a > b ? a : b, o[2].s = s < t ? s : t,
    o[3].s = s > 100 ? s : 100;
    o[4].u = s < 0 ? -a : a, o[5].u = (a < b ? b - a : a - b) + uc[i],
    o[6].u = (s < t ? b - a : a - b) + uc[i];
}
static void int_dot(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i];
    for (int k = 0; k < 4; k++) o[k].u = uc[i];
    for (int k = 0; k < 4; k++) {
        o[0].u += (uint32_t)((int8_t)low_byte(a, k) * (int8_t)low_byte(b, k)),
            o[1].u += low_byte(a, k) * low_byte(b, k);
    }
    for (int k = 0; k < 2; k++) {
        o[2].u += (uint32_t)(short_of(a, k) * (int8_t)low_byte(b, k)),
            o[3].u += (a >> 16 * k & 0xffff) * low_byte(b, 2 + k);
    }
}
static void int_divide(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i] | 1;
    int32_t s = (int32_t)(b >> 7 | 3);
    o[0].u = a / b, o[1].u = a % b, o[2].s = (int32_t)a / s, o[3].s = (int32_t)a % s;
}
static void int_divide_constant(int i, union value *o) {
    uint32_t a = ua[i];
    o[0].u = a / 7, o[1].u = a % 10, o[2].s = (int32_t)a / 16, o[3].s = (int32_t)a % 3,
    o[4].u = a / 641;
}
static void int_compare(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i], c = uc[i];
    o[0].u = a < b, o[1].u = (int32_t)a < (int32_t)b, o[2].u = a <= b && (int32_t)b > (int32_t)c;
    o[3].u = a == b || b != c ? a : c, o[4].u = ((int32_t)a >= 0) ^ (b > c),
    o[5].u = ((a & 1) && !(b & 2)) || (c & 4);
}
static void int_predicates(int i, union value *o) {
    uint32_t a = ua[i], b = ub[i], c = uc[i];
    int32_t s = (int32_t)a, t = (int32_t)b, v = (int32_t)c;
    bool p[] = {a < b, b < c, c < a, s < t, t<v, (a ^ b)> c, (a & b) == c, (a | b) != c, a + b < c};
    o[0].u = 0;
    for (int k = 0; k < 9; k++) o[0].u += (uint32_t)p[k] << k;
    o[1].u = (p[0] && p[1]) || (p[2] && p[3]) || (p[4] && p[5]) || (p[6] && p[7] && !p[8]);
}
static void int64_arithmetic(int i, union value *o) {
    uint64_t a = qa[i], b = qb[i];
    __extension__ typedef unsigned __int128 wide;
    o[0].q = a + b, o[1].q = a - b, o[2].q = a * b, o[3].q = (uint64_t)((wide)a * b >> 64),
    o[4].q = a & ~b;
    o[5].q = (int64_t)a < (int64_t)b ? a : b, o[6].q = a >= b ? 1 : 2;
}
static void int64_shift(int i, union value *o) {
    uint64_t a = qa[i], n = qb[i] & 63;
    o[0].q = a << n, o[1].q = a >> n, o[2].l = (int64_t)a >> n, o[3].q = a << 13,
    o[4].l = (int64_t)a >> 40;
}
static void int64_wide(int i, union value *o) {
    uint64_t a = ua[i], b = ub[i];
    o[0].q = a * b, o[1].l = (int64_t)(int32_t)ua[i] * (int32_t)ub[i],
    o[2].q = a * b + (b << 32 | a);
    o[3].l = (int64_t)(int32_t)ua[i] + 5;
}
static void int64_divide(int i, union value *o) {
    uint64_t a = qa[i], b = qb[i] >> (i & 63) | 1;
    int64_t s = (int64_t)(b >> 1 | 3);
    o[0].q = a / b, o[1].q = a % b, o[2].l = (int64_t)a / s, o[3].l = (int64_t)a % s;
}

// --- conversions ---------------------------------------------------------------------------------

static void convert_float_to_int(int i, union value *o) {
    double a = fa[i];
    o[0].s = to_int(trunc(a)), o[1].u = to_unsigned(trunc(a)), o[2].s = to_int(rint(a)),
    o[3].s = to_int(floor(a));
    o[4].s = to_int(ceil(a)), o[5].u = to_unsigned(rint(a)), o[6].s = (int8_t)to_int(trunc(a));
    o[7].u = (uint16_t)to_unsigned(trunc(a));
}
static void convert_int_to_float(int i, union value *o) {
    volatile double a = ua[i], s = (int32_t)ua[i];
    o[0].f = (float)a, o[1].f = (float)s, o[2].f = ROUNDED(FE_TOWARDZERO, float, (float)s);
    o[3].f = ROUNDED(FE_UPWARD, float, (float)a), o[4].f = (int8_t)ua[i],
    o[5].f = (uint16_t)(ua[i] >> 8);
    o[6].f = (float)qa[i], o[7].f = (float)(int64_t)qa[i], o[8].f = (uint8_t)(ua[i] >> 16);
}
static void convert_double(int i, union value *o) {
    volatile double d = da[i];
    o[0].d = fa[i], o[1].d = ua[i], o[2].d = (int32_t)ua[i], o[3].d = (double)qa[i],
    o[4].d = (double)(int64_t)qa[i];
    o[5].d = (double)(float)d;
    o[6].d = isnan(d) ? INT32_MIN : to_int(trunc(d)),
    o[7].d = isnan(d) ? 0x1p31 : to_unsigned(trunc(d));
    o[8].d = (double)to_long(trunc(d)), o[9].d = (double)to_ulong(rint(d));
    o[10].d = ROUNDED(FE_TOWARDZERO, float, (float)d);
}
static void convert_long(int i, union value *o) {
    double a = fa[i];
    o[0].l = to_long(trunc(a)), o[1].q = to_ulong(trunc(a)), o[2].l = to_long(rint(a)),
    o[3].q = to_ulong(ceil(a));
}
static void convert_round(int i, union value *o) {
    float a = fa[i];
    o[0].f = floorf(a), o[1].f = ceilf(a), o[2].f = truncf(a), o[3].f = rintf(a),
    o[4].f = roundf(a);
    o[5].f = (float)floor(da[i]), o[6].f = (float)rint(da[i]);
}
static void convert_half(int i, union value *o) {
    o[0].u = to_half(fa[i]), o[1].f = from_half(o[0].u);
}

// Makes a finite half of ordinary size from any 16 bits: half h (0 low, 1 high) of the word.
static uint32_t half_of_word(uint32_t word, int h) {
    const uint32_t bits = word >> (16 * h) & 0xffff;
    return (bits & 0x8000) | (10 + (bits >> 10) % 12) << 10 | (bits & 1023);
}
// Returns the half nearest to x, ties to even: the best of three neighbouring halves. x must
// be far from the limits of halves.
static uint32_t half_of_double(double x) {
    const uint32_t middle = to_half((float)x);
    uint32_t best = middle;
    for (uint32_t candidate = middle - 1; candidate != middle + 2; candidate++) {
        const double far = fabs(from_half(candidate) - x), least = fabs(from_half(best) - x);
        if (far < least || (far == least && !(candidate & 1) && (best & 1))) best = candidate;
    }
    return best;
}
static void half_arithmetic(int i, union value *o) {
    for (int k = 0; k < 5; k++) o[k].u = 0;
    for (int h = 0; h < 2; h++) {
        const float a = from_half(half_of_word(ua[i], h)),
                    b = from_half(half_of_word(ua[(i + 1) % N], h));
        const float c = from_half(half_of_word(ua[(i + 2) % N], h)),
                    low = from_half(half_of_word(ua[i], 0));
        // In FP64 a product of two ordinary halves is exact, and so is its sum with a third half.
        o[0].u |= half_of_double((double)a + b) << 16 * h, o[1].u |= half_of_double((double)a * b)
                                                                     << 16 * h;
        o[2].u |= half_of_double((double)a * b + c) << 16 * h,
            o[3].u |= half_of_double(c - (double)a * b) << 16 * h;
        o[4].u |= half_of_double((double)low * b + c) << 16 * h;
    }
}

// --- memory --------------------------------------------------------------------------------------

static void memory_sizes(int i, union value *o) {
    const uint32_t *u = ua;
    memset(o, 0, 16 * sizeof *o);
    o[0].u = low_byte(u[i / 4], i % 4), o[1].s = (int8_t)low_byte(u[(i + 1) / 4], (i + 1) % 4);
    o[2].u = (uint16_t)short_of(u[i / 2], i % 2), o[3].s = short_of(u[(i + 1) / 2], (i + 1) % 2);
    for (int k = 0; k < 4; k++) o[4 + k].u = u[4 * (i & 127) + k];
    o[8].u = u[2 * (i & 255)], o[9].u = u[2 * (i & 255) + 1];
    o[12].u = (u[i] & 255) << 8 | u[i] << 16, o[14].u = u[i];
}
// Returns word k of the four that thread t of element i's block writes.
static uint32_t shared_word(int i, int t, int k) {
    return ua[first_of_block(i) + t] * (uint32_t)(k + 1);
}
static void memory_shared(int i, union value *o) {
    int other = (i % BLOCK + 37) % BLOCK, beyond = (other + 37) % BLOCK;
    uint32_t byte = low_byte(shared_word(i, beyond, 1), 1), x = shared_word(i, beyond, 0);
    o[0].u = x << 16 | byte, o[1].u = shared_word(i, beyond, 2) ^ shared_word(i, beyond, 3);
    o[2].u = shared_word(i, other, 1) + (uint32_t)short_of(shared_word(i, other, 1), 1);
    o[3].u = shared_word(i, other, 3) + (uint32_t)(int8_t)low_byte(shared_word(i, other, 0), 2);
}
static void memory_constant(int i, union value *o) {
    static const uint32_t table[] = {2, 3, 5, 7, 11, 13, 17, 19};
    o[0].u = 7 + ua[i], o[1].u = table[ua[i] & 7], o[2].u = ua[i] >> 31 ? 400 : 200;
}
static void memory_local(int i, union value *o) {
    uint32_t kept[16];
    for (int k = 0; k < 16; k++) kept[k] = ua[(i + k) & 511];
    for (int k = 0; k < 16; k++) kept[kept[k] & 15] += (uint32_t)k;
    o[0].u = kept[ua[i] & 15], o[1].u = kept[0] ^ kept[ua[i] >> 28];
}
static void memory_local_wide(int i, union value *o) {
    uint32_t a = ua[i], k = a % 6, chosen = (a >> 3) % 6;
    o[0].u = (a + k) ^ (a * k) ^ ua[(i + (int)k) & 511];
    o[1].u = to_unsigned(trunc(ua[(uint32_t)i * (a % 5) & 511] * 0.5));
    o[2].u = a * chosen + (chosen == k ? 3 : 0);
}
static void memory_generic(int row, union value *o) {
    int i = row % N, which = i % BLOCK % 3;
    uint32_t touched = which == 0 ? ua[i] + 8 : which == 1 ? ua[i] + 9 : 7;
    o[0].u = row >= N ? touched : which == 2 ? 7 : 0;
}
// Returns channel c of texel `index` of the texture ua, or 0 if the index is outside the texture.
static uint32_t texel(int index, int c) {
    return index >= 0 && index < N / 4 ? ua[4 * index + c] : 0;
}
static void texture_fetch(int i, union value *o) {
    const int some = 127 - (i & 127), odd = 3 * i;
    for (int c = 0; c < 4; c++) o[c].u = texel(i - 192, c);
    for (int c = 0; c < 2; c++) o[4 + c].u = texel(i & 127, c);
    o[6].u = texel(i >> 2, 0);
    o[7].u = texel(some, 1) * texel(some, 2) + texel(some, 3);
    o[8].u = i & 1 ? texel(odd, 0) + texel(odd, 1) * 3 + texel(odd, 2) * 5 + texel(odd, 3) * 7 : 50;
}

static void memory_cache(int i, union value *o) {
    const uint32_t *u = ua;
    uint32_t v =
        u[i] + u[511 - i] * 3 + u[i ^ 1] * 5 + u[i ^ 2] * 7 + u[i ^ 4] + u[i ^ 8] + u[i ^ 16];
    for (int k = 0; k < 4; k++) o[k].u = v + (uint32_t)k;
}
static void memory_variable(int i, union value *o) {
    o[0].u = ua[i] + 1000 * (uint32_t)((i & 3) + 1), o[1].u = 3000;
}
static void cp_async(int i, union value *o) {
    int n = i ^ 1;
    o[0].u = ua[n], o[1].u = n & 2 ? ua[n] : 0, o[2].u = ua[2 * (n & 255)],
    o[3].u = ua[2 * (n & 255) + 1];
    for (int k = 0; k < 4; k++) o[4 + k].u = k < 2 || n & 1 ? ua[4 * (n & 127) + k] : 0;
}

// --- shuffles and votes --------------------------------------------------------------------------

static void shuffle(int i, union value *o) {
    const uint32_t *warp = ua + first_of_warp(i);
    int lane = i & 31;
    o[0].u = warp[warp[lane] & 31], o[1].u = warp[lane < 3 ? lane : lane - 3];
    o[2].u = warp[lane + 5 > 31 ? lane : lane + 5], o[3].u = warp[lane ^ 9];
    o[4].u = warp[(lane & 7) == 7 ? lane : lane + 1], o[5].u = warp[(lane & 16) + 2];
}
static void shuffle_reduce(int i, union value *o) {
    float sum[32], next[32];
    memcpy(sum, fu + first_of_warp(i), sizeof sum);
    for (int step = 16; step > 0; step /= 2) {
        for (int lane = 0; lane < 32; lane++) next[lane] = sum[lane] + sum[lane ^ step];
        memcpy(sum, next, sizeof sum);
    }
    o[0].f = sum[i & 31];
}
// Returns the lanes of element i's warp for which (a & mask) == value.
static uint32_t lanes_where(int i, uint32_t mask, uint32_t value) {
    uint32_t lanes = 0;
    for (int lane = 0; lane < 32; lane++)
        lanes |= (uint32_t)((ua[first_of_warp(i) + lane] & mask) == value) << lane;
    return lanes;
}
static void vote(int i, union value *o) {
    bool upper = i & 2;
    o[0].u = lanes_where(i, 1, 1);
    o[1].u = (lanes_where(i, 255, 3) != 0) + 2 * (lanes_where(i, 255, 5) == 0), o[2].u = i >= 32;
    o[3].u = upper ? 0xcccccccc : 1;
    o[4].u = upper ? lanes_where(i, 4, 4) & 0xcccccccc : lanes_where(i, 8, 8) & 0x33333333;
}
static void match(int i, union value *o) {
    o[0].u = lanes_where(i, 3, ua[i] & 3), o[1].u = 0xffffffff;
    o[2].u = lanes_where(i, 0xffffffff, ua[first_of_warp(i)]) == 0xffffffff ? 1 : 0;
}
static void redux(int i, union value *o) {
    const uint32_t *warp = ua + first_of_warp(i);
    o[0].u = 0, o[1].u = UINT32_MAX, o[2].u = 0, o[3].s = INT32_MAX, o[4].s = INT32_MIN,
    o[5].u = UINT32_MAX;
    o[6].u = o[7].u = 0;
    for (int lane = 0; lane < 32; lane++) {
        uint32_t a = warp[lane];
        int32_t s = (int32_t)a;
        o[0].u += a, o[1].u = a < o[1].u ? a : o[1].u, o[2].u = a > o[2].u ? a : o[2].u;
        o[3].s = s < o[3].s ? s : o[3].s, o[4].s = s > o[4].s ? s : o[4].s;
        o[5].u &= a | 0xff, o[6].u |= a & 0xff0, o[7].u ^= a;
    }
}

// --- atomics: cell_of() covers the elements first, first + step, ... below `end` of ua -----------

struct cell { // per atomic operation, the final value of one word
    uint32_t sum, max, or, xor, count, small;
    int32_t smin, smax;
};
static struct cell cell_of(int first, int step, int end) {
    struct cell c = {0};
    for (int i = first; i < end; i += step, c.count++) {
        uint32_t a = ua[i];
        int32_t s = (int32_t)a;
        c.sum += a, c.max = a > c.max ? a : c.max, c.or |= a & 0x0f0f0f0f, c.xor ^= a,
                    c.small += a & 15;
        c.smin = s < c.smin ? s : c.smin, c.smax = s > c.smax ? s : c.smax;
    }
    return c;
}
// Returns what a word that is 0 becomes by `count` calls of atomicDec(limit). 0 wraps to `limit`.
static uint32_t wrap_down(uint32_t count, uint32_t limit) {
    uint32_t x = 0;
    while (count-- > 0) x = x == 0 || x > limit ? limit : x - 1;
    return x;
}
static void atomic_global(int row, union value *o) {
    int i = (row - 96) % N;
    struct cell c = cell_of(row & 7, 8, N);
    if (row < 96) {
        union value cells[] = {{.u = c.sum},  {.u = c.max},          {.s = c.smin},
                               {.s = c.smax}, {.u = c.or },          {.u = c.xor },
                               {.u = 0},      {.u = c.count % 41},   {.u = wrap_down(c.count, 50)},
                               {.u = -c.sum}, {.f = (float)c.small}, {.u = 0}};
        o[0] = cells[row / 8];
    } else if (row < 608) {
        o[0].u = 0;
    } else if (row < 1120) {
        o[0].u = i & 1 ? 17 : ua[i];
    } else {
        o[0].u = row < 1632 ? ua[i] : row < 2144 ? (uint32_t)i : 0;
    }
}
static void atomic_shared(int row, union value *o) {
    int block = row / 64, t = row % 64;
    struct cell c = cell_of(BLOCK * block + (t & 3), 4, BLOCK * (block + 1));
    union value cells[] = {{.u = c.sum + (t == 0 ? 5 : 0)},
                           {.u = c.max},
                           {.s = c.smin},
                           {.u = c.or },
                           {.u = c.xor },
                           {.u = 0},
                           {.u = c.count % 21},
                           {.u = wrap_down(c.count, 9)},
                           {.f = (float)c.small},
                           {.u = c.sum},
                           {.u = 77},
                           {.u = 3}};
    o[0].u = row < 256 && t < 48 ? cells[t / 4].u : 0;
}
static void atomic_ticket(int row, union value *o) {
    o[0].u = row < N ? 1 : 4;
}
static void atomic_generic(int row, union value *o) {
    int block = row < 4 ? row : (row - 4) / 4, t = row < 4 ? -1 : (row - 4) % 4;
    o[0].u = 0;
    for (int k = 0; k < BLOCK; k++) {
        int cell = k & 1 ? k & 3 : -1;
        if (cell == t) o[0].u += ua[BLOCK * block + k];
    }
}
static void histogram(int row, union value *o) {
    o[0].u = 0;
    for (int i = 0; i < N; i++) o[0].u += ua[i] >> 28 == (uint32_t)row;
}

// --- barriers ------------------------------------------------------------------------------------

static void barrier(int i, union value *o) {
    float sums[BLOCK];
    memcpy(sums, fu + first_of_block(i), sizeof sums);
    for (int half = 64; half > 0; half /= 2) {
        for (int t = 0; t < half; t++) sums[t] += sums[t + half];
    }
    o[0].f = sums[0] + sums[127 - i % BLOCK];
}
static void barrier_reduce(int i, union value *o) {
    o[0].u = 0, o[1].u = 1, o[2].u = 0;
    for (int t = 0; t < BLOCK; t++) {
        uint32_t a = ua[first_of_block(i) + t];
        o[0].u += a & 1, o[1].u &= a != 77, o[2].u |= (a & 255) == 17;
    }
}
static void barrier_named(int i, union value *o) {
    o[0].u = i % BLOCK < 64 ? ua[i ^ 33] : ua[(i - 64) ^ 33] * 3 + ua[i ^ 33];
}
static void fence(int row, union value *o) {
    o[0].u = row < N ? ua[row] >> 10 : 0;
    for (int i = 0; row == N && i < N; i++) o[0].u += ua[i] >> 10;
}

// --- control flow --------------------------------------------------------------------------------

static void branch_if(int i, union value *o) {
    uint32_t a = ua[i];
    o[0].u = a & 1   ? (a & 2 ? a * 3 + ua[(i + 1) & 511] : a / 3)
             : a & 4 ? ua[(i + 7) & 511] % 13
                     : (uint32_t)count_bits(a) + 100;
}
static void branch_loops(int i, union value *o) {
    uint32_t a = ua[i], sum = 0;
    for (uint32_t j = 0; j < (a & 7); j++) {
        for (uint32_t k = j; k < (a >> 3 & 15); k++) {
            if (((j ^ k) & 3) != 1) sum += ua[(j * 16 + k) & 511] ^ k;
        }
        sum = sum * 3 + 1;
    }
    o[0].u = sum;
}
static void branch_while(int i, union value *o) {
    uint32_t n = (ua[i] & 1023) + 1, steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        if (++steps == 60) break;
    }
    int found = 0;
    while ((ua[found] & 63) != (ua[i] & 63)) found++;
    o[0].u = steps, o[1].s = found;
}
static void branch_return(int i, union value *o) {
    uint32_t a = ua[i];
    o[0].u = 1;
    if (i % BLOCK >= 96 || a & 1) return;
    o[0].u = 2;
    for (uint32_t k = 0; k < 20 && (a >> k & 3) != 3; k++) o[0].u += k;
}
static void branch_switch(int i, union value *o) {
    uint32_t a = ua[i], r;
    switch (a & 15) {
    case 0:
        r = a + 1;
        break;
    case 1:
        r = a * a;
        break;
    case 2:
        r = (a ^ 0x55) + (a >> 3);
        break;
    case 3:
        r = a >> 3;
        break;
    case 4:
        r = (uint32_t)count_bits(a);
        break;
    case 5:
        r = ua[i ^ 1];
        break;
    case 6:
        r = a / 7;
        break;
    case 7:
        r = ~a;
        break;
    case 8:
        r = (a - 9) * 5 + 2;
        break;
    case 9:
        r = 2;
        break;
    case 11:
        r = reverse_bits(a);
        break;
    case 13:
        r = a % 11;
        break;
    default:
        r = 99;
    }
    o[0].u = r;
}
static void branch_switch_loop(int i, union value *o) {
    uint32_t r = (uint32_t)i, other;
    for (int k = 0; k < 4; k++) {
        uint32_t which = ua[i] >> 4 * k & 15;
        static const uint32_t add[16] = {0, 0, 2, 3, 0, 0, 0, 9, 11, 13, 17, 19, 23, 23, 23, 23};
        uint32_t at = which == 4   ? r * 7
                      : which == 5 ? r >> 3
                      : which == 6 ? r * 5
                                   : r + add[which];
        other = ua[at & 511];
        uint32_t results[16] = {r * 3,
                                r ^ other,
                                r / 5 + other,
                                reverse_bits(r) + other,
                                r + other,
                                r % 77 * other,
                                r - other,
                                (uint32_t)count_bits(r) * other,
                                (uint32_t)((uint64_t)r * other >> 32),
                                (r << 7) ^ other,
                                r > other ? r : other,
                                r < other ? r : other};
        r = which < 12 ? results[which] : ~r + other;
    }
    o[0].u = r;
}
static uint32_t call_inner(uint32_t a, uint32_t b) {
    return a % (b + 1) + b;
}
static uint32_t call_outer(uint32_t a, uint32_t b) {
    return call_inner(a, b) * 3 + call_inner(b, a & 255);
}
static void call(int i, union value *o) {
    o[0].u = call_outer(ua[i], (uint32_t)i),
    o[1].u = i & 1 ? call_inner((uint32_t)i, 3) : call_outer((uint32_t)i, 5);
}
static void call_recursive(int i, union value *o) {
    static const uint32_t fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13};
    o[0].u = fibonacci[ua[i] & 7];
}
static void call_pointer(int i, union value *o) {
    uint32_t n = (uint32_t)i;
    o[0].u = (i & 32 ? ua[i] - 7 : 2 * ua[i] + 1) + (ua[i] & 1 ? n - 7 : 2 * n + 1);
}

// --- the rest ------------------------------------------------------------------------------------

static void uniform(int i, union value *o) {
    uint32_t block = (uint32_t)i / BLOCK,
             base = block * 4000000000u + (uint32_t)(-123456789012345 >> 33);
    for (uint32_t k = 0; k < 7; k++) base = base * 5 + k;
    if (base & 1) base += 4;
    o[0].u = base + ua[i], o[1].u = 11 - 5, o[2].u = 25 + 10 * (block + 1);
}
static void uniform_bits(int i, union value *o) {
    uint32_t block = (uint32_t)i / BLOCK, seed = 2222222222u, b = block * 2654435761u + seed;
    uint32_t r = (uint32_t)count_bits(b) + ((uint32_t)__builtin_clz(b) << 8) +
                 ((uint32_t)__builtin_ffs((int)b) << 16);
    r ^= reverse_bits(b) ^ permute(b, seed, 0x5162) ^ funnel(b, seed, 5, false);
    r += b > seed ? 4 : b & 0xf0f0;
    r += ((int32_t)b < (int32_t)seed ? b : seed) ^ (b > seed ? b : seed);
    uint64_t q = (uint64_t)b * seed + 12345;
    for (uint32_t k = 0; k < (b & 3); k++) q = q * 3 + (q >> 60);
    o[0].u = r + ua[i];
    o[1].u = (uint32_t)(q >> 32) ^ (uint32_t)q ^ ((uint32_t)(i % BLOCK) + (b & 1 ? 5 : 9));
}
static void special_registers(int i, union value *o) { // grid 2 x 1 x 2, block 8 x 4 x 4
    uint32_t block = (uint32_t)i / BLOCK, t = (uint32_t)i % BLOCK;
    o[0].u = t % 8 | t / 8 % 4 << 8 | t / 32 << 16, o[1].u = block % 2 | block / 2 << 16;
    o[2].u = t % 32, o[3].u = (1u << t % 32) - 1;
}
static void stride_loop(int i, union value *o) {
    o[0].f = i < 509 ? fmaf(1.5f, fu[i], 1.0f) : 0.0f;
}
static void transpose(int i, union value *o) {
    o[0].f = fu[i % 16 * 32 + i / 16];
}

// --- the table -----------------------------------------------------------------------------------

// The kernels. `kinds` has a letter per result. Equal: u 32-bit word, q 64-bit word, f FP32, d FP64
// (any two NaNs are equal), z FP64 (so are +0 and -0). 1 to 4: FP32, wrong by at most so many units
// in the last place; D: FP64, by at most one. s, c, l, m, t: FP32 within the errors that the CUDA
// C++ Programming Guide and the PTX manual give for __sinf, __cosf, __logf, __log2f, tanh.approx.
static const struct row {
    const char *name;
    void (*function)(int row, union value *out); // computes the results of one row
    const char *kinds;
    int rows;
} table[] = {
#define ROW(name, kinds, rows) \
    { #name, name, kinds, rows }
    ROW(fp32_add, "ffff", N),
    ROW(fp32_mul, "ffff", N),
    ROW(fp32_fma, "fffff", N),
    ROW(fp32_min_max, "ffff", N),
    ROW(fp32_abs_neg, "ffff", N),
    ROW(fp32_ftz, "ffff", N),
    ROW(fp32_rounding, "ffffffffff", N),
    ROW(fp32_divide, "ff", N),
    ROW(fp32_reciprocal, "ff", N),
    ROW(fp32_sqrt, "ff", N),
    ROW(fp32_compare, "uuu", N),
    ROW(fp32_select, "fff", N),
    ROW(fp32_exp_log, "22114", N),
    ROW(fp32_sin_cos, "22", N),
    ROW(mufu_rcp_rsq, "1222", N),
    ROW(mufu_exp_log, "23lm", N),
    ROW(mufu_sin_cos, "sct", N),
    ROW(fp64_arithmetic, "dddddd", N),
    ROW(fp64_rounding, "dddddd", N),
    ROW(fp64_divide, "d", N),
    ROW(fp64_sqrt, "d", N),
    ROW(fp64_compare, "zzdd", N),
    ROW(fp64_exp, "D", N),
    ROW(int_add, "uuuuuu", N),
    ROW(int_mul, "uuuuuuu", N),
    ROW(int_logic, "uuuuuu", N),
    ROW(int_shift, "uuuuuuu", N),
    ROW(int_funnel_shift, "uuuuu", N),
    ROW(int_bit_counts, "uuuuuuu", N),
    ROW(int_bit_fields, "uuuuuu", N),
    ROW(int_byte_perm, "uuuu", N),
    ROW(int_min_max, "uuuuuuu", N),
    ROW(int_dot, "uuuu", N),
    ROW(int_divide, "uuuu", N),
    ROW(int_divide_constant, "uuuuu", N),
    ROW(int_compare, "uuuuuu", N),
    ROW(int_predicates, "uu", N),
    ROW(int64_arithmetic, "qqqqqqq", N),
    ROW(int64_shift, "qqqqq", N),
    ROW(int64_wide, "qqqq", N),
    ROW(int64_divide, "qqqq", N),
    ROW(convert_float_to_int, "uuuuuuuu", N),
    ROW(convert_int_to_float, "fffffffff", N),
    ROW(convert_double, "ddddddddddd", N),
    ROW(convert_long, "qqqq", N),
    ROW(convert_round, "fffffff", N),
    ROW(convert_half, "uf", N),
    ROW(half_arithmetic, "uuuuu", N),
    ROW(memory_sizes, "uuuuuuuuuuuuuuuu", N),
    ROW(memory_shared, "uuuu", N),
    ROW(memory_constant, "uuu", N),
    ROW(memory_local, "uu", N),
    ROW(memory_local_wide, "uuu", N),
    ROW(memory_generic, "u", 2 * N),
    ROW(memory_cache, "uuuu", N),
    ROW(texture_fetch, "uuuuuuuuu", N),
    ROW(memory_variable, "uu", N),
    ROW(cp_async, "uuuuuuuu", N),
    ROW(shuffle, "uuuuuu", N),
    ROW(shuffle_reduce, "f", N),
    ROW(vote, "uuuuu", N),
    ROW(match, "uuu", N),
    ROW(redux, "uuuuuuuu", N),
    ROW(atomic_global, "u", 2656),
    ROW(atomic_shared, "u", 784),
    ROW(atomic_generic, "u", 20),
    ROW(atomic_ticket, "u", N + BLOCK),
    ROW(histogram, "u", 16),
    ROW(barrier, "f", N),
    ROW(barrier_reduce, "uuu", N),
    ROW(barrier_named, "u", N),
    ROW(fence, "u", N + 1),
    ROW(branch_if, "u", N),
    ROW(branch_loops, "u", N),
    ROW(branch_while, "uu", N),
    ROW(branch_return, "u", N),
    ROW(branch_switch, "u", N),
    ROW(branch_switch_loop, "u", N),
    ROW(call, "uu", N),
    ROW(call_recursive, "u", N),
    ROW(call_pointer, "u", N),
    ROW(uniform, "uuu", N),
    ROW(uniform_bits, "uu", N),
    ROW(special_registers, "uuuu", N),
    ROW(stride_loop, "f", N),
    ROW(transpose, "f", N),
};
enum { ROWS = sizeof table / sizeof *table };

// --- comparison ----------------------------------------------------------------------------------

static bool is_wide(char kind) {
    return strchr("dDqz", kind) != NULL;
}

static bool within_ulps(float got, float want, int64_t ulps) {
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got);
    int32_t g = (union value){.f = got}.s, w = (union value){.f = want}.s;
    int64_t a = g < 0 ? INT32_MIN - (int64_t)g : g, b = w < 0 ? INT32_MIN - (int64_t)w : w;
    return llabs(a - b) <= ulps;
}

// True if got is within the documented error of want; kinds 1 to 4 are units in the last place.
static bool within_bound(char kind, float got, float want) {
    double error = fabs((double)got - (double)want);
    switch (kind) {
    case 's':
        return error <= exp2(-21.41);
    case 'c':
        return error <= exp2(-21.19);
    case 'l':
        return fabs(want) <= log(2) ? error <= exp2(-21.41) : within_ulps(got, want, 3);
    case 'm':
        return fabs(want) <= 1 ? error <= 0x1p-22 : within_ulps(got, want, 2);
    case 't':
        return error <= fabs((double)want) * exp2(-11);
    default:
        return within_ulps(got, want, kind - '0');
    }
}

static bool agrees(char kind, union value got, union value want) {
    switch (kind) {
    case 'u':
        return got.u == want.u;
    case 'q':
        return got.q == want.q;
    case 'f':
        return got.u == want.u || (isnan(got.f) && isnan(want.f));
    case 'd':
        return got.q == want.q || (isnan(got.d) && isnan(want.d));
    case 'z':
        return got.d == want.d || (isnan(got.d) && isnan(want.d));
    case 'D':
        return llabs(got.l - want.l) <= 1;
    default:
        return within_bound(kind, got.f, want.f);
    }
}

static void describe(char kind, union value v, char text[64]) {
    if (kind == 'u')
        snprintf(text, 64, "0x%08" PRIx32, v.u);
    else if (kind == 'q')
        snprintf(text, 64, "0x%016" PRIx64, v.q);
    else if (is_wide(kind))
        snprintf(text, 64, "0x%016" PRIx64 " (%.17g)", v.q, v.d);
    else
        snprintf(text, 64, "0x%08" PRIx32 " (%.9g)", v.u, (double)v.f);
}

static int check(const struct row *row, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) return perror(path), 1;
    int wrong[MAX_RESULTS] = {0}, total = 0, results = (int)strlen(row->kinds);
    for (int i = 0; i < row->rows; i++) {
        union value want[MAX_RESULTS] = {{0}};
        row->function(i, want);
        for (int k = 0; k < results; k++) {
            char kind = row->kinds[k], said[64], expected[64];
            union value got = {0};
            if (fread(&got, is_wide(kind) ? 8 : 4, 1, file) != 1)
                return printf("%s: ends at row %d\n", path, i), 1;
            if (agrees(kind, got, want[k])) continue;
            describe(kind, got, said), describe(kind, want[k], expected);
            if (wrong[k]++ < 3)
                printf("%s: row %d, result %d: expected %s, got %s\n", row->name, i, k, expected,
                       said);
            total++;
        }
    }
    int more = fgetc(file) != EOF;
    fclose(file);
    if (more) printf("%s: longer than %d rows of %d results\n", path, row->rows, results);
    if (total) printf("%s: %d of %d values differ\n", row->name, total, row->rows * results);
    return total || more;
}

static int write_inputs(const char *directory) {
    static const struct {
        const char *name;
        const void *bytes;
        size_t size;
    } files[] = {
        {"fa", fa, sizeof fa}, {"fb", fb, sizeof fb}, {"fc", fc, sizeof fc}, {"fp", fp, sizeof fp},
        {"fu", fu, sizeof fu}, {"fx", fx, sizeof fx}, {"fw", fw, sizeof fw}, {"da", da, sizeof da},
        {"db", db, sizeof db}, {"dc", dc, sizeof dc}, {"dx", dx, sizeof dx}, {"ua", ua, sizeof ua},
        {"ub", ub, sizeof ub}, {"uc", uc, sizeof uc}, {"qa", qa, sizeof qa}, {"qb", qb, sizeof qb}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.bin", directory, files[i].name);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(files[i].bytes, files[i].size, 1, file) != 1 || fclose(file) != 0)
            return perror(path), 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    make_inputs();
    if (argc == 3 && strcmp(argv[1], "inputs") == 0) return write_inputs(argv[2]);
    for (int i = 0; i < ROWS; i++) {
        if (argc == 2 && strcmp(argv[1], "list") == 0) puts(table[i].name);
        if (argc == 4 && strcmp(argv[1], "check") == 0 && strcmp(argv[2], table[i].name) == 0)
            return check(&table[i], argv[3]);
    }
    if (argc == 2 && strcmp(argv[1], "list") == 0) return 0;
    fprintf(
        stderr,
        "usage: reference inputs DIR | check NAME FILE | list (and NAME must be in the list)\n");
    return 2;
}
