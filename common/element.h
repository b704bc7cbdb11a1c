// The element types of matrices.
#pragma once

enum element { FP32, FP64 };

static inline int element_bytes(enum element element) {
    return element == FP64 ? 8 : 4;
}
