// A line on the terminal about a launch that runs long.
#pragma once

#include "machine.h"

void progress_begin(struct launch_state *launch, bool shows); // false: no line, only some of the blocks run
void progress_show(struct launch_state *launch);              // a line on the terminal, now and then
void progress_end(struct launch_state *launch);
bool progress_is_long(const struct launch_state *launch); // runs for seconds already
void progress_clear(struct launch_state *launch);         // before something else goes to the terminal
