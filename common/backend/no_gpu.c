// The gpu backend of a program that was built without the CUDA toolkit's headers: opening it fails.
#include "backend.h"

static enum backend_status gpu_open(struct device_info *info) {
    backend_fail(
        "no GPU: this program was built without the CUDA toolkit: install it and run `make` again");
    return BACKEND_ABSENT;
}

static void gpu_close(void) {
}

const struct backend backend_gpu = {
    .name = "gpu", .timed = true, .open = gpu_open, .close = gpu_close};
