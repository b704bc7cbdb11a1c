// Clock, power and energy of the GPU by NVML, if it is installed.
#pragma once

#include "backend.h"

// Opens libnvidia-ml and the device with this PCI address, and sets info->driver. Without NVML, all
// sensors read NaN.
void nvml_open(const char *pci_bus_id, struct device_info *info);
void nvml_close(void);
void nvml_read(struct sensors *sensors);

// Returns the bytes that a device has received over its links to other GPUs since the driver was
// loaded; -1 if unknown. Requires: nvml_open() was called for some device.
int64_t nvml_received(const char *pci_bus_id);
