// Writes the message of an error, one line for the user.
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_say(struct error *error, bool misuse, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    error->misuse = misuse;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}
