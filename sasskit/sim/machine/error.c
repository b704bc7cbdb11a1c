// Errors: one line for the user.
#include "sim/sim.h"

#include <stdarg.h>
#include <stdio.h>

bool sim_say(struct sim_error *error, bool misuse, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    *error = (struct sim_error){.misuse = misuse};
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return false;
}
