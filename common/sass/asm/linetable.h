// Source lines of the kernels.
#pragma once

#include "emitter.h"

void put_lines(struct emitter *e); // .debug_line and its relocations
