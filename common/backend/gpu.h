// The GPU backend where there are several devices.
#pragma once

#include "backend.h"

enum { MOST_DEVICES = 64 };

// How many devices CUDA shows; -1, with backend_error(), when they cannot be used. Before open().
int gpu_count(void);

// The device that open() is to take; 0 if nothing is said. cuBLAS and the sensors stay with it.
void gpu_begin_with(int ordinal);

// Whether `count` devices from `first` on run the same kernels; false with backend_error().
bool gpu_alike(int first, int count);

// Calls of the backend go to this device from now on. After open().
bool gpu_select(int ordinal);
