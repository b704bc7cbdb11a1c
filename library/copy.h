// Arguments of libsgemm's copying kernels (copy.cu).
#ifndef LIBRARY_COPY_H
#define LIBRARY_COPY_H

enum { COPY_TILE = 32, COPY_THREADS = 256, MOST_IN_GRID_Y = 65535 };

// The matrices of a batch, in device memory.
struct matrices {
    float *at; // the first matrix; unused if there is a list
    // one pointer per matrix of the batch; NULL if the matrices are `stride` apart
    float *const *list;
    long long ld, stride; // in floats
    long long offset;     // added to the address of each matrix, in floats
};

// Arguments of gather(), which sets `to` (rows, cols) to `from` or to its transpose.
struct copying {
    int rows, cols, transposed;
    struct matrices from, to;
};

// Arguments of combine(), which sets `to` (rows, cols) to alpha * sum + beta * from + bias. `sum`
// adds up `parts` matrices: the first is `product`, and each lies part_stride floats after the one
// before. `product` is not read if alpha is 0, and `from` is not read if beta is 0. alpha_at and
// beta_at point to values that replace alpha and beta, or are NULL. The bias has one element per
// row if bias_of_row is set, otherwise one per column. It is NULL if there is none.
struct combining {
    int rows, cols, parts, bias_of_row;
    long long part_stride;
    float alpha, beta;
    const float *alpha_at, *beta_at, *bias;
    struct matrices product, from, to;
};

#endif
