// What every program of the harness does first: finds its cubins and opens a backend.
#pragma once

#include "../backend/backend.h"

// The folder of the cubins: `cubin` beside this program.
void cubin_folder(char *path, size_t size);

// The same, for a device whose kernels are to be there. Complains and returns false when there are none of its architecture.
bool find_kernels(char *path, size_t size, const struct device_info *info);

// Opens the backend of that name, or with "auto" the first that is there. Complains, and returns an exit status.
int open_backend(const char *name, struct device_info *info, const struct backend **backend);

// Whether `make doctor` left its stamp, build/doctor.sm_NN, for this GPU and this driver. Complains and returns false.
bool check_stamp(const struct device_info *info);
