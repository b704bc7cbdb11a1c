// Exercise xa: out = in transposed, n x n, n a multiple of 32; a block of 32 x 32 threads moves one tile. As it is, the lanes of a warp store
// a column. Bring it to 4 sectors a request both ways, and no bank conflict.
extern "C" __global__ void transpose(int n, const float *in, float *out) {
    int x = threadIdx.x, y = threadIdx.y;
    out[(blockIdx.x * 32 + x) * n + blockIdx.y * 32 + y] = in[(blockIdx.y * 32 + y) * n + blockIdx.x * 32 + x];
}
