// Ctrl-C ends the run after the current launch; on the simulator, after the blocks that are
// running. All lines of the CSV are complete.
#pragma once

#include <stdbool.h>

// Handles SIGINT and SIGTERM. A second signal ends the program immediately.
void interrupt_install(void);
bool interrupt_seen(void);
