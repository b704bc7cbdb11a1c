// Conditions on the index as nvcc -G compiles them: jumps to what they guard, with jumps past it.

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
