// Ensures that a growing list has room for one more item; aborts if the host has no memory left.
#pragma once

#include <stdlib.h>

#define MAKE_ROOM(items, count, capacity) \
    do { \
        if ((count) == (capacity)) { \
            (capacity) = (capacity) ? 2 * (capacity) : 16; \
            (items) = realloc((items), (size_t)(capacity) * sizeof *(items)); \
            if (!(items)) abort(); \
        } \
    } while (0)
