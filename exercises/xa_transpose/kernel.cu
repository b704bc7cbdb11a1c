// Exercise xa: transposes an n x n matrix; n is a multiple of 32. A block of 32 x 32 threads moves
// one tile. As given, the lanes of a warp store a column. Your lines are the whole body: reach 4
// sectors per request for loads and stores, without bank conflicts.
extern "C" __global__ void transpose(int n, const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    out[(blockIdx.x * 32 + x) * n + blockIdx.y * 32 + y] =
        in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
}
