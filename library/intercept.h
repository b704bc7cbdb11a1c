// Helpers of interpose.c: they find the functions of the real cuBLAS and keep the table that
// SGEMM_LOG=1 prints.
#ifndef LIBRARY_INTERCEPT_H
#define LIBRARY_INTERCEPT_H

#include "internal.h"

// Sets *function, if it is NULL, to the function `name` of the cuBLAS that the program has loaded.
// Prints a message and returns false if there is no such function.
bool find_real(const char *name, void **function);

// True while this thread is in an intercepted call. Calls that cuBLAS then makes to its own
// functions are not intercepted.
extern _Thread_local bool inside;

// Measures the time of a call if SGEMM_LOG is set. stop_timing() waits for the work in the stream.
struct timing {
    void *events[2]; // start and end; NULL if the call is not timed
};
void start_timing(struct timing *timing, void *stream);
double stop_timing(struct timing *timing, void *stream); // returns milliseconds; 0 if not timed
// Adds a call to the table. `why` is the reason why cuBLAS computed the call; NULL if libsgemm did.
void log_call(const char *entry, const sgemm_problem *problem, const char *why,
              double milliseconds);

#endif
