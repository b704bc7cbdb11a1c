// The program of a lesson that has probes: build/00_machine.
#pragma once

#include "step.h"

// Checks each probe's machine code, runs it, prints a table and appends to the CSV file. Without a GPU the simulator
// runs every probe, and counts instead of measuring. Returns an exit status.
int probes_main(int argc, char **argv, const struct step *step);
