// Ctrl-C: the run ends after the launch in flight (on the simulator, after the blocks in flight), with every line of the CSV whole.
#pragma once

#include <stdbool.h>

void interrupt_install(void); // catches SIGINT and SIGTERM; the second one ends the program at once
bool interrupted(void);
