// Notes about a kernel whose counters and times are likely to be misread: it was compiled for a
// debugger, or it keeps values in local memory.
#include "base/finding.h"
#include "sim/machine/kernel.h"

// The loads and stores of local memory in a kernel's code.
struct local_code {
    int loads, stores;
    int load_bytes, store_bytes; // per thread, if each instruction were executed once
};

static struct local_code count_code(const struct program *p, bool spills) {
    struct local_code c = {0, 0, 0, 0};
    for (uint32_t i = 0; i < p->count; i++) {
        const struct detail *d = &p->detail[i];
        if (!d->instruction.form || (spills && !d->spills)) continue;
        const bool loads = d->instruction.form->opcode == SASS_LDL,
                   stores = d->instruction.form->opcode == SASS_STL;
        c.loads += loads;
        c.stores += stores;
        c.load_bytes += loads ? d->width : 0;
        c.store_bytes += stores ? d->width : 0;
    }
    return c;
}

#define TEXT(f, to, ...) snprintf((f)->to, sizeof(f)->to, __VA_ARGS__)

static bool describe_debug_build(const struct sim_kernel *kernel, struct finding *f) {
    if (!kernel->cubin.debugged) return false;
    TEXT(f, message,
         "compiled for a debugger: its counts and times are not those of optimised code");
    TEXT(f, cause, "nvcc -G optimises nothing and keeps every variable in local memory");
    TEXT(f, remedy, "compile without -G; -lineinfo alone keeps the source lines");
    return true;
}

static bool describe_spills(const struct sim_kernel *kernel, const struct program *p,
                            struct finding *f) {
    const struct local_code c = count_code(p, true);
    if (!c.loads && !c.stores) return false;
    TEXT(f, message,
         "spills registers to local memory: %d store%s and %d load%s in its code, of %d and %d "
         "bytes per thread",
         c.stores, c.stores == 1 ? "" : "s", c.loads, c.loads == 1 ? "" : "s", c.store_bytes,
         c.load_bytes);
    TEXT(f, cause, "it needs more registers than the %d that it may use", kernel->code->registers);
    TEXT(f, remedy,
         "allow more registers (-maxrregcount, the second number of __launch_bounds__), or keep "
         "fewer values per thread");
    return true;
}

static bool describe_local_arrays(const struct sim_kernel *kernel, const struct program *p,
                                  struct finding *f) {
    const struct local_code c = count_code(p, false);
    if (!c.loads && !c.stores) return false;
    TEXT(f, message,
         "uses %d bytes of local memory per thread: %d store%s and %d load%s in its code",
         kernel->code->local_bytes, c.stores, c.stores == 1 ? "" : "s", c.loads,
         c.loads == 1 ? "" : "s");
    if (kernel->code->spill_count < 0)
        TEXT(f, cause,
             "arrays of a thread whose index is not known when compiling lie there, and spilled "
             "registers; this compiler does not say which");
    else
        TEXT(f, cause,
             "arrays of a thread lie there if an index is not known when compiling, and frames of "
             "functions");
    TEXT(f, remedy,
         "unroll the loops over such an array, so that each index is a constant, or use shared "
         "memory");
    return true;
}

void sim_print_notes(const struct sim_kernel *kernel) {
    const struct program *p = kernel_program(kernel);
    struct finding f = {.severity = SEVERITY_NOTE,
                        .kernel = kernel->code->name,
                        .warp = NOBODY_KNOWN,
                        .repeats = 1};
    f.argument = NOBODY_KNOWN;
    f.place.warp = f.place.lane = f.other.warp = f.other.lane = NOBODY_KNOWN;
    if (!p) return;
    const char *kind = describe_debug_build(kernel, &f)       ? "debug-build"
                       : describe_spills(kernel, p, &f)       ? "spills"
                       : describe_local_arrays(kernel, p, &f) ? "local-memory"
                                                              : NULL;
    if (!kind) return;
    f.kind = f.rule = kind;
    f.id = finding_new_id();
    finding_print(&f);
}
