// Control fields of automatic lines.
#ifndef SASS_SCHEDULE_H
#define SASS_SCHEDULE_H

#include "assembled.h"

bool schedule(struct assembled *kernel, struct sass_error *error);

#endif
