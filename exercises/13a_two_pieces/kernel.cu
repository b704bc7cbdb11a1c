// Exercise 13a: an FP32 number has 24 significant bits, a tensor core's TF32 number 11. Take x apart into two pieces of 11 bits each, hi and lo, so that
// hi + lo is x, or as near to it as two such pieces come. Cut, do not round: a piece's last 13 bits are zero.

static __device__ float cut(float x) { // the first 11 significant bits of x
    // ---- your lines ----
    return x;
    // --------------------
}

static __device__ void split(float x, float *hi, float *lo) {
    // ---- your lines ----
    *hi = cut(x);
    *lo = 0.0f;
    // --------------------
}

// pieces[3 i] and pieces[3 i + 1]: hi and lo of x[i]; pieces[3 i + 2]: x[i] * y[i] from pieces, without lo * lo.
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
