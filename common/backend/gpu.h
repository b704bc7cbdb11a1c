// Functions of the GPU backend for programs that use several devices.
#pragma once

#include "backend.h"

enum { MOST_DEVICES = 64 };

// Returns the number of visible devices; -1, with backend_error(), if they cannot be used.
// Requires that the backend is not open.
int gpu_count(void);

// Sets the device that open() takes; the default is 0. cuBLAS and the sensors keep using it, even
// after gpu_select().
void gpu_begin_with(int ordinal);

// Returns true if devices `first` to `first + count - 1` have the same compute capability;
// otherwise false, with backend_error().
bool gpu_alike(int first, int count);

// Directs all later calls of the backend to this device. Requires that the backend is open.
bool gpu_select(int ordinal);
