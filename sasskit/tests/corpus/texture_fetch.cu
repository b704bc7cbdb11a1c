// Texels read by tex1Dfetch: four, two or one channel; some channels of four; only some lanes;
// indices outside the texture.
// run: --entry texture_fetch --grid 4 --block 128 --arg tex4:u32[512]:file:ua.bin --arg u32[4608]:zero=out:texture_fetch.out
extern "C" __global__ void texture_fetch(cudaTextureObject_t ua, unsigned *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 all = tex1Dfetch<uint4>(ua, i - 192);
    uint2 two = tex1Dfetch<uint2>(ua, i & 127);
    uint4 some = tex1Dfetch<uint4>(ua, 127 - (i & 127));
    uint4 odd = {1, 2, 3, 4};
    if (i & 1) odd = tex1Dfetch<uint4>(ua, i * 3);
    unsigned *to = &out[9 * i];
    to[0] = all.x, to[1] = all.y, to[2] = all.z, to[3] = all.w;
    to[4] = two.x, to[5] = two.y;
    to[6] = tex1Dfetch<unsigned>(ua, i >> 2);
    to[7] = some.y * some.z + some.w;
    to[8] = odd.x + odd.y * 3 + odd.z * 5 + odd.w * 7;
}
