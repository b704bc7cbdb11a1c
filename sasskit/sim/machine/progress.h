// Prints the progress of a long launch to stderr.
#pragma once

#include "machine.h"

// Records the start of a launch. If `shows` is false, no line is printed for it.
void progress_begin(struct launch_state *launch, bool shows);
// Prints the line if one is due.
void progress_show(struct launch_state *launch);
void progress_end(struct launch_state *launch);
// Returns true if the launch has been running for two seconds.
bool progress_is_long(const struct launch_state *launch);
// Removes the line. Call it before printing anything else to the terminal.
void progress_clear(struct launch_state *launch);
