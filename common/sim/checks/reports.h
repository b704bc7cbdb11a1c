// The reports of a launch, gathered from all host threads.
#ifndef SIM_REPORTS_H
#define SIM_REPORTS_H

#include "sim/machine/machine.h"

struct reports *reports_open(void);
void reports_close(struct reports *reports);
uint64_t reports_count(const struct reports *reports); // different ones
// Prints the first `most` in the order of blocks; the first one's line and kind go to `first`.
void reports_print(const struct reports *reports, FILE *file, int most, struct sim_error *first);

#endif
