// A limit of time on waits for the GPU: a kernel that does not end, machine code on a chip that it was never run on, ends the program with one
// line that names it.
#pragma once

// From here on the program waits for `what`, a kernel; until limit_end(). The limit is 300 s, or SGEMM_LIMIT in the environment.
void limit_begin(const char *what);
void limit_end(void);
