// The simulator as a device for libsgemm.
#ifndef TESTS_SIM_DEVICE_H
#define TESTS_SIM_DEVICE_H

#include "../library/internal.h"

extern bool sim_captured; // whether streams report that they are being captured
extern int sim_followed;  // how often one stream waited for another
extern const struct device device_sim;

#endif
