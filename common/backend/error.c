// The message of the last failure, and the flag that ends a run.
#include "backend.h"

#include <stdarg.h>
#include <stdio.h>

volatile sig_atomic_t backend_stop;

static _Thread_local char message[1024];
static _Thread_local const char *finding;

bool backend_report(const char *word, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    finding = word;
    return false;
}

const char *backend_finding(void) {
    return finding;
}

const char *backend_error(void) {
    return message;
}
