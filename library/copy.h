// What libsgemm's copying kernels take.
#ifndef LIBRARY_COPY_H
#define LIBRARY_COPY_H

enum { COPY_TILE = 32, COPY_THREADS = 256, MOST_IN_GRID_Y = 65535 };

// The matrices of a batch: `stride` floats apart from `at` on, or by a list of pointers, each at `offset` floats from its own.
struct matrices {
    float *at;
    float *const *list; // NULL: none
    long long ld, stride, offset;
};

// `to` (rows, cols) = `from`, which may be transposed.
struct copying {
    int rows, cols, transposed;
    struct matrices from, to;
};

// to = alpha (the sum of `parts` products, part_stride apart) + beta from + bias, (rows, cols). alpha 0: the products are not read;
// beta 0: `from` is not. The scalars are in device memory where the pointers are not NULL. bias is added along the columns (one a row), or along the rows; NULL: none.
struct combining {
    int rows, cols, parts, bias_of_row;
    long long part_stride;
    float alpha, beta;
    const float *alpha_at, *beta_at, *bias;
    struct matrices product, from, to;
};

#endif
