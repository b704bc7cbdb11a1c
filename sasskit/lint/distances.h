// Measures the distances that a compiler keeps from producers of fixed latency to the readers of
// their results.
#pragma once

#include "isa/cubin.h"

#include <stdio.h>

// Examines the cubin's straight-line code for pairs of a producer and a reader without a wait for a
// scoreboard in between. Prints one CSV row per kind of pair to `out`: the least distance in issue
// cycles; the number of pairs, and of those at the least distance; row, column and cell of
// isa/distances.def (a guess as a negative number); and where one pair at the least distance is.
void distances_print(FILE *out, const struct sass_cubin *cubin);
