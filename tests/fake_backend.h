// A backend that computes on the host, correctly or with a fault that the test chooses.
#ifndef TESTS_FAKE_BACKEND_H
#define TESTS_FAKE_BACKEND_H

#include "../common/backend/backend.h"

enum fake_fault {
    FAKE_RIGHT,
    FAKE_WRONG_ELEMENT,    // the last element is off by at least three times its bound
    FAKE_NAN_ELEMENT,      // NaN where a number belongs
    FAKE_INF_ELEMENT,      // infinity where a number belongs
    FAKE_UNWRITTEN,        // the last element keeps its old value
    FAKE_UNWRITTEN_ROW,    // the middle row keeps its old values
    FAKE_WRONG_MIDDLE_ROW, // one element of the middle row is off by 1
    FAKE_GUARD_BEFORE,     // writes the element before C
    FAKE_GUARD_AFTER,      // writes the element after C's last one
    FAKE_GAP,              // writes the element after row 0
    FAKE_READS_GAP,        // uses k + 1 terms
    FAKE_READS_C,          // adds beta C although beta is 0
    FAKE_WRITES_A,         // changes A
    FAKE_FLOAT_SUM,        // the last element is rounded to a float
    FAKE_NARROW_INPUTS,    // A and B are rounded to TF32 (in FP64: to float)
    FAKE_BF16_INPUTS,      // A and B are rounded to BF16
    FAKE_DROPPED_TERM,     // the last element misses one product
    FAKE_LAUNCH_ERROR,     // the launch fails
};

extern enum fake_fault fake_fault;
extern enum element fake_element; // type of the arguments that a launch gets
extern int64_t fake_memory_left;  // bytes that allocate() may still return; negative: no limit
extern int fake_allocations;      // allocations that are not released
extern int fake_launches;

extern const struct backend backend_fake;

// The fake device's properties, with or without a baseline.
struct device_info fake_device(bool baseline);

#endif
