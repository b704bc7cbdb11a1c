// The engine for GPUs, and cublasXt, of a program that was built without CUDA's headers: the engine
// has no devices, and xt_open() fails.
#include "cublasxt.h"
#include "engine.h"

static int no_devices(void) {
    struct device_info info;
    backend_gpu.open(&info);
    return 0;
}

static enum backend_status engine_open(const struct engine_plan *plan, struct device_info *info) {
    return backend_gpu.open(info);
}

static void engine_close(void) {
}

const struct gpu_engine engine_gpu = {.name = "gpu",
                                      .backend = &backend_gpu,
                                      .open = engine_open,
                                      .close = engine_close,
                                      .devices = no_devices};

bool xt_open(int gpus, int tile) {
    return backend_fail(
        "no GPU: this program was built without the CUDA toolkit: install it and run `make` again");
}

void xt_close(void) {
}

bool xt_multiply(const struct xt_problem *problem) {
    return false;
}
