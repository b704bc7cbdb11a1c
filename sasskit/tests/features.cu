// Kernels that check themselves: each check compares an instruction's result with that of plain
// arithmetic. wrong[] counts the differences of each check.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
#define KERNEL extern "C" __global__ void
#define CHECK(what, condition) \
    if (!(condition)) atomicAdd(&wrong[what], 1)

__device__ unsigned bits(__half x) {
    return __half_as_ushort(x);
}
__device__ unsigned bits(__nv_bfloat16 x) {
    return __bfloat16_as_ushort(x);
}
__device__ bool same(float x, float y) {
    return x == y || (x != x && y != y);
}
__device__ bool same(__half x, __half y) {
    return same(__half2float(x), __half2float(y));
}
__device__ bool same(__nv_bfloat16 x, __nv_bfloat16 y) {
    return same(__bfloat162float(x), __bfloat162float(y));
}

KERNEL half_pairs(const unsigned *in, unsigned *wrong) {
    __half2 a = ((const __half2 *)in)[threadIdx.x], b = ((const __half2 *)in)[threadIdx.x + 64];
    double x = __half2float(a.x), y = __half2float(b.x), z = __half2float(a.y),
           u = __half2float(b.y);
    CHECK(0, same(__hmul2(a, b).x, __double2half(x * y)));
    CHECK(1, same(__hadd2(a, b).y, __double2half(z + u)));
    CHECK(2, same(__hsub2(a, b).x, __double2half(x - y)));
    CHECK(3, same(__hfma2(a, b, a).y, __double2half(z * u + z)));
    CHECK(4, same(__hmax2(a, b).x, x != x ? b.x : y != y ? a.x : x > y ? a.x : b.x));
    CHECK(5, same(__hmin2(a, b).y, z != z ? b.y : u != u ? a.y : z < u ? a.y : b.y));
    CHECK(6, same(__hmax2_nan(a, b).x, x != x || y != y ? __ushort_as_half(0x7fff)
                                       : x > y          ? a.x
                                                        : b.x));
    CHECK(7, same(__hadd2_sat(a, b).x, __double2half(!(x + y > 0) ? 0 : x + y > 1 ? 1 : x + y)));
    CHECK(8, same(__hfma2_relu(a, b, a).x, __double2half(x * y + x < 0 ? 0 : x * y + x)));
    CHECK(9, __half2float(__hgt2(a, b).x) == (x > y) && __half2float(__hgt2(a, b).y) == (z > u));
    CHECK(10, __hbne2(a, b) == (x != y && z != u && x == x && y == y && z == z && u == u));
    CHECK(11, (a.x < b.y) == (x < u));
    CHECK(12, same(htrunc(a.x), __double2half(trunc(x))));
    CHECK(13, __hgtu2_mask(a, b) == ((!(x <= y) ? 0xffffu : 0) | (!(z <= u) ? 0xffff0000u : 0)));
}
KERNEL brain_floats(const unsigned *in, unsigned *wrong) {
    __nv_bfloat162 a = ((const __nv_bfloat162 *)in)[threadIdx.x],
                   b = ((const __nv_bfloat162 *)in)[threadIdx.x + 64];
    float x = __bfloat162float(a.x), y = __bfloat162float(b.x), z = __bfloat162float(a.y),
          u = __bfloat162float(b.y);
    CHECK(0, same(__hmul2(a, b).x, __float2bfloat16_rn(x * y)) || fabsf(x * y) < 1e-37f);
    CHECK(1, same(__hmax2(a, b).y, z != z ? b.y : u != u ? a.y : z > u ? a.y : b.y));
    CHECK(2, same(__hadd2(a, a).x, __float2bfloat16_rn(x + x)));
    CHECK(3, same(__hfma2(a, __float2bfloat162_rn(2), a).y, __float2bfloat16_rn(3 * z)));
    CHECK(4, (a.x > b.x) == (x > y));
    CHECK(5, bits(__int2bfloat16_rn(threadIdx.x * 1001)) ==
                 bits(__float2bfloat16_rn(threadIdx.x * 1001.f)));
    CHECK(6, bits(__float2bfloat16_rn(threadIdx.x * 0.377f)) ==
                 (__float_as_uint(threadIdx.x * 0.377f) + 0x7fff +
                  (__float_as_uint(threadIdx.x * 0.377f) >> 16 & 1)) >>
                     16);
}
KERNEL uniform_half(__half a, unsigned u, const unsigned *in, unsigned *wrong) {
    unsigned k = u * 3 + blockIdx.x;
    __half2 s = __half2half2(a), p = *(__half2 *)&k, v = ((const __half2 *)in)[threadIdx.x], w = v;
    for (int i = 0; i < 3; i++) v = __hfma2(v, s, v);
    for (int i = 0; i < 3; i++)
        w.x = __double2half((double)__half2float(w.x) * __half2float(a) + __half2float(w.x));
    CHECK(0, same(v.x, w.x));
    w = ((const __half2 *)in)[threadIdx.x + 32];
    CHECK(1, same(__hmul2(w, p).y, __double2half((double)__half2float(w.y) * __half2float(p.y))));
    CHECK(2, same(__hmul(w.x, p.y), __double2half((double)__half2float(w.x) * __half2float(p.y))));
}
KERNEL float_minima(const unsigned *in, unsigned *wrong) {
    float a = __uint_as_float(in[threadIdx.x]), b = __uint_as_float(in[threadIdx.x + 64]), r;
    if (threadIdx.x % 8 == 1) a = __uint_as_float(0x7fc00000);
    if (threadIdx.x % 8 == 2) b = __uint_as_float(0xffc00000);
    bool nan = a != a || b != b;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    CHECK(0, nan ? __float_as_uint(r) == 0x7fffffff : r == fmaxf(a, b));
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    CHECK(1, nan ? __float_as_uint(r) == 0x7fffffff : r == fminf(a, b));
    asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    CHECK(2,
          nan || r == copysignf(fminf(fabsf(a), fabsf(b)), signbit(a) != signbit(b) ? -1.f : 1.f));
}
__device__ int half_of(unsigned x, int h, bool is_signed) {
    unsigned part = h ? x >> 16 : x & 0xffff;
    return is_signed ? (int)(short)part : (int)part;
}
KERNEL integer_minima(const unsigned *in, unsigned *wrong) {
    unsigned a = in[threadIdx.x], b = in[threadIdx.x + 64], c = in[threadIdx.x + 128];
    int s = a, t = b, v = c;
    CHECK(0, __vimax3_s32(s, t, v) == (s > t ? (s > v ? s : v) : (t > v ? t : v)));
    CHECK(1, __vimin3_u32(a, b, c) == (a < b ? (a < c ? a : c) : (b < c ? b : c)));
    CHECK(2, __vimax_s32_relu(s, t) == (s > t ? (s > 0 ? s : 0) : (t > 0 ? t : 0)));
    for (int h = 0; h < 2; h++) {
        int x = half_of(a, h, true), y = half_of(b, h, true), z = half_of(c, h, true);
        int p = half_of(a, h, false), q = half_of(b, h, false), r = half_of(c, h, false);
        CHECK(3, half_of(__vmaxu2(a, b), h, false) == max(p, q));
        CHECK(4, half_of(__vmins2(a, b), h, true) == min(x, y));
        CHECK(5, half_of(__vimax3_u16x2(a, b, c), h, false) == max(p, max(q, r)));
        CHECK(6, half_of(__vimin3_s16x2_relu(a, b, c), h, true) == max(0, min(x, min(y, z))));
        CHECK(7, half_of(__viaddmax_s16x2(a, b, c), h, true) == max((int)(short)(x + y), z));
        CHECK(8, half_of(__viaddmin_u16x2(a, b, c), h, false) == min((p + q) & 0xffff, r));
        CHECK(9, half_of(__vimin_s16x2_relu(a, b), h, true) == max(0, min(x, y)));
    }
}
// LEA.HI with an immediate high word, and IMAD.HI that subtracts a pair. Calls of hidden() keep the
// compiler from merging the two computations.
__device__ unsigned hidden(unsigned x) {
    asm volatile("" : "+r"(x));
    return x;
}
KERNEL high_words(const unsigned *in, unsigned *wrong) {
    const unsigned x = in[threadIdx.x], y = in[threadIdx.x + 64];
    const int factor = (int)x;
    const long long pair = (long long)((unsigned long long)y << 32 | in[threadIdx.x + 128]);
    const unsigned long long square =
        (unsigned long long)hidden(factor < 0 ? 0 - x : x) * hidden(factor < 0 ? 0 - x : x);
    CHECK(0, hidden(__funnelshift_r(x, 0xfffffff5u, 1) + y) - hidden(y) == (x >> 1 | 0x80000000u));
    CHECK(1, hidden((unsigned)(((long long)factor * factor - pair) >> 32)) ==
                 (unsigned)(square >> 32) - y - ((unsigned)square < (unsigned)pair));
    CHECK(2, hidden(__mulhi(factor, factor) - 1) == (unsigned)(square >> 32) - 1);
}
KERNEL groups(const unsigned *in, unsigned *wrong) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    unsigned key = in[threadIdx.x] & 3, sum = 0, largest = 0;
    auto same_key = cg::labeled_partition(tile, key);
    unsigned total = cg::reduce(same_key, in[threadIdx.x + 64] & 0xffff, cg::plus<unsigned>());
    unsigned most = cg::reduce(same_key, in[threadIdx.x + 64] & 0xffff, cg::greater<unsigned>());
    for (int i = threadIdx.x & ~31; i < (int)(threadIdx.x | 31) + 1; i++) {
        unsigned v = in[i + 64] & 0xffff;
        if ((in[i] & 3) == key) sum += v, largest = max(largest, v);
    }
    CHECK(0, total == sum);
    CHECK(1, most == largest);
}
__device__ int waits;
KERNEL whole_grid(const unsigned *in, unsigned *wrong) {
    if (threadIdx.x == 0) atomicAdd(&waits, 1);
    cg::this_grid().sync();
    CHECK(0, *(volatile int *)&waits == (int)gridDim.x);
}
KERNEL heap(const unsigned *in, unsigned *wrong) {
    unsigned *p = (unsigned *)malloc(16 + threadIdx.x);
    p[0] = in[threadIdx.x];
    p[3] = threadIdx.x;
    __syncthreads();
    CHECK(0, p[0] == in[threadIdx.x] && p[3] == threadIdx.x);
    free(p);
}
struct shape {
    __device__ virtual int area(int x) const = 0;
};
struct square : shape {
    __device__ int area(int x) const override {
        return x * x;
    }
};
struct line : shape {
    __device__ int area(int x) const override {
        return x;
    }
};
KERNEL virtual_functions(const unsigned *in, unsigned *wrong) {
    square s;
    line l;
    const shape *p = in[threadIdx.x] & 1 ? (const shape *)&s : &l;
    CHECK(0, p->area(threadIdx.x) ==
                 (int)(in[threadIdx.x] & 1 ? threadIdx.x * threadIdx.x : threadIdx.x));
}
