// A time limit for waits for the GPU. If a kernel does not end, as may happen with untried machine
// code, the program ends with one line that names the kernel.
#pragma once

// Begins a wait for the kernel called `what`; limit_end() ends the wait. The limit is SGEMM_LIMIT
// seconds (environment), or 300.
void limit_begin(const char *what);
void limit_end(void);
