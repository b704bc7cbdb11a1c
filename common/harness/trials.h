// The problems on which every kernel is checked before those that the user asked for: small ones, chosen for a kernel's tile, of
// odd shapes and layouts, with inputs that leave no room for error.
#pragma once

#include "session.h"

// All trials of all contenders, those with one tile together. Digests are of the problems that are asked for: no trials then.
bool trials_run(struct session *session);
