// Source lines of the kernels.
#ifndef SASS_LINETABLE_H
#define SASS_LINETABLE_H

#include "emitter.h"

void put_lines(struct emitter *e); // .debug_line and its relocations

#endif
