// A 16 x 32 matrix is transposed through padded shared memory.
// run: --entry transpose --grid 1 --block 32,4 --arg f32[512]:file:fu.bin --arg f32[512]:zero=out:transpose.out
extern "C" __global__ void transpose(const float *fu, float *out) {
    __shared__ float tile[32][17];
    int x = threadIdx.x, y = threadIdx.y;
    for (int row = y; row < 16; row += 4) tile[x][row] = fu[row * 32 + x];
    __syncthreads();
    for (int k = y * 32 + x; k < 512; k += 128) out[k] = tile[k / 16][k % 16];
}
