// What the unit tests share: cmocka, and listening to what the code says to the user.
#ifndef TESTS_HELPERS_H
#define TESTS_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>

void listen_to_user_messages(void); // stderr and stdout go to a file from here on
const char *heard(void);            // until here; what was written to both

// Fails unless `text` holds `part`.
#define assert_says(text, part) assert_holds(text, part, __FILE__, __LINE__)
void assert_holds(const char *text, const char *part, const char *file, int line);

#endif
