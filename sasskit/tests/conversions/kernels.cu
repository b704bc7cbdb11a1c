// A kernel per source type: from_F32 and so on. Each thread converts one value by every conversion
// from that type that the architecture has. `in` has N values of 64 bits. `out` has a row of N
// results for each conversion.
typedef unsigned long long u64;
#define ARCH (__CUDA_ARCH__ / 10)

// For each type: its C type in a register, and its constraint letter in asm.
#define REGISTER_F32       unsigned, "r"
#define REGISTER_WHOLE_F32 REGISTER_F32
#define REGISTER_TF32      REGISTER_F32
#define REGISTER_F64       u64, "l"
#define REGISTER_WHOLE_F64 REGISTER_F64
#define REGISTER_F16       unsigned short, "h"
#define REGISTER_WHOLE_F16 REGISTER_F16
#define REGISTER_BF16      REGISTER_F16
#define REGISTER_S8        REGISTER_F16
#define REGISTER_U8        REGISTER_F16
#define REGISTER_S16       REGISTER_F16
#define REGISTER_U16       REGISTER_F16
#define REGISTER_S32       unsigned, "r"
#define REGISTER_U32       unsigned, "r"
#define REGISTER_S64       u64, "l"
#define REGISTER_U64       u64, "l"
#define PAIR_F16           unsigned, "r"
#define PAIR_BF16          PAIR_F16
#define PAIR_E4M3          unsigned short, "h"
#define PAIR_E5M2          PAIR_E4M3

#define EMIT_(to, to_letter, from, from_letter, text) \
    { \
        to result; \
        asm volatile(text " %0, %1;" : "=" to_letter(result) : from_letter((from)a)); \
        *out = result; \
    }
#define EMIT_TWO_(to, to_letter, from, from_letter, text) \
    { \
        to result; \
        asm volatile(text " %0, %1, %2;" \
                     : "=" to_letter(result) \
                     : from_letter((from)a), from_letter((from)b)); \
        *out = result; \
    }
#define EMIT(...)     EMIT_(__VA_ARGS__)
#define EMIT_TWO(...) EMIT_TWO_(__VA_ARGS__)
// CVT_75 and so on: a conversion that the architecture lacks becomes NONE, which skips its row.
#define CVT(to, from, text, rounding, flags, arch)  CVT_##arch(to, from, text)
#define PACK(to, from, text, rounding, flags, arch) PACK_##arch(to, from, text)
#define PAIR(to, from, text, rounding, flags, arch) PAIR_##arch(to, from, text)
#define ONE(to, from, text)                         EMIT(REGISTER_##to, REGISTER_##from, text) out += N;
#define BOTH(to, from, text)                        EMIT_TWO(PAIR_##to, REGISTER_##from, text) out += N;
#define HALVES(to, from, text)                      EMIT(PAIR_##to, PAIR_##from, text) out += N;
#define NONE(to, from, text)                        out += N;

#define CVT_75 ONE
#if !defined __CUDA_ARCH__ || ARCH >= 80
#define CVT_80  ONE
#define PACK_80 BOTH
#else
#define CVT_80  NONE
#define PACK_80 NONE
#endif
#if !defined __CUDA_ARCH__ || ARCH >= 89
#define PACK_89 BOTH
#define PAIR_89 HALVES
#else
#define PACK_89 NONE
#define PAIR_89 NONE
#endif
#if !defined __CUDA_ARCH__ || ARCH >= 90
#define CVT_90 ONE
#else
#define CVT_90 NONE
#endif

#define SOURCE(type) \
    extern "C" __global__ void from_##type(int N, const u64 *in, u64 *out) { \
        const int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i >= N) return; \
        [[maybe_unused]] const u64 a = in[i], b = in[(i + 7) % N]; \
        out += i;
#define END(type) }
#include "sources.h"
