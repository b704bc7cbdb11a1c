// A time limit for waits for the GPU. If a kernel does not end in time, the program ends with one
// line that names the kernel. Untried machine code may be such a kernel.
#pragma once

// Begins a wait for the kernel called `what`; limit_end() ends it. The limit is SGEMM_LIMIT seconds
// (an environment variable), by default 300.
void limit_begin(const char *what);
void limit_end(void);
