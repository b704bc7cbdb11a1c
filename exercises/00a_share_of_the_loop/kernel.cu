// Exercise 00a: a loop of FFMA in eight dependent chains, as step 00 measures it.
#define TURNS 16 // ---- your line: FFMAs per chain in one round of the loop ----

extern "C" __global__ void chains(int rounds, float a, float *out) {
    float x[8];
    for (int i = 0; i < 8; i++) x[i] = threadIdx.x + i;
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int turn = 0; turn < TURNS; turn++)
#pragma unroll
            for (int i = 0; i < 8; i++) x[i] = fmaf(x[i], a, 0.5f);
    }
    float sum = 0.0f;
    for (int i = 0; i < 8; i++) sum += x[i];
    out[threadIdx.x] = sum;
}
