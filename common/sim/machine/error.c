// Failures: one line for the user.
#include "sim/sim.h"

#include <stdarg.h>
#include <stdio.h>

bool sim_fail(struct sim_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}
