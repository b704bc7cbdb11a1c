// Faults that abort or hang a launch, and one race, in the styles of other projects' kernels.
#include "../mbarrier.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The owner never releases its lock. The report must name the word that the others poll.
// run: --grid 4 --block 32 --arg i32[2]:zero --arg i32[4]:zero
// says: endless polls-for-ever @ while (atomicCAS(&lock[blockIdx.x & 1], 0, 1)) continue;
extern "C" __global__ void lock_that_is_kept(int *lock, int *out) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock[blockIdx.x & 1], 0, 1)) continue;
    __threadfence();
    out[blockIdx.x] = 1;
}

// The lock is taken in words[1] but released in words[2], so it is never free again.
// run: --grid 2 --block 64 --arg u64[4]:zero
// says: endless polls-for-ever @ while (atomicExch(&words[1], 1ull)) continue;
extern "C" __global__ void lock_released_in_another_word(unsigned long long *words) {
    if (threadIdx.x != 0) return;
    while (atomicExch(&words[1], 1ull)) continue;
    words[3]++;
    __threadfence();
    atomicExch(&words[2], 0ull);
}

// The sum that a lock guards is stored after the lock was released. The sum is volatile.
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
// A table of function pointers has a null entry.
// run: --grid 1 --block 32 --arg u64[2]:zero --arg i32[32]:zero
// says: address null-function @ out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x);
extern "C" __global__ void function_that_is_null(const function *table, int *out) {
    out[threadIdx.x] = table[threadIdx.x & 1](threadIdx.x);
}

struct node {
    node *next;
    int value;
};
// A list is walked after its node was freed: `next` is read from freed memory.
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
