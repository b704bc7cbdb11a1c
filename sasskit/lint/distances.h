// The distances that a compiler leaves between producers of fixed latency and the readers of their results.
#pragma once

#include "isa/sass.h"

#include <stdio.h>

// Prints CSV to `out`: for each pair of a producer and a reader that the cubin's kernels have in straight code, with no wait for a
// scoreboard between the two, the least distance in issue cycles, how often the pair occurs, how often at the least distance, its
// row and column of distances.def, the distance that the table asks for (0: none; negative: no source, kept by the assembler), and
// where one of the pairs at the least distance stands.
void distances_print(FILE *out, const struct sass_cubin *cubin);
