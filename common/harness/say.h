// Prints one-line messages to the user on stderr, after the program's name.
#pragma once

#include <stdbool.h>

// EXIT_FAILED: a check failed, or an error ended the run. EXIT_USAGE: the command line is wrong, or
// a kernel or a file is missing. EXIT_SKIPPED: there is no device, or no variant runs on it.
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SKIPPED = 77, EXIT_INTERRUPTED = 130 };

// Prints "ladder: TEXT" and returns false, for `return say_error(...)`.
bool say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
