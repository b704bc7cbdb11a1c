// The start of every program of the course: finds its cubins and opens a backend.
#pragma once

#include "../backend/backend.h"

// Sets `path` to the folder of the cubins: `cubin` beside this program.
void cubin_folder(char *path, size_t size);

// Like cubin_folder(). Complains and returns false if there are no cubins for the device's
// architecture or an earlier one of its major version.
bool find_kernels(char *path, size_t size, const struct device_info *info);

// Opens the backend called `name`. "auto" and "timed" open a GPU; without one, "auto" opens the
// simulator and "timed" the model. Returns an exit status, and complains on failure.
int open_backend(const char *name, struct device_info *info, const struct backend **backend);

// Returns true if `make doctor` has passed with this GPU and this driver and has left its stamp,
// build/doctor.sm_NN. Otherwise complains and returns false.
bool check_stamp(const struct device_info *info);
