// Failures: one line for the user.
#include "sim/sim.h"

#include <stdarg.h>
#include <stdio.h>

static void fill(struct sim_error *error, bool misuse, const char *format, va_list arguments) {
    *error = (struct sim_error){.misuse = misuse};
    vsnprintf(error->message, sizeof error->message, format, arguments);
}

bool sim_fail(struct sim_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, false, format, arguments);
    va_end(arguments);
    return false;
}

bool sim_refuse(struct sim_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, true, format, arguments);
    va_end(arguments);
    return false;
}
