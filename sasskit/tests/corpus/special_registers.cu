// Indices of threads and blocks, the lane's number, and the mask of lower lanes.
// run: --entry special_registers --grid 2,1,2 --block 8,4,4 --arg u32[2048]:zero=out:special_registers.out
extern "C" __global__ void special_registers(unsigned *out) {
    unsigned lane, lanes_below;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int i = block * blockDim.x * blockDim.y * blockDim.z + t;
    out[4 * i] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
    out[4 * i + 1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16;
    out[4 * i + 2] = lane;
    out[4 * i + 3] = lanes_below;
}
