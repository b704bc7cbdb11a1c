// Wrappers of PTX instructions for the test kernels of this folder: mbarriers, partial barriers,
// clusters, bulk copies. at() converts a pointer to a shared-memory address.
#ifndef VERDICTS_MBARRIER_H
#define VERDICTS_MBARRIER_H

static __device__ unsigned at(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}
static __device__ void init(unsigned long long *bar, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(bar)), "r"(arrivals) : "memory");
}
static __device__ void arrive(unsigned long long *bar) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(bar)) : "memory");
}
static __device__ void expect(unsigned long long *bar, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(bar)), "r"(bytes) : "memory");
}
static __device__ void wait(unsigned long long *bar, unsigned parity) {
    asm volatile(
        "{.reg .pred p;\nagain: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@!p bra again;}" ::"r"(at(bar)),
        "r"(parity)
        : "memory");
}
static __device__ void copy(void *to, const void *from, unsigned bytes, unsigned long long *bar) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(to)),
        "l"(from), "r"(bytes), "r"(at(bar))
        : "memory");
}

// The address of `p` in block `rank` of the cluster, as arrive_remote() takes it.
static __device__ unsigned remote(const void *p, unsigned rank) {
    unsigned to;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at(p)), "r"(rank));
    return to;
}
static __device__ void arrive_remote(unsigned bar) {
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(bar) : "memory");
}
static __device__ void wait_cluster(unsigned long long *bar, unsigned parity) {
    asm volatile("{.reg .pred p;\nagain: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
                 "@!p bra again;}" ::"r"(at(bar)),
                 "r"(parity)
                 : "memory");
}
static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
// Copies to the address `to` in every block of the mask `blocks` and signals `bar` there.
static __device__ void multicast(void *to, const void *from, unsigned bytes, unsigned long long *bar, short blocks) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(at(to)),
                 "l"(from), "r"(bytes), "r"(at(bar)), "h"(blocks)
                 : "memory");
}

// SYNC is a barrier for n threads of the block; ARRIVE arrives there without waiting.
#define SYNC(id, n)   asm volatile("bar.sync %0, %1;" ::"n"(id), "n"(n) : "memory")
#define ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"n"(id), "n"(n) : "memory")

#endif
