// The copy engine copies boxes of a tensor from global to shared memory, from where the kernel
// writes them out unchanged, and boxes back from shared to global memory.
#include <cuda.h>
#include <stdint.h>

static __device__ unsigned address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void begin(uint64_t *barrier, int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes)
                 : "memory");
}

static __device__ void wait(uint64_t *barrier) {
    asm volatile("{\n"
                 ".reg .pred over;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 over, [%0], 0;\n"
                 "@!over bra again;\n"
                 "}" ::"r"(address(barrier))
                 : "memory");
}

static __device__ void copy_out(const unsigned *tile, int words, unsigned *out) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) out[i] = tile[i];
}

extern "C" __global__ void load2(const __grid_constant__ CUtensorMap map, int x, int y, int words, unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        begin(&barrier, words * 4);
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(tile)),
                     "l"(&map), "r"(x), "r"(y), "r"(address(&barrier))
                     : "memory");
    }
    __syncthreads();
    wait(&barrier);
    copy_out(tile, words, out);
}

extern "C" __global__ void load3(const __grid_constant__ CUtensorMap map, int x, int y, int z, int words,
                                 unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        begin(&barrier, words * 4);
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(address(tile)),
                     "l"(&map), "r"(x), "r"(y), "r"(z), "r"(address(&barrier))
                     : "memory");
    }
    __syncthreads();
    wait(&barrier);
    copy_out(tile, words, out);
}

// The first block of a pair copies to both blocks.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    load_both(const __grid_constant__ CUtensorMap map, int x, int y, int words, unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) begin(&barrier, words * 4);
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(address(tile)),
                     "l"(&map), "r"(x), "r"(y), "r"(address(&barrier)), "h"((unsigned short)3)
                     : "memory");
    wait(&barrier);
    copy_out(tile, words, out + blockIdx.x * words);
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

#ifdef NO_FENCE
#define FENCE
#else
#define FENCE asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#endif

extern "C" __global__ void store2(const __grid_constant__ CUtensorMap map, int x, int y, int words,
                                  const unsigned *in) {
    extern __shared__ __align__(1024) unsigned tile[];
    for (int i = threadIdx.x; i < words; i += blockDim.x) tile[i] = in[i];
    FENCE;
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                     "r"(x), "r"(y), "r"(address(tile))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}
