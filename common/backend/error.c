// The message of the last failure.
#include "backend.h"

#include <stdarg.h>
#include <stdio.h>

static char message[1024];

bool backend_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return false;
}

const char *backend_error(void) {
    return message;
}
