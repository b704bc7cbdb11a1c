// Verifies the schedules of all ranks before anything runs. Every element of the matrices must have
// one owner. Tiles must match and lie within their buffers. If two operations of a rank access the
// same memory, and one of them writes, one must end before the other begins. If a wait is missing,
// a schedule breaks the last rule; run on GPUs, it might fail only once in a hundred runs.
#pragma once

#include "schedule.h"

#include <stddef.h>

enum schedule_fault {
    SCHEDULE_IS_SAFE,
    FAULT_RANGE,  // a piece reaches beyond its matrix
    FAULT_OWNER,  // an element has no owner, or two
    FAULT_SIZES,  // the tiles of an operation do not match
    FAULT_GAPS,   // a tile for a collective has gaps between its rows
    FAULT_BUFFER, // a tile reaches beyond its buffer
    FAULT_WAIT,   // an operation waits for itself or a later one
    FAULT_ORDER,  // operations that access the same memory are not ordered
};

// Returns the first fault, and sets `text` to what is wrong and where.
enum schedule_fault schedules_verify(struct schedule *const *schedules, int ranks, char *text,
                                     size_t size);
