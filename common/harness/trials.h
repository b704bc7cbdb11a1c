// Trials: small problems on which every kernel is checked before the problems that the user asked
// for. Their shapes and layouts are odd and depend on the kernel's tile; most inputs are exact.
#pragma once

#include "session.h"

// Runs all trials of all contenders; contenders with equal tiles share a problem. There are none
// with --check off, nor with --digest, which is for the problems that the user asked for.
bool trials_run(struct session *session);
