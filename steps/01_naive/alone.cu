// Lesson 01 as a program that requires only CUDA: multiplies two matrices, checks C on the CPU and
// times the kernel.
//
//     nvcc -O3 -arch=native -o alone steps/01_naive/alone.cu && ./alone 1024
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define TILE 32 // a block of 32 x 32 threads computes a 32 x 32 tile of C

// C = A B; all matrices are n x n and row-major. Like kernel.cu's variant `coalesced`, without
// leading dimensions, alpha and beta.
__global__ void multiply(int n, const float *A, const float *B, float *C) {
    int row = blockIdx.y * TILE + threadIdx.x / TILE;
    int col = blockIdx.x * TILE + threadIdx.x % TILE;
    if (row >= n || col >= n) return;
    float acc = 0.0f;
    for (int k = 0; k < n; k++) acc += A[(size_t)row * n + k] * B[(size_t)k * n + col];
    C[(size_t)row * n + col] = acc;
}

// Exits with a message if a CUDA call failed. A kernel's error is returned by a later call.
static void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "alone: CUDA: %s\n", cudaGetErrorString(status));
    exit(1);
}

// Returns the largest error, relative to the sum of the products' magnitudes. Rounding n times in
// FP32 gives at most n * 2^-24.
static double largest_error(int n, const float *A, const float *B, const float *C) {
    double largest = 0;
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < n; k++) {
                double product = (double)A[(size_t)row * n + k] * B[(size_t)k * n + col];
                sum += product;
                magnitude += fabs(product);
            }
            double error = fabs(C[(size_t)row * n + col] - sum) / magnitude;
            if (!(error <= largest)) largest = error == error ? error : INFINITY; // NaN is infinite
        }
    return largest;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    if (n < 1 || n > 16384)
        return fprintf(stderr, "alone: %s: expected a size from 1 to 16384\n", argv[1]), 2;
    size_t elements = (size_t)n * n, bytes = elements * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes), *A,
          *B, *C;
    for (size_t i = 0; i < elements; i++) {
        a[i] = rand() / (float)RAND_MAX - 0.5f;
        b[i] = rand() / (float)RAND_MAX - 0.5f;
    }
    check(cudaMalloc(&A, bytes));
    check(cudaMalloc(&B, bytes));
    check(cudaMalloc(&C, bytes));
    check(cudaMemcpy(A, a, bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(B, b, bytes, cudaMemcpyHostToDevice));

    dim3 blocks((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    multiply<<<blocks, TILE * TILE>>>(n, A, B, C); // not timed: the first launch loads the kernel
    check(cudaGetLastError());
    check(cudaMemcpy(c, C, bytes, cudaMemcpyDeviceToHost)); // waits for the kernel
    double error = largest_error(n, a, b, c), limit = n * pow(2, -24);
    printf("largest error %.2g, limit %.2g: %s\n", error, limit,
           error <= limit ? "right" : "WRONG");

    cudaEvent_t start, stop;
    float milliseconds;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    check(cudaEventRecord(start));
    multiply<<<blocks, TILE * TILE>>>(n, A, B, C);
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&milliseconds, start, stop));
    printf("%d x %d x %d: %.3f ms, %.2f TFLOP/s\n", n, n, n, milliseconds,
           2e-9 * n * n * n / milliseconds);
    return error <= limit ? 0 : 1;
}
