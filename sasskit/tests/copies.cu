// Each launch executes one LDGSTS. It copies rows of `lanes` pieces from `from` to shared memory;
// each lane copies one piece of SIZE bytes.
extern __shared__ __align__(128) char s[];
template <int SIZE, bool CG> __device__ void one(const char *from, int to, unsigned fill) {
    unsigned a = (unsigned)__cvta_generic_to_shared(s) + to;
    if (CG)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(a), "l"(from),
                     "r"(fill));
    else if (SIZE == 16)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(a), "l"(from),
                     "r"(fill));
    else if (SIZE == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(a), "l"(from), "r"(fill));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(a), "l"(from), "r"(fill));
}
#define KERNEL(name, SIZE, CG) \
    extern "C" __global__ void name(const char *from, int shift, int lanes, int stride, \
                                    int column, int to, int to_stride, int to_column, \
                                    unsigned active, unsigned filled, int *out) { \
        const int l = threadIdx.x, r = l / lanes, c = l % lanes; \
        if (active >> l & 1) \
            one<SIZE, CG>(from + shift + (long)r * stride + c * column, \
                          to + r * to_stride + c * to_column, (filled >> l & 1) ? SIZE : 0); \
        asm volatile("cp.async.wait_all;" ::: "memory"); \
        __syncthreads(); \
        if (out) out[l] = ((int *)s)[l]; \
    }
KERNEL(copy4, 4, false)
KERNEL(copy8, 8, false)
KERNEL(copy16, 16, false)
KERNEL(copy16cg, 16, true)
