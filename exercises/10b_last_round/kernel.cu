// Exercise 10b: nothing to edit; predict. The kernel counts what a launch of `tiles` tiles on 132 SMs does: each block takes tile after tile.
extern "C" __global__ void rounds(int tiles, int sms, int *most) {
    int mine = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += sms) mine++;
    if (threadIdx.x == 0) atomicMax(most, mine);
}
