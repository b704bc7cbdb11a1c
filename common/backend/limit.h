// A time limit for waits for the GPU. A kernel that does not end, as untried machine code may not,
// ends the program with one line that names it.
#pragma once

// Begins a wait for `what`, a kernel's name; limit_end() ends it. The limit is 300 s, or
// SGEMM_LIMIT seconds (environment).
void limit_begin(const char *what);
void limit_end(void);
