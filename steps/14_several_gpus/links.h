// What the links between the GPUs give, by kind and size of message.
#pragma once

#include "harness/csv.h"
#include "job.h"

// The header of the file that links_run() appends to.
extern const char LINKS_HEADER[];

// Measures on the open engine: what each rank receives in a second when all send at once. Complains and returns false.
bool links_run(struct crew *crew, struct csv *csv);
