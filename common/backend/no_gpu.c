// The gpu backend of a program that was built without the CUDA toolkit's headers: there is none, and it says so.
#include "cublasxt.h"
#include "engine.h"

static enum backend_status gpu_open(struct device_info *info) {
    backend_fail("no GPU: this program was built without the CUDA toolkit; install it and `make` again");
    return BACKEND_ABSENT;
}

static void gpu_close(void) {
}

const struct backend backend_gpu = {.name = "gpu", .timed = true, .open = gpu_open, .close = gpu_close};

static int no_devices(void) {
    struct device_info info;
    gpu_open(&info);
    return 0;
}

static enum backend_status engine_open(const struct engine_plan *plan, struct device_info *info) {
    return gpu_open(info);
}

const struct engine engine_gpu = {
    .name = "gpu", .backend = &backend_gpu, .open = engine_open, .close = gpu_close, .devices = no_devices};

bool xt_open(int gpus, int tile) {
    return backend_fail("this program was built without the CUDA toolkit");
}

void xt_close(void) {
}

bool xt_multiply(const struct xt_problem *problem) {
    return false;
}
