// Measures the distances that a compiler keeps between producers of fixed latency and the readers
// of their results.
#pragma once

#include "isa/sass.h"

#include <stdio.h>

// Prints a CSV row to `out` for each pair of producer and reader in straight-line code of the
// cubin's kernels without a wait for a scoreboard in between: the least distance in issue cycles,
// how often the pair occurs, how often at the least distance, its row and column of distances.def,
// the distance that the table requires (0: none; negative: without a source, kept by the
// assembler), and where a pair at the least distance is.
void distances_print(FILE *out, const struct sass_cubin *cubin);
