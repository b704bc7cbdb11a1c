// What catching calls takes besides: the caught library's own functions, and the table of SGEMM_LOG.
#ifndef LIBRARY_INTERCEPT_H
#define LIBRARY_INTERCEPT_H

#include "internal.h"

// cuBLAS's own function, of the library that the program has loaded; kept in *function.
bool find_real(const char *name, void **function);

// This thread is in a call that was caught: what cuBLAS calls of itself goes on.
extern _Thread_local bool inside;

// Where SGEMM_LOG is set, the stream is waited for after every call, and the time taken.
struct timing {
    void *events[2]; // NULL: not timed
};
void start_timing(struct timing *timing, void *stream);
double stop_timing(struct timing *timing, void *stream); // milliseconds; 0: not timed
void log_call(const char *entry, const sgemm_problem *problem, const char *why, double milliseconds);

#endif
