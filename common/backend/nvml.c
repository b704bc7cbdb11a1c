// Clock, power and energy of the GPU by NVML. The functions are declared here as in the NVML API
// reference (https://docs.nvidia.com/deploy/nvml-api/), because a toolkit may lack nvml.h.
#include "nvml.h"
#include "symbols.h"

#include <math.h>

enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_LINK_DATA_RECEIVED = 139, NVML_MOST_LINKS = 18 };

// NVML's nvmlFieldValue_t.
struct nvml_field {
    unsigned field, scope; // `scope`: number of the link to another GPU
    long long timestamp, latency;
    int type, result;
    unsigned long long value; // data received over the link, in KiB
};

typedef struct nvmlDevice_st *nvml_device;

static void *library;
static nvml_device device;

static struct {
    int (*init)(void);
    int (*shutdown)(void);
    int (*driver_version)(char *text, unsigned length);
    int (*handle_by_bus_id)(const char *bus_id, nvml_device *device);
    int (*clock)(nvml_device device, int type, unsigned *megahertz);
    int (*power)(nvml_device device, unsigned *milliwatt);
    int (*energy)(nvml_device device, unsigned long long *millijoule);
    int (*fields)(nvml_device device, int count, struct nvml_field *fields);
} nvml;

static const struct symbol symbols[] = {
    {"nvmlInit_v2", (void **)&nvml.init},
    {"nvmlShutdown", (void **)&nvml.shutdown},
    {"nvmlSystemGetDriverVersion", (void **)&nvml.driver_version},
    {"nvmlDeviceGetHandleByPciBusId_v2", (void **)&nvml.handle_by_bus_id},
    {"nvmlDeviceGetClockInfo", (void **)&nvml.clock},
    {"nvmlDeviceGetPowerUsage", (void **)&nvml.power},
    {"nvmlDeviceGetTotalEnergyConsumption", (void **)&nvml.energy},
    {"nvmlDeviceGetFieldValues", (void **)&nvml.fields},
    {NULL, NULL},
};

void nvml_open(const char *pci_bus_id, struct device_info *info) {
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    if (missing_symbol(library, symbols) || nvml.init() != NVML_SUCCESS) {
        dlclose(library);
        library = NULL;
        return;
    }
    nvml.driver_version(info->driver, sizeof info->driver);
    if (nvml.handle_by_bus_id(pci_bus_id, &device) != NVML_SUCCESS) nvml_close();
}

void nvml_close(void) {
    if (!library) return;
    nvml.shutdown();
    dlclose(library);
    library = NULL;
    device = NULL;
}

void nvml_read(struct sensors *sensors) {
    unsigned megahertz, milliwatt;
    unsigned long long millijoule;
    *sensors = (struct sensors){NAN, NAN, NAN};
    if (!device) return;
    if (nvml.clock(device, NVML_CLOCK_SM, &megahertz) == NVML_SUCCESS)
        sensors->clock_mhz = megahertz;
    if (nvml.power(device, &milliwatt) == NVML_SUCCESS) sensors->watts = milliwatt * 1e-3;
    if (nvml.energy(device, &millijoule) == NVML_SUCCESS)
        sensors->energy_millijoule = (double)millijoule;
}

int64_t nvml_received(const char *pci_bus_id) {
    nvml_device asked = NULL;
    int64_t kilobytes = 0;
    int links = 0;
    if (!library || nvml.handle_by_bus_id(pci_bus_id, &asked) != NVML_SUCCESS) return -1;
    for (unsigned link = 0; link < NVML_MOST_LINKS; link++) {
        struct nvml_field field = {.field = NVML_LINK_DATA_RECEIVED, .scope = link};
        if (nvml.fields(asked, 1, &field) != NVML_SUCCESS || field.result != NVML_SUCCESS) continue;
        kilobytes += (int64_t)field.value;
        links++;
    }
    return links ? kilobytes * 1024 : -1;
}
