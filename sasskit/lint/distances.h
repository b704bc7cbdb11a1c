// Measures the distances that a compiler keeps between producers of fixed latency and the readers
// of their results.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

// Examines the cubin's straight-line code for pairs of a producer and a reader without a wait for a
// scoreboard in between. Prints to `out` a CSV row per kind of pair: the least distance in issue
// cycles, the number of pairs, the number of pairs at that distance; the row and the column of
// isa/distances.def, and the table's cell, whose sign is explained there; and the place of a pair
// at the least distance.
void distances_print(FILE *out, const struct sass_cubin *cubin);
