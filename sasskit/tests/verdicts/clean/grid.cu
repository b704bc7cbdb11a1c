// Blocks that wait for each other, locks, and queues of work, all in device memory and correct, in
// the styles of several projects. `run:` is explained in ../list.awk.

// Every thread increments a counter, then polls it until all threads have done so.
// run: --grid 2 --block 32 --arg i32[1]:zero --arg i32[64]:zero
extern "C" __global__ void grid_rounds_by_every_thread(int *c, int *out) {
    for (int r = 0; r < 6; r++) {
        atomicAdd(c, 1);
        while (*(volatile int *)c < (r + 1) * 32 * (int)gridDim.x)
            ;
    }
    out[blockIdx.x * 32 + threadIdx.x] = *(volatile int *)c;
}

// One thread per block arrives and waits, between two __syncthreads().
// run: --grid 6 --block 96 --arg i32[1]:zero --arg i32[576]:zero
extern "C" __global__ void grid_barrier_by_leaders(int *c, int *out) {
    for (int r = 0; r < 4; r++) {
        out[blockIdx.x * 96 + threadIdx.x] += r;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(c, 1);
            while (atomicAdd(c, 0) < (r + 1) * (int)gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

// A sense-reversing barrier: the last block to arrive resets the counter.
// run: --grid 5 --block 64 --arg i32[2]:zero --arg i32[320]:zero
extern "C" __global__ void grid_barrier_of_two_senses(int *c, int *out) {
    volatile int *sense = c + 1;
    for (int r = 0; r < 5; r++) {
        out[blockIdx.x * 64 + threadIdx.x] = r;
        __syncthreads();
        if (threadIdx.x == 0) {
            const int before = *sense;
            __threadfence();
            if (atomicAdd(c, 1) == (int)gridDim.x - 1) {
                c[0] = 0;
                __threadfence();
                *sense = before + 1;
            } else {
                while (*sense == before)
                    ;
            }
            __threadfence();
        }
        __syncthreads();
    }
}

// Each block waits for the previous block and signals the next. The second warp exits at once.
// run: --grid 9 --block 64 --arg i32[10]:zero --arg i32[9]:zero
extern "C" __global__ void grid_chain_whose_warps_end(int *flag, int *sum) {
    if (threadIdx.x >= 32) return;
    if (blockIdx.x > 0 && threadIdx.x == 0)
        while (*(volatile int *)&flag[blockIdx.x] == 0)
            ;
    __syncwarp();
    if (threadIdx.x == 0) {
        __threadfence();
        sum[blockIdx.x] = (blockIdx.x ? *(volatile int *)&sum[blockIdx.x - 1] : 0) + 1;
        __threadfence();
        *(volatile int *)&flag[blockIdx.x + 1] = 1;
    }
}

// One thread per warp acquires a lock, and pauses longer after each failed attempt.
// run: --grid 4 --block 128 --arg i32[1]:zero --arg i32[1]:zero
extern "C" __global__ void grid_lock_with_backoff(int *lock, int *value) {
    if (threadIdx.x % 32 == 0) {
        unsigned pause = 8;
        while (atomicCAS(lock, 0, 1) != 0) {
            __nanosleep(pause);
            if (pause < 256) pause *= 2;
        }
        __threadfence();
        *(volatile int *)value += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

// A ticket lock in device memory.
// run: --grid 3 --block 64 --arg i32[2]:zero --arg i32[1]:zero
extern "C" __global__ void grid_ticket_lock(int *lock, int *value) {
    if (threadIdx.x % 32 == 0) {
        const int ticket = atomicAdd(&lock[0], 1);
        while (*(volatile int *)&lock[1] != ticket)
            ;
        __threadfence();
        *(volatile int *)value += 1;
        __threadfence();
        *(volatile int *)&lock[1] = ticket + 1;
    }
}

// Every lane acquires the lock for itself, in a loop that lanes leave at different times.
// run: --grid 1 --block 64 --arg i32[1]:zero --arg i32[1]:zero
extern "C" __global__ void grid_lock_by_each_lane_and_break(int *lock, int *value) {
    for (;;) {
        if (atomicExch(lock, 1) == 0) {
            __threadfence();
            *(volatile int *)value += 1;
            __threadfence();
            atomicExch(lock, 0);
            break;
        }
    }
}

// A queue of work: blocks take items by a counter until all 128 are done.
// run: --grid 4 --block 64 --arg i32[1]:zero --arg i32[128]:zero --arg i32[128]:zero
extern "C" __global__ void grid_work_by_tickets(int *next, int *done, int *out) {
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(next, 1);
        __syncthreads();
        const int i = item;
        __syncthreads();
        if (i >= 128) return;
        if (threadIdx.x == 0) out[i] = i * i, done[i] = 1;
    }
}

// The last block to arrive sums what all blocks wrote.
// run: --grid 7 --block 64 --arg i32[448]:random:1 --arg i32[7]:zero --arg i32[2]:zero
extern "C" __global__ void grid_last_block_adds_up(const int *in, int *part, int *state) {
    __shared__ int sum, last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&state[0], 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < (int)gridDim.x; i++) all += ((volatile int *)part)[i];
        state[1] = all;
    }
}

// Threads of two blocks advance in step. Each lane polls a word of its own.
// run: --grid 2 --block 32 --arg i32[64]:zero
extern "C" __global__ void grid_tokens_of_each_lane(int *token) {
    volatile int *mine = &token[blockIdx.x * 32 + threadIdx.x], *other = &token[(blockIdx.x ^ 1) * 32 + threadIdx.x];
    for (int r = 1; r <= 4; r++) {
        *mine = r;
        while (*other < r)
            ;
    }
}
