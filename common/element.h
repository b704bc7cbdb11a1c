// The element types that matrices may have.
#ifndef ELEMENT_H
#define ELEMENT_H

enum element { FP32, FP64 };

static inline int element_bytes(enum element element) {
    return element == FP64 ? 8 : 4;
}

#endif
