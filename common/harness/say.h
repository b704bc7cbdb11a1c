// One-line messages to the user on stderr, after the program's name.
#pragma once

#include <stdbool.h>

// A program exits with EXIT_FAILED if something that it tried is wrong, and with EXIT_USAGE if it
// did not try, because the command line is wrong or something that it needs is missing.
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_SKIPPED = 77, EXIT_INTERRUPTED = 130 };

// Prints "ladder: TEXT" and returns false, for `return say_error(...)`.
bool say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
