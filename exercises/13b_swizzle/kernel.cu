// Exercise 13b: `wgmma` reads its operands from shared memory in rows of 128 bytes, eight units of
// 16 bytes. Here a warp stores 32 such rows. Then each lane loads one row unit by unit: lane l
// loads unit 0 of row l, then unit 1, and so on. Where in its row should a unit lie?

// Returns the slot, 0 to 7, of `unit` in its row.
static __device__ int place(int row, int unit) {
    // ---- your line ----
    return unit;
    // -------------------
}

// Sets sums[l] to the sum of row l of `in`, 32 rows of 32 floats; a unit is four floats.
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
