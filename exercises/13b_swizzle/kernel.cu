// Exercise 13b: `wgmma` reads its operands from shared memory in rows of 128 bytes, eight units of 16 bytes each. Here a warp puts down 32 such
// rows and then each lane takes up one row, unit by unit: lane l reads unit 0 of row l, then unit 1, and so on. Where should a unit lie?

static __device__ int place(int row, int unit) { // 0 to 7, the place of `unit` within its row
    // ---- your line ----
    return unit;
    // -------------------
}

// sums[l] = the sum of row l, four floats a unit, of the 32 x 32 floats of `in`.
extern "C" __global__ void row_sums(const float4 *in, float *sums) {
    __shared__ float4 tile[32][8];
    int lane = threadIdx.x;
    for (int i = 0; i < 8; i++) {
        int row = i * 4 + lane / 8, unit = lane % 8;
        tile[row][place(row, unit)] = in[i * 32 + lane];
    }
    __syncwarp();
    float sum = 0.0f;
    for (int unit = 0; unit < 8; unit++) {
        float4 v = tile[lane][place(lane, unit)];
        sum += v.x + v.y + v.z + v.w;
    }
    sums[lane] = sum;
}
