// Arguments of libsgemm's copying kernels (copy.cu).
#ifndef LIBRARY_COPY_H
#define LIBRARY_COPY_H

enum { COPY_TILE = 32, COPY_THREADS = 256, MOST_IN_GRID_Y = 65535 };

// The matrices of a batch, in device memory.
struct matrices {
    float *at;            // first matrix; unused if there is a list
    float *const *list;   // one pointer per matrix; NULL if they are `stride` apart
    long long ld, stride; // in floats
    long long offset;     // added to each matrix's address, in floats
};

// gather: `to` (rows, cols) = `from`, or its transpose.
struct copying {
    int rows, cols, transposed;
    struct matrices from, to;
};

// combine: `to` (rows, cols) = alpha (sum of `parts` products,
// part_stride apart) + beta from + bias.
// The products are not read if alpha is 0, nor `from` if beta is 0.
// alpha_at and beta_at replace alpha and beta if they are not NULL.
// bias has one element per row if bias_of_row is set, else one per column; NULL if there is none.
struct combining {
    int rows, cols, parts, bias_of_row;
    long long part_stride;
    float alpha, beta;
    const float *alpha_at, *beta_at, *bias;
    struct matrices product, from, to;
};

#endif
