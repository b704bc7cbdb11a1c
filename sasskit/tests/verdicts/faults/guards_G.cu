// Wrong conditions on the index, compiled with -G: jumps to the guarded code and past it.

// run: --grid 2 --block 64 --arg i32:100 --arg f32[100]:random:1 --arg f32[100]:nan
// says: address guard-inverted @ out[i] = in[i];
extern "C" __global__ void guards_return_inverted(int n, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) return;
    out[i] = in[i];
}
// run: --grid 2,2 --block 16,16 --arg i32:20 --arg i32:20 --arg f32[400]:random:1 --arg f32[400]:nan
// says: address guard-too-wide @ out[row * cols + col] = in[row * cols + col];
extern "C" __global__ void guards_rows_only(int rows, int cols, const float *in, float *out) {
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= rows) return;
    out[row * cols + col] = in[row * cols + col];
}
// run: --grid 2 --block 64 --arg i32:100 --arg f32[100]:random:1 --arg f32[100]:nan
// says: address wrong-buffer @ if (i < n) out[i] = in[i + n];
extern "C" __global__ void guards_offset(int n, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i + n];
}
// run: --grid 2 --block 64 --arg i32:100 --arg f32[100]:random:1 --arg f32[100]:nan
// says: address guard-missing @ out[i] = in[i];
extern "C" __global__ void guards_none(int n, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// -G loads a float2 as two words. Only the second word of the last float2 is out of range.
// run: --grid 1 --block 32,4 --arg i32:4 --arg i32:62 --arg f32[248]:random:1 --arg f32[248]:nan
// says: address misaligned @ float2 v = *(const float2 *)(in + row * n + col);
extern "C" __global__ void guards_odd_column(int m, int n, const float *in, float *out) {
    int row = threadIdx.y, col = 2 * threadIdx.x + 1;
    if (row < m && col < n) {
        float2 v = *(const float2 *)(in + row * n + col);
        out[row * n + col] = v.x + v.y;
    }
}
// -G also copies structures word by word. A copied word is checked only when it is used: here after
// a barrier, in the next kernel before another lane's store.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-barrier @ int2 v = s[63 - t];
extern "C" __global__ void copied_then_synchronised(const int *in, int *out) {
    __shared__ int2 s[64];
    int t = threadIdx.x;
    s[t] = make_int2(in[t], t);
    int2 v = s[63 - t];
    __syncthreads();
    s[t] = v;
    __syncthreads();
    out[t] = s[t].x + s[t].y;
}
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: race missing-syncwarp @ s[t].y = sum;
extern "C" __global__ void copied_and_used(const int *in, int *out) {
    __shared__ int2 s[64];
    int t = threadIdx.x;
    s[t] = make_int2(in[t], t);
    __syncthreads();
    int2 v = s[t ^ 1];
    int sum = v.x + v.y;
    s[t].y = sum;
    out[t] = sum;
}
// With -G, atomicAdd() is a function call. Its result is not used, so the atomic is not a flag.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[1]:zero
// says: race missing-barrier @ s[threadIdx.x] = in[threadIdx.x] & 1023;
extern "C" __global__ void added_without_a_flag(const int *in, int *total) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x] & 1023;
    int sum = 0;
    if (threadIdx.x == 0)
        for (int k = 0; k < 64; k++) sum += s[k];
    if (threadIdx.x == 0) atomicAdd(total, sum);
}
