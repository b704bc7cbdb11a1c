// Copying kernels of libsgemm. gather() copies operands that are transposed or given as a list of
// pointers. combine() computes C from products, a source and a bias. blockIdx.y is the index in the
// batch.
#include "copy.h"

static __device__ __forceinline__ float *start_of(const struct matrices &m) {
    return (m.list ? m.list[blockIdx.y] : m.at + blockIdx.y * m.stride) + m.offset;
}

// A block copies a tile of 32 x 32 elements, which it transposes in shared memory if needed.
extern "C" __global__ void __launch_bounds__(COPY_THREADS) gather(struct copying c) {
    __shared__ float tile[COPY_TILE][COPY_TILE + 1];
    enum { DOWN = COPY_THREADS / COPY_TILE };
    const int across = (c.cols + COPY_TILE - 1) / COPY_TILE;
    const int row = (int)(blockIdx.x / across) * COPY_TILE,
              col = (int)(blockIdx.x % across) * COPY_TILE;
    const int x = threadIdx.x % COPY_TILE, y = threadIdx.x / COPY_TILE;
    const float *from = start_of(c.from);
    float *to = start_of(c.to);
#pragma unroll
    for (int i = y; i < COPY_TILE; i += DOWN) {
        const int from_row = c.transposed ? col + i : row + i,
                  from_col = c.transposed ? row + x : col + x;
        const bool inside = c.transposed ? from_row < c.cols && from_col < c.rows
                                         : from_row < c.rows && from_col < c.cols;
        if (inside) tile[i][x] = from[from_row * c.from.ld + from_col];
    }
    __syncthreads();
#pragma unroll
    for (int i = y; i < COPY_TILE; i += DOWN)
        if (row + i < c.rows && col + x < c.cols)
            to[(row + i) * c.to.ld + col + x] = c.transposed ? tile[x][i] : tile[i][x];
}

// A block computes a tile of 8 rows and 32 columns.
extern "C" __global__ void __launch_bounds__(COPY_THREADS) combine(struct combining c) {
    enum { DOWN = COPY_THREADS / COPY_TILE };
    const int across = (c.cols + COPY_TILE - 1) / COPY_TILE;
    const int row = (int)(blockIdx.x / across) * DOWN + threadIdx.x / COPY_TILE;
    const int col = (int)(blockIdx.x % across) * COPY_TILE + threadIdx.x % COPY_TILE;
    const float alpha = c.alpha_at ? *c.alpha_at : c.alpha, beta = c.beta_at ? *c.beta_at : c.beta;
    if (row >= c.rows || col >= c.cols) return;
    float sum = 0.0f;
    if (alpha != 0.0f) {
        const float *product = &start_of(c.product)[row * c.product.ld + col];
        for (int part = 0; part < c.parts; part++) sum += product[part * c.part_stride];
        sum *= alpha;
    }
    if (beta != 0.0f) sum += beta * start_of(c.from)[row * c.from.ld + col];
    if (c.bias) sum += c.bias[c.bias_of_row ? row : col];
    start_of(c.to)[row * c.to.ld + col] = sum;
}
