// Helpers of the unit tests: cmocka, and capturing messages to the user.
#ifndef TESTS_HELPERS_H
#define TESTS_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

void listen_to_user_messages(void); // redirects stderr and stdout to a file
const char *heard(void);            // ends the redirection and returns what was written

// Fails unless `text` contains `part`.
#define assert_says(text, part) assert_holds(text, part, __FILE__, __LINE__)
void assert_holds(const char *text, const char *part, const char *file, int line);

// Returns true if make has built the file; otherwise prints that the tests of `what` are skipped.
bool is_built(const char *what, const char *path);

#endif
