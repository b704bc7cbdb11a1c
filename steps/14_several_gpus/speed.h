// The speed at which one GPU multiplies its pieces, on which predictions are based.
#pragma once

#include "backend/backend.h"
#include "harness/steps.h"
#include "schedule.h"

enum speed_source {
    SPEED_UNKNOWN,
    SPEED_GIVEN,    // given by --tflops
    SPEED_RECORDED, // measured earlier on this kind of device
    SPEED_MODELLED, // computed from the kernel's fitted costs (`expects` in extras.h)
    SPEED_MEASURED, // measured in this run
};

// The speed of one GPU that uses all its SMs.
struct speed {
    double tflops; // NAN if unknown
    enum speed_source source;
};

// Returns a word for messages, for example "measured".
const char *speed_source_name(enum speed_source source);

// Returns the given speed in TFLOP/s if it is above 0, otherwise the speed recorded for this kernel
// on this device; SPEED_UNKNOWN if there is none. If `timed` is false, nothing can be timed here,
// and speeds recorded on any device count.
struct speed speed_known(double given, const struct choice *kernel, const struct device_info *info,
                         bool timed);

// Returns the speed that the kernel's fitted costs give for the largest product of a schedule;
// SPEED_UNKNOWN if the kernel has no fitted costs or the schedule no product.
struct speed speed_modelled(const struct schedule *schedule, const struct choice *kernel,
                            const struct device_info *info);
