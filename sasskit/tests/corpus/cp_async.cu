// Asynchronous copies of 4, 8 and 16 bytes, with zero fill, in two groups.
// run: --entry cp_async --grid 4 --block 128 --arg u32[512]:file:ua.bin --arg u32[4096]:zero=out:cp_async.out
extern "C" __global__ void cp_async(const unsigned *ua, unsigned *out) {
    __shared__ __align__(16) unsigned words[128 * 8];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned to = (unsigned)__cvta_generic_to_shared(&words[8 * t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(ua + i));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to + 8), "l"(ua + 2 * (i & 255)));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to + 16),
                 "l"(ua + 4 * (i & 127)), "r"(i & 1 ? 16 : 8));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to + 4), "l"(ua + i),
                 "r"(i & 2 ? 4 : 0));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    volatile unsigned *line = &words[8 * (t ^ 1)]; // the words that the neighbouring thread copied
    out[8 * i] = line[0];
    out[8 * i + 2] = line[2];
    out[8 * i + 3] = line[3];
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[8 * i + 1] = line[1];
    for (int k = 4; k < 8; k++) out[8 * i + k] = line[k];
}
