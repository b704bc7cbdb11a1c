// Indices that leave an array on a thread's stack, but not the stack. The code is compiled for a
// debugger (-G), so that it says where each variable lies. `run:`, `says:`: see ../list.awk.

// run: --grid 1 --block 32 --arg i32:6 --arg f32[64]:random:1 --arg f32[32]:zero
// says: address local-index @ for (int i = 0; i < n; i++) a[i] = in[threadIdx.x + i];
extern "C" __global__ void stack_into_neighbour(int n, const float *in, float *out) {
    float a[4], b[8];
    for (int i = 0; i < 8; i++) b[i] = in[i];
    for (int i = 0; i < n; i++) a[i] = in[threadIdx.x + i];
    out[threadIdx.x] = a[0] * b[0] + a[3] * b[7];
}
// run: --grid 1 --block 32 --arg i32:1 --arg f32[64]:random:1 --arg f32[32]:zero
// says: address local-index @ for (int i = 3; i >= 0; i--) a[i] += a[i - n];
extern "C" __global__ void stack_before_the_first(int n, const float *in, float *out) {
    float other[4], a[4];
    for (int i = 0; i < 4; i++) other[i] = 0, a[i] = in[i];
    for (int i = 3; i >= 0; i--) a[i] += a[i - n];
    out[threadIdx.x] = a[0] + other[3];
}
struct entry {
    float key;
    int at;
};
// run: --grid 1 --block 32 --arg i32:4 --arg f32[64]:random:1 --arg f32[32]:zero
// says: address local-index @ for (int i = 0; i < n; i++) list[i].at = i;
extern "C" __global__ void stack_of_structures(int n, const float *in, float *out) {
    entry list[3];
    float kept[3];
    for (int i = 0; i < 3; i++) kept[i] = in[i], list[i].key = 0;
    for (int i = 0; i < n; i++) list[i].at = i;
    out[threadIdx.x] = kept[0] + list[1].at;
}
__device__ __noinline__ float best_of(const float *x, int n) {
    float best[4];
    int where[2];
    where[0] = 0, where[1] = 1;
    for (int i = 0; i < n; i++) best[i] = x[i];
    return best[where[0]] + best[where[1]];
}
// run: --grid 1 --block 32 --arg i32:5 --arg f32[64]:random:1 --arg f32[32]:zero
// says: address local-index @ for (int i = 0; i < n; i++) best[i] = x[i];
extern "C" __global__ void stack_of_a_function(int n, const float *in, float *out) {
    out[threadIdx.x] = best_of(in + threadIdx.x, n);
}
