// Multiplies two matrices by libsgemm and prints the first element of the product. Build it with
// CMakeLists.txt, or by the commands below. CUDA is the toolkit's folder, for example
// /usr/local/cuda. If it is build/toolkit, write lib instead of lib64:
//
//     sgemm="$(pkg-config --cflags --libs sgemm)"
//     cc product.c $sgemm -I$CUDA/include -L$CUDA/lib64 -lcudart -Wl,-rpath,$CUDA/lib64
#include <cuda_runtime_api.h>
#include <sgemm.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 3000, N = 2000, K = 1000 };

int main(void) {
    float *a, *b, *c, *host = malloc(sizeof *host * M * K), first = 0;
    const float one = 1, zero = 0;
    sgemm_handle handle;
    if (!host) return fprintf(stderr, "product: not enough host memory\n"), 1;
    if (cudaMalloc((void **)&a, sizeof *a * M * K) || cudaMalloc((void **)&b, sizeof *b * K * N) ||
        cudaMalloc((void **)&c, sizeof *c * M * N)) // fails without a GPU, too
        return fprintf(stderr, "product: not enough memory on the GPU: %s\n",
                       cudaGetErrorString(cudaGetLastError())),
               1;
    for (int i = 0; i < M * K; i++) host[i] = 0.5f;
    cudaMemcpy(a, host, sizeof *a * M * K, cudaMemcpyHostToDevice);
    for (int i = 0; i < K * N; i++) host[i] = 2; // `host` has room: B is smaller than A
    cudaMemcpy(b, host, sizeof *b * K * N, cudaMemcpyHostToDevice);

    const sgemm_problem problem = {
        .order = SGEMM_ROW_MAJOR, .m = M, .n = N, .k = K, .lda = K, .ldb = N, .ldc = N};
    sgemm_plan_info plan;
    if (sgemm_create(&handle, NULL) || sgemm_plan(handle, &problem, &plan) ||
        sgemm_run(handle, &problem, &one, a, b, &zero, c, NULL))
        return fprintf(stderr, "%s\n", sgemm_error()), 1;
    cudaMemcpy(&first, c, sizeof first, cudaMemcpyDeviceToHost);
    printf("C[0][0] = %g by %s, %.0f us expected, %zu bytes of workspace\n", first,
           plan.kernel ? plan.kernel : "cuBLAS", plan.microseconds, plan.workspace);
    sgemm_destroy(handle);
    return 0;
}
