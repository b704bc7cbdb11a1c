// Return values of atomics: each ticket is given out exactly once.
// run: --entry atomic_ticket --grid 4 --block 128 --arg u32[640]:zero=out:atomic_ticket.out
__device__ unsigned next, turn;

extern "C" __global__ void atomic_ticket(unsigned *out) {
    unsigned ticket = atomicAdd(&next, 1);
    atomicAdd(&out[ticket], 1 + (ticket >= 512));
    unsigned slot = atomicInc(&turn, 127);
    atomicAdd(&out[512 + slot], 1);
}
