// Helpers of interpose.c: finds the functions of the real cuBLAS, and keeps the table of SGEMM_LOG.
#ifndef LIBRARY_INTERCEPT_H
#define LIBRARY_INTERCEPT_H

#include "internal.h"

// If *function is NULL, sets it to the function called `name` of the cuBLAS that the program has
// loaded. Complains and returns false if there is none.
bool find_real(const char *name, void **function);

// True while this thread is in an intercepted call. Calls that cuBLAS then makes to its own
// functions are not intercepted.
extern _Thread_local bool inside;

// Measures a call if SGEMM_LOG is set; stop_timing() then waits for the stream.
struct timing {
    void *events[2]; // the start and the end; NULL if the call is not timed
};
void start_timing(struct timing *timing, void *stream);
double stop_timing(struct timing *timing, void *stream); // returns milliseconds; 0 if not timed
// Adds a call to the table. `why` says why cuBLAS computed it; NULL if libsgemm did.
void log_call(const char *entry, const sgemm_problem *problem, const char *why,
              double milliseconds);

#endif
