// A device for libsgemm (library/internal.h) that runs kernels on the simulator, for the tests.
#include "sim_device.h"

bool sim_captured;
int sim_followed;

// Opens the simulator once, since a second opening would replace its memory.
static bool sim_open(struct device_info *info, void **context) {
    static struct device_info opened;
    *context = NULL;
    if (!opened.name[0] && backend_sim.open(&opened) != BACKEND_READY) return false;
    *info = opened;
    return true;
}
static bool sim_enter(void *context, void *stream) {
    return true;
}
static void sim_leave(void) {
}
static bool sim_capturing(bool *captured) {
    *captured = sim_captured;
    return true;
}
static bool sim_follow(void *before, void *now) {
    sim_followed++;
    return true;
}
const struct device device_sim = {
    .backend = &backend_sim,
    .open = sim_open,
    .enter = sim_enter,
    .leave = sim_leave,
    .capturing = sim_capturing,
    .follow = sim_follow,
};
