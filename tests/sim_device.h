// The simulator as a device of libsgemm.
#ifndef TESTS_SIM_DEVICE_H
#define TESTS_SIM_DEVICE_H

#include "../library/internal.h"

extern bool sim_captured; // whether the stream is to be taken for one that is captured
extern int sim_followed;  // how often a stream waited for another
extern const struct device device_sim;

#endif
