// FFMA in a page: computes d = a b + c in FP32, rounded once, on the 32 lanes of a warp.
// The file is compiled twice, into two small modules that use the engine's memory. The module with
// -DRELAXED uses the relaxed multiply-add of SIMD; the page takes it if is_fused() is true. The
// other module computes in FP64. They are separate from the engine, because a browser without
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

// Returns true if this browser's relaxed multiply-add rounds once.
// Requires: above_one is 1 + 2^-12, below_one is 1 - 2^-12. Their product minus 1 is -2^-24 if it
// is rounded once, otherwise 0.
int is_fused(float above_one, float below_one) {
    const v128_t sum =
        madd(wasm_f32x4_splat(above_one), wasm_f32x4_splat(below_one), wasm_f32x4_splat(-1));
    return wasm_f32x4_extract_lane(sum, 0) < 0;
}

#else

// Returns a + b rounded to odd: if the exact sum is not a double, the neighbouring double whose
// last bit is 1. Rounding the result to a float gives the exact sum rounded once (Boldo and
// Melquiond 2008).
static v128_t odd_sum(v128_t a, v128_t b) {
    const v128_t sum = wasm_f64x2_add(a, b), from_b = wasm_f64x2_sub(sum, a);
    const v128_t rest =
        wasm_f64x2_add(wasm_f64x2_sub(a, wasm_f64x2_sub(sum, from_b)), wasm_f64x2_sub(b, from_b));
    const v128_t zero = wasm_f64x2_splat(0), one = wasm_i64x2_splat(1);
    // `outward` has all bits set where the exact sum lies farther from 0 than `sum`. `step`, in
    // units of the last bit, is 1 there, and -1 elsewhere.
    const v128_t outward = wasm_v128_xor(wasm_f64x2_gt(rest, zero), wasm_f64x2_lt(sum, zero));
    const v128_t step = wasm_v128_or(wasm_v128_xor(outward, wasm_i64x2_splat(-1)), one);
    const v128_t inexact = wasm_v128_or(wasm_f64x2_gt(rest, zero), wasm_f64x2_lt(rest, zero));
    const v128_t even = wasm_i64x2_eq(wasm_v128_and(sum, one), wasm_i64x2_splat(0));
    return wasm_i64x2_add(sum, wasm_v128_and(step, wasm_v128_and(inexact, even)));
}

// Returns two lanes as doubles. The caller loads lanes 2 and 3 separately, because a load costs
// less than a shuffle.
static v128_t doubles(const uint32_t *lanes) {
    return wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(lanes));
}

static v128_t rounded(v128_t low, v128_t high) {
    return wasm_i64x2_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high),
                              0, 2);
}

// Returns a b + c of four lanes. The product is exact in FP64; the sum with c is rounded to FP64
// and then to FP32. Rounding twice can be wrong in two cases, which are computed by odd_sum():
// the FP64 sum lies exactly between two floats (its low 29 bits are 0x10000000), or the float is
// at most 2^-126, so it may be subnormal.
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

// Executes an FFMA on the lanes of `mask`. The functions of this file must not use a stack, because
// this module's stack would overlap the engine's memory.
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

// Executes several FFMAs in order, on all lanes. NaNs become canonical only at the end: an FFMA of
// a NaN gives a NaN, whatever its bits are.
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
