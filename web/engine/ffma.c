// Computes d = a b + c in FP32, rounded once, on the 32 lanes of a warp. Compiled with -DRELAXED it
// uses relaxed multiply-add, and the page runs it if that rounds once (is_fused); otherwise it
// computes in FP64. These are two small modules in the engine's memory, because a browser without
// relaxed SIMD refuses a module that contains it.
#include "sim/ops/lanes.h"

#include <wasm_simd128.h>

static v128_t canonical(v128_t value) {
    return wasm_v128_bitselect(value, wasm_i32x4_splat(CANONICAL_NAN), wasm_f32x4_eq(value, value));
}

#ifdef RELAXED

// f32x4.relaxed_madd, written as bytes because compilers before clang 16 lack it.
static v128_t madd(v128_t a, v128_t b, v128_t c) {
    v128_t d;
    __asm__("local.get %1\n\tlocal.get %2\n\tlocal.get %3\n\t.byte 0xfd, 0x85, 0x02\n\tlocal.set %0"
            : "=r"(d)
            : "r"(a), "r"(b), "r"(c));
    return d;
}

static v128_t fma4(const uint32_t *a, const uint32_t *b, const uint32_t *c) {
    return madd(wasm_v128_load(a), wasm_v128_load(b), wasm_v128_load(c));
}

// Returns true if relaxed multiply-add rounds once: (1 + 2^-12) (1 - 2^-12) - 1 is then -2^-24,
// otherwise 0.
int is_fused(float above_one, float below_one) {
    const v128_t sum =
        madd(wasm_f32x4_splat(above_one), wasm_f32x4_splat(below_one), wasm_f32x4_splat(-1));
    return wasm_f32x4_extract_lane(sum, 0) < 0;
}

#else

// Returns a + b rounded to odd: if the sum is not a double, the neighbouring double whose last bit
// is 1. Rounding this to a float is equivalent to rounding the exact sum once (Boldo and Melquiond
// 2008).
static v128_t odd_sum(v128_t a, v128_t b) {
    const v128_t sum = wasm_f64x2_add(a, b), from_b = wasm_f64x2_sub(sum, a);
    const v128_t rest =
        wasm_f64x2_add(wasm_f64x2_sub(a, wasm_f64x2_sub(sum, from_b)), wasm_f64x2_sub(b, from_b));
    const v128_t zero = wasm_f64x2_splat(0), one = wasm_i64x2_splat(1);
    // All bits are 1 where the rounding error points away from 0. The step is 1 there, and -1
    // elsewhere.
    const v128_t outward = wasm_v128_xor(wasm_f64x2_gt(rest, zero), wasm_f64x2_lt(sum, zero));
    const v128_t step = wasm_v128_or(wasm_v128_xor(outward, wasm_i64x2_splat(-1)), one);
    const v128_t inexact = wasm_v128_or(wasm_f64x2_gt(rest, zero), wasm_f64x2_lt(rest, zero));
    const v128_t even = wasm_i64x2_eq(wasm_v128_and(sum, one), wasm_i64x2_splat(0));
    return wasm_i64x2_add(sum, wasm_v128_and(step, wasm_v128_and(inexact, even)));
}

// Lanes 2 and 3 are loaded separately, because a load costs less than a shuffle.
static v128_t doubles(const uint32_t *lanes) {
    return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(lanes));
}

static v128_t rounded(v128_t low, v128_t high) {
    return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                              0, 2);
}

// The product is exact in FP64. Its sum with c is rounded to FP64 and then to FP32. That can be
// wrong only if the FP64 sum lies exactly between two floats, which its low word shows, or if the
// float is subnormal.
static v128_t fma4(const uint32_t *a, const uint32_t *b, const uint32_t *c) {
    const v128_t low_product = wasm_f64x2_mul(doubles(a), doubles(b)), low_c = doubles(c);
    const v128_t high_product = wasm_f64x2_mul(doubles(a + 2), doubles(b + 2)),
                 high_c = doubles(c + 2);
    const v128_t low = wasm_f64x2_add(low_product, low_c),
                 high = wasm_f64x2_add(high_product, high_c);
    const v128_t once = rounded(low, high), low_words = wasm_i32x4_shuffle(low, high, 0, 2, 4, 6);
    const v128_t middle = wasm_i32x4_eq(wasm_v128_and(low_words, wasm_i32x4_splat(0x1fffffff)),
                                        wasm_i32x4_splat(0x10000000));
    const v128_t denormal = wasm_f32x4_le(wasm_f32x4_abs(once), wasm_f32x4_splat(0x1p-126f));
    if (!wasm_v128_any_true(wasm_v128_or(denormal, middle))) return once;
    return rounded(odd_sum(low_product, low_c), odd_sum(high_product, high_c));
}

#endif

// Executes an FFMA. It must not use a stack, because this module's stack would overlap the engine's
// memory.
void ffma(struct warp *w, const struct uop *u, uint32_t mask) {
    const uint32_t *a = source(w, u, 0), *b = source(w, u, 1), *c = source(w, u, 2);
    uint32_t *d = destination(w, u);
    const v128_t bits = wasm_i32x4_const(1, 2, 4, 8);
    for (int l = 0; l < LANES; l += 4) {
        const v128_t fused = canonical(fma4(a + l, b + l, c + l));
        const v128_t chosen =
            wasm_i32x4_eq(wasm_v128_and(wasm_i32x4_splat((int)(mask >> l)), bits), bits);
        wasm_v128_store(d + l, wasm_v128_bitselect(fused, wasm_v128_load(d + l), chosen));
    }
}

// Executes several FFMAs in order, on all lanes. It checks for NaN only at the end, because the
// result of a NaN is a NaN.
void streak(struct warp *w, const struct ffma *f, uint32_t count) {
    v128_t numbers = wasm_i32x4_splat(-1);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *a = w->row[f[i].a], *b = w->row[f[i].b], *c = w->row[f[i].c];
        uint32_t *d = w->row[f[i].d];
        for (int l = 0; l < LANES; l += 4) {
            const v128_t fused = fma4(a + l, b + l, c + l);
            numbers = wasm_v128_and(numbers, wasm_f32x4_eq(fused, fused));
            wasm_v128_store(d + l, fused);
        }
    }
    if (wasm_i32x4_all_true(numbers)) return;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *d = w->row[f[i].d];
        for (int l = 0; l < LANES; l += 4) wasm_v128_store(d + l, canonical(wasm_v128_load(d + l)));
    }
}
