// Measures the distances that a compiler keeps between producers of fixed latency and the readers
// of their results.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

// Examines the cubin's straight-line code for pairs of producer and reader without a wait for a
// scoreboard in between. Prints a CSV row to `out` per kind of pair:
//   the least distance, in issue cycles; how many pairs there are; how many at that distance
//   the row and the column of isa/distances.def; the table's cell, whose sign is explained there
//   the place of a pair at the least distance
void distances_print(FILE *out, const struct sass_cubin *cubin);
