// Computes a short hash of a cubin's machine code. It identifies the code of a row of results.csv.
#pragma once

#include <stdbool.h>

enum { CODE_DIGITS = 8 };

// Sets `text` to CODE_DIGITS hexadecimal digits: an FNV-1a hash of the instructions of all kernels
// in the file. Line tables, names and the order of sections do not matter, so a new comment in the
// source changes nothing. Complains and returns false on failure.
bool code_of(char text[CODE_DIGITS + 1], const char *cubin);
