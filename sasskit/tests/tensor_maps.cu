// The copy engine copies boxes of a tensor to shared memory, from where the kernel writes them out
// unchanged. Boxes are also copied from shared memory into a tensor.
#include <cuda.h>
#include <stdint.h>

static __device__ unsigned address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void begin(uint64_t *barrier, int bytes) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(barrier)));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)),
                 "r"(bytes)
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

extern "C" __global__ void load2(const __grid_constant__ CUtensorMap map, int x, int y, int words,
                                 unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        begin(&barrier, words * 4);
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
            "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(tile)),
            "l"(&map), "r"(x), "r"(y), "r"(address(&barrier))
            : "memory");
    }
    __syncthreads();
    wait(&barrier);
    copy_out(tile, words, out);
}

extern "C" __global__ void load3(const __grid_constant__ CUtensorMap map, int x, int y, int z,
                                 int words, unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        begin(&barrier, words * 4);
        asm volatile(
            "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
            "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(address(tile)),
            "l"(&map), "r"(x), "r"(y), "r"(z), "r"(address(&barrier))
            : "memory");
    }
    __syncthreads();
    wait(&barrier);
    copy_out(tile, words, out);
}

// The first block of a pair copies a box to both blocks.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    load_both(const __grid_constant__ CUtensorMap map, int x, int y, int words, unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) begin(&barrier, words * 4);
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (threadIdx.x == 0 && blockIdx.x == 0)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
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
        asm volatile(
            "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::
                "l"(&map),
            "r"(x), "r"(y), "r"(address(tile))
            : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

// Changes a copy of the map in shared memory, publishes it in global memory, and loads a box by it.
// New map: tensor `other`, rows of `width` elements, `stride` bytes apart; boxes of `rows` rows.
extern "C" __global__ void replaced(const __grid_constant__ CUtensorMap map, CUtensorMap *published,
                                    const unsigned *other, int width, int height, long long stride,
                                    int rows, int x, int y, int words, unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ __align__(128) unsigned copy[32];
    __shared__ uint64_t barrier;
    copy[threadIdx.x] = ((const unsigned *)&map)[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
#define REPLACE(field, size, text, ...) \
    asm volatile("tensormap.replace.tile." field ".shared::cta.b1024.b" size " [%0], " text \
                 ";" ::"r"(address(copy)), \
                 __VA_ARGS__ \
                 : "memory")
        REPLACE("global_address", "64", "%1", "l"(other));
        REPLACE("global_dim", "32", "0, %1", "r"(width));
        REPLACE("global_dim", "32", "1, %1", "r"(height));
        REPLACE("global_stride", "64", "0, %1", "l"(stride));
        REPLACE("box_dim", "32", "1, %1", "r"(rows));
    }
    __syncwarp();
    asm volatile(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
        "[%0], [%1], 128;" ::"l"(published),
        "r"(address(copy))
        : "memory");
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(published)
                 : "memory");
    if (threadIdx.x == 0) {
        begin(&barrier, words * 4);
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
            "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(tile)),
            "l"(published), "r"(x), "r"(y), "r"(address(&barrier))
            : "memory");
    }
    __syncwarp();
    wait(&barrier);
    copy_out(tile, words, out);
}

// Loads a box by a map that the simulator refuses; `which` selects what is changed in the map.
extern "C" __global__ void strange(const __grid_constant__ CUtensorMap map, CUtensorMap *published,
                                   int which, unsigned *out) {
    extern __shared__ __align__(1024) unsigned tile[];
    __shared__ __align__(128) unsigned copy[32];
    __shared__ uint64_t barrier;
    copy[threadIdx.x] = ((const unsigned *)&map)[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0 && which == 0) REPLACE("element_stride", "32", "0, %1", "r"(2));
    if (threadIdx.x == 0 && which == 1)
        asm volatile(
            "tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%0], 1;" ::"r"(address(copy))
            : "memory");
    if (threadIdx.x == 0 && which == 2)
        asm volatile("tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%0], 3;" ::"r"(
                         address(copy))
                     : "memory");
    __syncwarp();
    ((unsigned *)published)[threadIdx.x] = copy[threadIdx.x];
    __syncwarp();
    if (threadIdx.x == 0) {
        begin(&barrier, 128);
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
            "[%0], [%1, {%2, %3}], [%4];" ::"r"(address(tile)),
            "l"(published), "r"(0), "r"(0), "r"(address(&barrier))
            : "memory");
    }
    __syncwarp();
    wait(&barrier);
    copy_out(tile, 32, out);
}
