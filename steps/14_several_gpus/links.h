// Measures the bandwidth of the links between the GPUs, by kind and size of message.
#pragma once

#include "harness/csv.h"
#include "job.h"

// The header of the file that links_run() appends to.
extern const char LINKS_HEADER[];

// Measures how fast each rank receives while all ranks send, and appends the results to `csv`.
// Complains and returns false if that fails. Requires: the engine is open.
bool links_run(struct crew *crew, struct csv *csv);
