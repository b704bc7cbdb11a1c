// Faults that end a launch or would never let it end, in the styles of others' kernels.
#include "../mbarrier.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// A lock that its owner keeps: the word that the others poll is named.
// run: --grid 4 --block 32 --arg i32[2]:zero --arg i32[4]:zero
// says: endless polls-for-ever @ while (atomicCAS(&lock[blockIdx.x & 1], 0, 1)) continue;
extern "C" __global__ void lock_that_is_kept(int *lock, int *out) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock[blockIdx.x & 1], 0, 1)) continue;
    __threadfence();
    out[blockIdx.x] = 1;
}

// A stack of nodes whose head is popped twice by a lock that spins on another word.
// run: --grid 2 --block 64 --arg u64[4]:zero
// says: endless polls-for-ever @ while (atomicExch(&words[1], 1ull)) continue;
extern "C" __global__ void lock_released_in_another_word(unsigned long long *words) {
    if (threadIdx.x != 0) return;
    while (atomicExch(&words[1], 1ull)) continue;
    words[3]++;
    __threadfence();
    atomicExch(&words[2], 0ull);
}

// The sum that a lock guards is stored after the lock was given back; all is volatile.
// run: --grid 4 --block 32 --arg i32[1]:zero --arg i32[1]:zero --races global
// says: global-race flag-without-fence @ const int before = data[0];
extern "C" __global__ void store_after_the_unlock(int *lock, volatile int *data) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1)) continue;
    __threadfence();
    const int before = data[0];
    atomicExch(lock, 0);
    data[0] = before + 1;
}

typedef int (*function)(int);
// A table of functions with an empty entry.
// run: --grid 1 --block 32 --arg u64[2]:zero --arg i32[32]:zero
// says: address null-function @ out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x);
extern "C" __global__ void function_that_is_null(const function *table, int *out) {
    out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x);
}

struct node {
    node *next;
    int value;
};
// A list is walked after its node was freed; what is there now never ends the loop.
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: address freed @ for (volatile node *n = list; n; n = n->next) sum += n->value;
extern "C" __global__ void list_walked_after_it_was_freed(int *out) {
    node *list = (node *)malloc(sizeof(node));
    int sum = 0;
    list->next = nullptr, list->value = 3;
    free(list);
    for (volatile node *n = list; n; n = n->next) sum += n->value;
    out[threadIdx.x] = sum;
}

// The second block of a pair expects more bytes than its copy brings; the first waits for it at the
// cluster's barrier.
// run: --grid 2 --block 64 --arg i32[64]:random:1 --arg i32[128]:zero
// says: endless polls-for-ever @ wait(&full, 0);
extern "C" __global__ __cluster_dims__(2, 1, 1) void cluster_waits_for_bytes_of_one_block(const int *in, int *out) {
    __shared__ __align__(128) int s[64];
    __shared__ unsigned long long full;
    cg::cluster_group pair = cg::this_cluster();
    if (threadIdx.x == 0) init(&full, 1);
    pair.sync();
    if (threadIdx.x == 0) expect(&full, pair.block_rank() == 1 ? 512 : 256), copy(s, in, 256, &full);
    wait(&full, 0);
    out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
    pair.sync();
}

// The consumers of a ring release a stage to the wrong block of the pair.
// run: --grid 2 --block 32 --arg i32[256]:random:1 --arg i32[512]:zero
// says: endless polls-for-ever @ if (k >= 2) wait(&empty[k % 2], (k / 2 - 1) % 2);
extern "C" __global__ __cluster_dims__(2, 1, 1) void ring_whose_stages_are_released_to_nobody(const int *in, int *out) {
    __shared__ __align__(128) int s[2][32];
    __shared__ unsigned long long full[2], empty[2];
    if (threadIdx.x < 2) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 32);
    cg::this_cluster().sync();
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        if (k >= 2) wait(&empty[k % 2], (k / 2 - 1) % 2);
        if (threadIdx.x == 0) expect(&full[k % 2], 128), copy(s[k % 2], in + k * 32, 128, &full[k % 2]);
        wait(&full[k % 2], k / 2 % 2);
        out[(blockIdx.x * 8 + k) * 32 + threadIdx.x] = s[k % 2][threadIdx.x];
        if (cg::this_cluster().block_rank() == 0) arrive(&empty[k % 2]);
    }
    cg::this_cluster().sync();
}
