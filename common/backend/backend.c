// The table of backends, and the message of the last failure.
#include "backend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct backend *const backends[] = {&backend_gpu, &backend_sim, &backend_model, NULL};

static char message[1024];

const struct backend *backend_find(const char *name) {
    for (int i = 0; backends[i]; i++) {
        if (strcmp(backends[i]->name, name) == 0) return backends[i];
    }
    return NULL;
}

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
