// Prints one-line messages to the user.
#include "say.h"
#include "base/channel.h"
#include "base/columns.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool say_error(const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    columns_print(stderr, "%s: %s", program_invocation_short_name, text);
    channel_error(&(struct channel_error){.kind = "failed", .message = text});
    return false;
}
