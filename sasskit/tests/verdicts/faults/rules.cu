// Faults whose causes no other file here covers. `run:` and `says:` are explained in ../list.awk.

// The guard is the wrong way round: only threads past the end continue.
// run: --grid 4 --block 128 --arg i32:400 --arg f32[400]:random:1 --arg f32[400]:nan
// says: address guard-inverted @ o[i] = 2 * a[i];
extern "C" __global__ void rule_guard_inverted(int n, const float *a, float *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) return;
    o[i] = 2 * a[i];
}
// The guard has <= in place of <.
// run: --grid 4 --block 128 --arg i32:400 --arg f32[400]:random:1 --arg f32[400]:nan
// says: address guard-too-wide @ if (i <= n) o[i] = 2 * a[i];
extern "C" __global__ void rule_guard_one_too_wide(int n, const float *a, float *o) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) o[i] = 2 * a[i];
}
// A scan reads and writes an array in one statement. The barrier comes after both.
// run: --grid 1 --block 128 --arg f32[128]:random:1 --arg f32[128]:nan
// says: race read-and-write @ if (t >= d) s[t] += s[t - d];
extern "C" __global__ void rule_scan_in_place(const float *in, float *out) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
#pragma unroll 1
    for (int d = 1; d < 128; d *= 2) {
        if (t >= d) s[t] += s[t - d];
        __syncthreads();
    }
    out[t] = s[t];
}
// The simulator does not run this instruction: a bulk reduction to the minimum of FP16 values.
// run: --grid 1 --block 32 --arg i32[32]:zero
// says: unknown not-simulated @ asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%0], [%1], 128;" ::"l"(out), "r"(at) : "memory");
extern "C" __global__ void rule_bulk_reduction(int *out) {
    __shared__ __align__(128) int s[32];
    unsigned at = (unsigned)__cvta_generic_to_shared(s);
    s[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        // clang-format off
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [%0], [%1], 128;" ::"l"(out), "r"(at) : "memory");
    // clang-format on
}
// Two arrays in dynamic shared memory begin at the same address.
extern __shared__ float rule_dynamic[];
// run: --grid 1 --block 256 --shared 2048 --arg i32:16 --arg f32[256]:random:1 --arg f32[256]:random:2 --arg f32[256]:nan
// notes: unused-shared half-unused, 1024 of 2048 bytes @ -
extern "C" __global__ void rule_two_arrays_in_one_place(int n, const float *a, const float *b, float *c) {
    float *As = rule_dynamic, *Bs = rule_dynamic;
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 16) {
        As[y * 16 + x] = a[y * n + k0 + x];
        Bs[y * 16 + x] = b[(k0 + y) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++) s += As[y * 16 + k] * Bs[k * 16 + x];
        __syncthreads();
    }
    c[y * n + x] = s;
}
