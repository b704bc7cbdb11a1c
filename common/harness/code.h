// Which machine code a cubin has, as a short hash: rows of results.csv name the code that ran by it.
#pragma once

#include <stdbool.h>

enum { CODE_DIGITS = 8 };

// Sets `text` to CODE_DIGITS hexadecimal digits: a hash (FNV-1a) of all kernels' instructions in the file. Line tables, names and the
// order of sections do not count, so that a comment more in the source changes nothing. False with a message.
bool code_of(char text[CODE_DIGITS + 1], const char *cubin);
