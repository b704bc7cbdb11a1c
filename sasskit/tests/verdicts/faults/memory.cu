// Wrong addresses, and reads of memory that was never written. `run:`, `says:`: see ../list.awk.

// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[63]:zero
// says: address guard-missing @ out[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void memory_store_beyond(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[63]:random:1 --arg f32[64]:zero
// says: address guard-missing @ out[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void memory_load_beyond(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: address negative-index @ out[threadIdx.x] = in[(int)threadIdx.x - 1];
extern "C" __global__ void memory_load_before(const float *in, float *out) {
    out[threadIdx.x] = in[(int)threadIdx.x - 1];
}
// run: --grid 1 --block 32 --arg f32[64]:random:1 --arg f32[64]:zero
// says: address misaligned @ const float4 v = *(const float4 *)(in + 1 + threadIdx.x);
extern "C" __global__ void memory_misaligned_vector(const float *in, float *out) {
    const float4 v = *(const float4 *)(in + 1 + threadIdx.x);
    out[threadIdx.x] = v.x + v.y * v.z + v.w;
}
// run: --grid 1 --block 32 --arg f32[64]:random:1 --arg f32[64]:zero
// says: address misaligned @ *(float2 *)(out + 1 + threadIdx.x) = make_float2(in[threadIdx.x], 1);
extern "C" __global__ void memory_misaligned_store(const float *in, float *out) {
    *(float2 *)(out + 1 + threadIdx.x) = make_float2(in[threadIdx.x], 1);
}
// run: --grid 1 --block 32 --arg i64:0 --arg f32[64]:zero
// says: address wild-address @ out[threadIdx.x] = in[threadIdx.x];
extern "C" __global__ void memory_null_pointer(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}
// run: --grid 1 --block 64 --arg i32[4]:zero
// says: address guard-missing @ atomicAdd(&out[threadIdx.x / 8], 1);
extern "C" __global__ void memory_atomic_beyond(int *out) {
    atomicAdd(&out[threadIdx.x / 8], 1);
}
// run: --grid 1 --block 64 --arg i32[64]:zero
// says: address shared-index, 132 of 128 bytes @ s[threadIdx.x] = threadIdx.x;
extern "C" __global__ void memory_shared_beyond(int *out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x & 31];
}
// run: --grid 1 --block 64 --shared 128 --arg i32[64]:zero
// says: address shared-too-small, 132 of 128 bytes @ dynamic[threadIdx.x] = threadIdx.x;
extern "C" __global__ void memory_too_little_dynamic(int *out) {
    extern __shared__ int dynamic[];
    dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[63 - threadIdx.x];
}
// run: --grid 1 --block 32 --arg i32[64]:zero
// says: address misaligned @ const int2 v = *(int2 *)(s + 1 + threadIdx.x);
extern "C" __global__ void memory_shared_misaligned(int *out) {
    __shared__ int s[80];
    s[threadIdx.x] = s[threadIdx.x + 32] = 1;
    __syncwarp();
    const int2 v = *(int2 *)(s + 1 + threadIdx.x);
    out[threadIdx.x] = v.x + v.y;
}
// Lanes are 20 bytes apart, so only every fourth address is a multiple of 16 bytes.
// run: --grid 1 --block 32 --arg i32:20 --arg i32[256]:zero
// says: address misaligned @ out[threadIdx.x] = *(int4 *)((char *)s + step * threadIdx.x);
extern "C" __global__ void memory_shared_misaligned_later(int step, int4 *out) {
    __shared__ __align__(16) int s[256];
    for (int k = threadIdx.x; k < 256; k += 32) s[k] = k;
    __syncwarp();
    out[threadIdx.x] = *(int4 *)((char *)s + step * threadIdx.x);
}
// run: --grid 1 --block 32 --arg i32:24 --arg i32[256]:zero
// says: address misaligned @ *(int4 *)((char *)s + step * threadIdx.x) = make_int4(step, 1, 2, 3);
extern "C" __global__ void memory_shared_misaligned_store(int step, int *out) {
    __shared__ __align__(16) int s[256];
    *(int4 *)((char *)s + step * threadIdx.x) = make_int4(step, 1, 2, 3);
    __syncwarp();
    out[threadIdx.x] = s[4 * threadIdx.x];
}
// run: --grid 1 --block 32 --arg i32:40 --arg i32[64]:zero
// says: address local-index @ for (int k = 0; k < n; k++) a[k * 1000 & 0xffffff] = k;
extern "C" __global__ void memory_local_beyond(int n, int *out) {
    int a[8];
    for (int k = 0; k < n; k++) a[k * 1000 & 0xffffff] = k;
    out[threadIdx.x] = a[n & 7];
}
// run: --grid 1 --block 64 --arg f32[64]:zero
// says: uninitialized never-stored @ out[threadIdx.x] = s[threadIdx.x + 1];
extern "C" __global__ void memory_shared_not_written(float *out) {
    __shared__ float s[128];
    s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x + 1];
}
// The kernel assumes that s begins at a multiple of 16 KB, so that flipping address bit 12 stays in
// s. But the system reserves the first KB of shared memory, so s begins at 1024.
// run: --grid 1 --block 256 --arg f32[256]:random:1 --arg f32[256]:zero
// says: address shared-index, -1020 of 8192 bytes @ asm volatile("st.shared.f32 [%0], %1;" ::"r"(at ^ 0x1000u), "f"(in[threadIdx.x]) : "memory");
extern "C" __global__ void memory_second_buffer_by_xor(const float *in, float *out) {
    __shared__ __align__(16 * 1024) float s[2048];
    unsigned at = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * 16;
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at ^ 0x1000u), "f"(in[threadIdx.x]) : "memory");
    __syncthreads();
    out[threadIdx.x] = s[1024 + threadIdx.x * 4];
}
// A tile at the border is written only in part, and read whole.
// run: --grid 1 --block 64 --arg i32:50 --arg f32[64]:random:1 --arg f32[64]:zero
// says: uninitialized store-guarded @ out[threadIdx.x] = s[63 - threadIdx.x];
extern "C" __global__ void memory_border_of_tile(int n, const float *in, float *out) {
    __shared__ float s[64];
    if (threadIdx.x < n) s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// Each block but the first assumes that the previous block's shared memory is still there.
// run: --grid 4 --block 64 --arg f32[64]:random:1 --arg f32[64]:zero
// says: uninitialized never-stored @ out[threadIdx.x] = s[63 - threadIdx.x];
extern "C" __global__ void memory_left_by_another_block(const float *in, float *out) {
    __shared__ float s[64];
    if (blockIdx.x == 0) s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
// An atomic adds to shared memory that was not initialised.
// run: --grid 1 --block 64 --arg i32[64]:random:1 --arg i32[64]:zero
// says: uninitialized never-zeroed @ atomicAdd(&bins[in[threadIdx.x] & 15], 1);
extern "C" __global__ void memory_counter_not_cleared(const int *in, int *out) {
    __shared__ int bins[16];
    atomicAdd(&bins[in[threadIdx.x] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}
// Shared memory that was not initialised is read through a generic pointer.
// run: --grid 1 --block 64 --arg i32:1 --arg i32[64]:random:1 --arg i32[64]:zero
// says: uninitialized never-stored @ out[threadIdx.x] = from[threadIdx.x];
extern "C" __global__ void memory_generic_not_written(int which, const int *in, int *out) {
    __shared__ int s[128];
    s[threadIdx.x] = 1;
    __syncthreads();
    const int *from = which ? s + 64 : in;
    out[threadIdx.x] = from[threadIdx.x];
}
__device__ __noinline__ int deep(int n) {
    volatile int a[32];
    a[n & 31] = n;
    return n < 0 ? 0 : a[n & 31] + deep(n + 1) * deep(n + 2);
}
// run: --grid 1 --block 32 --arg i32[64]:zero
// says: stack stack-overflow @ a[n & 31] = n;
extern "C" __global__ void memory_endless_recursion(int *out) {
    out[threadIdx.x] = deep(threadIdx.x);
}

// run: --grid 1 --block 32 --arg i32[32]:zero
// says: address wrong-buffer @ for (int i = 0; i <= 10; i++) p[i] = i + threadIdx.x;
extern "C" __global__ void memory_beyond_malloc(int *out) {
    int *p = (int *)malloc(10 * sizeof(int));
    for (int i = 0; i <= 10; i++) p[i] = i + threadIdx.x;
    out[threadIdx.x] = p[3];
    free(p);
}

// run: --grid 1 --block 32 --arg i32[32]:zero
// says: address freed @ out[threadIdx.x] = p[3];
extern "C" __global__ void memory_used_after_free(int *out) {
    volatile int *p = (volatile int *)malloc(10 * sizeof(int));
    p[3] = threadIdx.x;
    free((void *)p);
    out[threadIdx.x] = p[3];
}

// run: --grid 1 --block 64 --arg i32[64]:zero
// says: address freed @ delete[] all;
extern "C" __global__ void memory_freed_by_all(int *out) {
    __shared__ int *all;
    if (threadIdx.x == 0) all = new int[64];
    __syncthreads();
    all[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = all[63 - threadIdx.x];
    __syncthreads();
    delete[] all;
}

// run: --grid 1 --block 1 --arg i32[64]:zero
// says: address freed @ free(p + 1);
extern "C" __global__ void memory_free_of_another_kind(int *out) {
    int *p = (int *)malloc(64);
    p[1] = 7;
    out[0] = p[1];
    free(p + 1);
}

// Only five elements of the array are stored, but eight are summed.
// run: --grid 1 --block 32 --arg i32:5 --arg f32[64]:random:1 --arg f32[32]:zero
// says: uninitialized local-never-stored @ for (int i = 0; i < 8; i++) s += window[(i + n) & 7];
extern "C" __global__ void memory_local_never_stored(int n, const float *in, float *out) {
    float window[8], s = 0;
    for (int i = 0; i < n; i++) window[i] = in[threadIdx.x + i];
    for (int i = 0; i < 8; i++) s += window[(i + n) & 7];
    out[threadIdx.x] = s;
}

// Quicksort of a[low] to a[high]. The kernel passes a `high` one past the array's end.
__device__ __noinline__ void memory_quick(int *a, int low, int high) {
    if (low >= high) return;
    int middle = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < middle) i++;
        while (a[j] > middle) j--;
        if (i <= j) {
            const int other = a[i];
            a[i++] = a[j];
            a[j--] = other;
        }
    }
    memory_quick(a, low, j);
    memory_quick(a, i, high);
}
// run: --grid 1 --block 32 --arg i32[512]:random:1 --arg i32[512]:zero
// says: uninitialized local-never-stored @ while (a[j] > middle) j--;
extern "C" __global__ void memory_sorts_one_too_many(const int *in, int *out) {
    int a[15];
    for (int i = 0; i < 15; i++) a[i] = in[16 * threadIdx.x + i];
    memory_quick(a, 0, 15);
    for (int i = 0; i < 15; i++) out[16 * threadIdx.x + i] = a[i];
}
