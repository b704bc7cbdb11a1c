// Finds the speed at which one GPU multiplies its pieces: recorded, or from fitted costs.
#include "speed.h"
#include "harness/compose.h"

#include <math.h>
#include <string.h>

// Speeds measured at N = 16384 on one GPU (README.md, and wgmma.md of step 13).
static const struct {
    const char *device, *step, *variant;
    double tflops;
} recorded[] = {
    {"NVIDIA H200", "shapes", "dispatch", 62.5},
    {"NVIDIA H200", "13_tensor_cores", "safe", 214.8},
};

const char *speed_source_name(enum speed_source source) {
    static const char *const names[] = {"unknown", "given", "recorded", "modelled", "measured"};
    return names[source];
}

struct speed speed_known(double given, const struct choice *kernel, const struct device_info *info,
                         bool timed) {
    if (given > 0) return (struct speed){given, SPEED_GIVEN};
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        if (timed && strcmp(recorded[i].device, info->name) != 0) continue;
        if (strcmp(recorded[i].step, kernel->step->name) != 0) continue;
        if (strcmp(recorded[i].variant, kernel->variant->name) != 0) continue;
        return (struct speed){recorded[i].tflops, SPEED_RECORDED};
    }
    return (struct speed){NAN, SPEED_UNKNOWN};
}

// Returns the microseconds that a kernel expects to take; INFINITY if it has no fitted costs. For a
// variant that chooses among kernels, this is the least time of these kernels.
static double expected_time(const struct choice *kernel, const struct situation *situation) {
    const struct chooser *choice = &extras_of(kernel->variant)->choice;
    double least = choice->expects ? choice->expects(situation) : INFINITY;
    for (int i = 0; choice->among && choice->among[i]; i++) {
        least = fmin(least, leaf_expects(choice->among[i], situation));
    }
    return least;
}

struct speed speed_modelled(const struct schedule *s, const struct choice *kernel,
                            const struct device_info *info) {
    const struct operation *largest = NULL;
    for (int i = 0; i < s->count; i++) {
        const struct operation *o = &s->operations[i];
        if (o->kind == MULTIPLY && (!largest || operation_flops(o) > operation_flops(largest)))
            largest = o;
    }
    if (!largest || operation_flops(largest) == 0) return (struct speed){NAN, SPEED_UNKNOWN};
    const double microseconds = expected_time(
        kernel, &(struct situation){.m = (int)largest->c.rows,
                                    .n = (int)largest->c.cols,
                                    .k = (int)largest->a.cols,
                                    .ldb = (int)largest->b.ld,
                                    .ldc = (int)largest->c.ld,
                                    .multiprocessors = info->multiprocessors,
                                    .capability = info->compute_capability,
                                    .machine_code = true,
                                    .reads_c = largest->factor != FACTOR_ZERO && !s->beta_is_zero,
                                    .device = info->name});
    if (!isfinite(microseconds)) return (struct speed){NAN, SPEED_UNKNOWN};
    return (struct speed){operation_flops(largest) / microseconds * 1e-6, SPEED_MODELLED};
}
