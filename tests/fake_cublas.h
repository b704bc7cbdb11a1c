// The members of the fake cuBLAS that tests/test_intercept.c sets and reads.
#ifndef TESTS_FAKE_CUBLAS_H
#define TESTS_FAKE_CUBLAS_H

#include <stddef.h>
#include <stdint.h>

enum { FAKE_ATTRIBUTES = 40 };
struct fake_handle {
    void *stream;
    int pointer_mode, math;
};

#endif
