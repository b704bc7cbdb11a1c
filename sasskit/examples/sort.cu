// A kernel that uses CUB, which comes with CUDA: each block sorts 512 numbers, 4 per thread.
//
//     nvcc -cubin -arch=sm_90 -std=c++17 -lineinfo sort.cu -o sort.cubin
#include <cub/block/block_radix_sort.cuh>

enum { THREADS = 128, EACH = 4 };

// Sorts each block's 512 numbers of `keys` in place, ascending.
extern "C" __global__ void sort(unsigned *keys) {
    using Sort = cub::BlockRadixSort<unsigned, THREADS, EACH>;
    __shared__ typename Sort::TempStorage scratch;
    unsigned own[EACH], *first = keys + (blockIdx.x * THREADS + threadIdx.x) * EACH;
    for (int i = 0; i < EACH; i++) own[i] = first[i];
    Sort(scratch).Sort(own);
    for (int i = 0; i < EACH; i++) first[i] = own[i];
}
