// Fills in control fields of automatic lines.
#pragma once

#include "assembled.h"

bool schedule(struct assembled *kernel, struct error *error);
