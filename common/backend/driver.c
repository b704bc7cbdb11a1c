// Opens the CUDA driver, and explains its errors.
#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>

struct driver driver;

static void *library;

static const struct {
    CUresult result;
    const char *advice;
} advice[] = {
    {CUDA_ERROR_NO_DEVICE, "no GPU is visible: look at nvidia-smi and at CUDA_VISIBLE_DEVICES"},
    {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
     "the driver's library and kernel module differ: reboot or reinstall the driver"},
    {CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, "update the NVIDIA driver"},
    {CUDA_ERROR_SYSTEM_NOT_READY, "start the nvidia-fabricmanager service or reboot"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "build for this GPU with `make ARCH=sm_XX`"},
    {CUDA_ERROR_INVALID_IMAGE,
     "the cubin is damaged or newer than the driver: `make clean all`, or update the driver"},
    {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the cubin is newer than the driver: update the driver"},
    {CUDA_ERROR_INVALID_SOURCE, "the cubin is damaged: `make clean all`"},
    {CUDA_ERROR_NOT_FOUND,
     "the cubin has no such kernel: compare kernel.cu with the name in step.c"},
    {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
     "a block needs more registers or shared memory than the GPU has"},
    {CUDA_ERROR_ILLEGAL_ADDRESS,
     "the kernel touched memory outside its buffers: run it under compute-sanitizer"},
    {CUDA_ERROR_MISALIGNED_ADDRESS,
     "a vector access was not aligned: run it under compute-sanitizer"},
    {CUDA_ERROR_LAUNCH_FAILED, "the kernel faulted: run it under compute-sanitizer"},
    {CUDA_ERROR_LAUNCH_TIMEOUT, "the display's watchdog ended the kernel: choose a smaller size"},
    {CUDA_ERROR_OUT_OF_MEMORY, "choose a smaller --size"},
    {CUDA_ERROR_ECC_UNCORRECTABLE, "the GPU's memory is faulty"},
};

static const char *advice_for(CUresult result) {
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        if (advice[i].result == result) return advice[i].advice;
    }
    return "see the CUDA driver API manual";
}

// Sets *function to the address of a driver function. On failure returns false and sets
// backend_error().
static bool resolve(const char *symbol, void **function) {
    *function = dlsym(library, symbol);
    if (*function) return true;
    return backend_fail("libcuda.so.1 has no %s: this program needs a driver for CUDA %d or newer: "
                        "update the NVIDIA driver",
                        symbol, CUDA_VERSION / 1000);
}

#define QUOTE(name)   #name
#define RESOLVE(name) &&resolve(QUOTE(name), (void **)&cuda(name))

enum backend_status driver_load(void) {
    library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        backend_fail(
            "no GPU: libcuda.so.1 (the NVIDIA driver) cannot be loaded: %s; install the driver, "
            "in a container start it with --gpus all",
            dlerror());
        return BACKEND_ABSENT;
    }
    return true DRIVER_FUNCTIONS(RESOLVE) ? BACKEND_READY : BACKEND_FAILED;
}

void driver_unload(void) {
    if (library) dlclose(library);
    library = NULL;
}

bool driver_ok(CUresult result, const char *call) {
    if (result == CUDA_SUCCESS) return true;
    const char *name = NULL, *text = NULL;
    cuda(cuGetErrorName)(result, &name);
    cuda(cuGetErrorString)(result, &text);
    return backend_fail("%s: %s (%s): %s", call, name ? name : "unknown error",
                        text ? text : "no text", advice_for(result));
}
