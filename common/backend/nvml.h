// Clock, power and energy of the GPU through NVML, where it is installed.
#pragma once

#include "backend.h"

// Finds libnvidia-ml and the device of that PCI address; fills info->driver. Without NVML the sensors read NaN.
void nvml_open(const char *pci_bus_id, struct device_info *info);
void nvml_close(void);
void nvml_read(struct sensors *sensors);

// Bytes that a device has received over its links to other GPUs since the driver was loaded; -1 where it does not say. After
// nvml_open() of any device.
int64_t nvml_received(const char *pci_bus_id);
