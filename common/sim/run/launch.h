// What launch.c, kernel.c and observer.c share.
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "sim/checks/reports.h"
#include "sim/machine/kernel.h"
#include "variables.h"

#include <stdarg.h>

#endif
