// Fills in the control fields (stall counts, scoreboards, waits) of automatic lines.
#pragma once

#include "assembled.h"

bool schedule(struct assembled *kernel, struct error *error);
