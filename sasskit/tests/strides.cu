// Measures how many cycles the L1 takes per load of 32 words by a warp when all of them hit. The
// lanes' distance in words varies. Prints docs/results/h200/strides.csv.
//
//     nvcc -arch=sm_90 -o strides sasskit/tests/strides.cu && ./strides
//
// One block of 32 warps keeps the L1 busy. Each thread loads along four chains: it adds the loaded
// value, which is 0, to the chain's address, so the compiler cannot remove a load.
#include <stdio.h>

extern "C" __global__ void strides(const int *base, int stride, int rounds, long long *cycles,
                                   float *sink) {
    const int *at[4];
    for (int j = 0; j < 4; j++) at[j] = base + threadIdx.x % 32 * stride + j * 64;
    int sum = 0;
    for (int j = 0; j < 4; j++) sum += *at[j]; // from here on, all loads hit in L1
    __syncthreads();
    const long long start = clock64();
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < 4; j++) at[j] += *at[j];
    }
    __syncthreads();
    if (threadIdx.x == 0) *cycles = clock64() - start;
    for (int j = 0; j < 4; j++) sum += (int)(at[j] - base);
    sink[threadIdx.x] = (float)sum;
}

int main(void) {
    static const int distances[] = {0,  1,  2,  3,  4,  5,   6,   7,   8,   9,   10,   11,  12,
                                    13, 15, 16, 17, 20, 24,  25,  31,  32,  33,  40,   41,  48,
                                    49, 64, 65, 96, 97, 128, 129, 256, 257, 513, 1024, 1025};
    enum { ROUNDS = 256, THREADS = 1024, TRIES = 5 };
    int *base;
    float *sink;
    long long *device, cycles;
    cudaMalloc(&base, 1 << 20);
    cudaMemset(base, 0, 1 << 20);
    cudaMalloc(&sink, THREADS * sizeof *sink);
    cudaMalloc(&device, sizeof *device);
    printf("words,cycles\n");
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        long long least = 1LL << 60;
        for (int t = 0; t < TRIES; t++) {
            strides<<<1, THREADS>>>(base, distances[i], ROUNDS, device, sink);
            cudaMemcpy(&cycles, device, sizeof cycles, cudaMemcpyDeviceToHost);
            if (cycles < least) least = cycles;
        }
        printf("%d,%.3f\n", distances[i], (double)least / (ROUNDS * 16.0 * THREADS / 32));
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) fprintf(stderr, "strides: %s\n", cudaGetErrorString(error));
    return error != cudaSuccess;
}
