// Asynchronous copies that are not waited for, or not by all.
#include <cuda_pipeline.h>

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race: `LDS.* asynchronous copy
extern "C" __global__ void copy_never_waited_for(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race: `LDS.* reads shared memory .* warp . wrote
extern "C" __global__ void copy_without_barrier(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[128]:random:1 --arg f32[64]:zero
// says: race: `LDS.* asynchronous copy
extern "C" __global__ void copy_one_group_too_few(const float *in, float *out) {
    __shared__ float s[2][64];
    for (int t = 0; t < 2; t++) {
        __pipeline_memcpy_async(&s[t][threadIdx.x], &in[t * 64 + threadIdx.x], 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[threadIdx.x] = s[1][63 - threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race: `LDS.* asynchronous copy
extern "C" __global__ void copy_not_committed(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race: `STS.* asynchronous copy
extern "C" __global__ void copy_overwritten(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    s[threadIdx.x] = 0;
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32:1 --arg f32[64]:random:1 --arg f32[64]:zero
// says: race: `LD\..* asynchronous copy
extern "C" __global__ void copy_read_by_generic_pointer(int which, const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    const float *from = which ? s : in;
    out[threadIdx.x] = from[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[512]:random:1 --arg f32[64]:zero
// says: race: `LDGSTS.* shared memory .* read since
extern "C" __global__ void copy_into_what_others_read(const float *in, float *out) {
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < 8; t++) {
        __pipeline_memcpy_async(&s[threadIdx.x], &in[t * 64 + threadIdx.x], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s[63 - threadIdx.x];
    }
    out[threadIdx.x] = sum;
}
// run: --grid 1 --block 64 --arg f32[63]:random:1 --arg f32[64]:zero
// says: bad address: `LDGSTS.* past the end
extern "C" __global__ void copy_beyond_the_source(const float *in, float *out) {
    __shared__ float s[64];
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = s[threadIdx.x];
}
