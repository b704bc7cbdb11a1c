// The reports of a launch, gathered from all host threads.
#pragma once

#include "checks.h"

// At most `most` are printed to `file`: those that come when a launch has run for seconds at once, the others at its end.
struct reports *reports_open(FILE *file, int most);
void reports_close(struct reports *reports);
// The text of one, in the order in which they came; NULL behind the last.
const char *reports_text(const struct reports *reports, int number);
// Prints, in the order of blocks, what has not been. False when there was more than warnings: the first one's line goes to `first`.
bool reports_print(const struct reports *reports, struct sim_error *first);
