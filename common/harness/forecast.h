// How long a run will take on an engine that has no time of its own.
#ifndef HARNESS_FORECAST_H
#define HARNESS_FORECAST_H

#include "session.h"

// Whether the session may run these problems: always on a device that is timed; elsewhere a long run is told how long it will
// take, by a trial of its kernels here and now, and wants --force. Complains and returns false when it may not.
bool forecast(struct session *session, const struct shape *shapes, int count);

#endif
