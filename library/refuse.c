// The status and message of this thread's last failure.
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>

_Thread_local sgemm_status failure;
static _Thread_local char message[1024];

bool refuse(sgemm_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    failure = status;
    return false;
}

const char *sgemm_error(void) {
    return message;
}

const char *sgemm_status_text(sgemm_status status) {
    static const char *const texts[] = {
        "success",           "an argument is wrong",      "no usable GPU",
        "not enough memory", "not supported on this GPU", "the CUDA driver or cuBLAS failed"};
    return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "unknown status";
}
