// Exercise 13a: an FP32 number has 24 significant bits, a tensor core's TF32 number has 11. Split x
// into two pieces of 11 bits, hi and lo, so that hi + lo is x or as near to x as two such pieces
// come. Truncate instead of rounding: the last 13 bits of a piece are zero.

// Returns the first 11 significant bits of x.
static __device__ float cut(float x) {
    // ---- your lines ----
    return x;
    // --------------------
}

// Sets *hi and *lo to the two pieces of x.
static __device__ void split(float x, float *hi, float *lo) {
    // ---- your lines ----
    *hi = cut(x);
    *lo = 0.0f;
    // --------------------
}

// Sets pieces[3 i] and pieces[3 i + 1] to hi and lo of x[i], and pieces[3 i + 2] to x[i] * y[i] as
// the sum of three products of pieces, without lo * lo.
extern "C" __global__ void two_pieces(int n, const float *x, const float *y, float *pieces) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x_hi, x_lo, y_hi, y_lo;
    split(x[i], &x_hi, &x_lo);
    split(y[i], &y_hi, &y_lo);
    pieces[3 * i] = x_hi;
    pieces[3 * i + 1] = x_lo;
    pieces[3 * i + 2] = x_hi * y_hi + (x_hi * y_lo + x_lo * y_hi);
}
