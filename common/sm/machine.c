// The table of machines, and changes to it from the command line.
#include "sm.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct sm_machine sm_machines[] = {{
                                             .name = "h200",
#define NUMBER(name, h200, h100, unit, what, source) .name = h200,
#include "machine.def"
#undef NUMBER
                                         },
                                         {
                                             .name = "h100",
#define NUMBER(name, h200, h100, unit, what, source) .name = h100,
#include "machine.def"
#undef NUMBER
                                         },
                                         {.name = NULL}};

#ifdef __wasm__ // no page prints the table
#define NOTES(unit, what, source) "", "", ""
#else
#define NOTES(unit, what, source) unit, what, source
#endif

static const struct number {
    const char *name;
    size_t offset;
    const char *unit, *what, *source;
} numbers[] = {
#define NUMBER(name, h200, h100, unit, what, source)                                                                   \
    {#name, offsetof(struct sm_machine, name), NOTES(unit, what, source)},
#include "machine.def"
#undef NUMBER
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static double *number_of(struct sm_machine *machine, const struct number *n) {
    return (double *)(void *)((char *)machine + n->offset);
}

static bool change(struct sm_machine *machine, const char *name, size_t length, const char *value, const char *end,
                   struct sim_error *error) {
    char *stop;
    const double v = strtod(value, &stop);
    if (stop != end || value == end || !(v >= 0 && v < 1e12))
        return sim_refuse(error, "machine: %.*s=%.*s: expected a number that is not negative", (int)length, name,
                          (int)(end - value), value);
    for (int i = 0; i < NUMBERS; i++) {
        if (strlen(numbers[i].name) != length || strncmp(numbers[i].name, name, length) != 0) continue;
        *number_of(machine, &numbers[i]) = v;
        return true;
    }
    return sim_refuse(error, "machine: there is no figure %.*s; --machine list prints them", (int)length, name);
}

// What would make the model divide by zero or wait for ever.
static bool is_sane(const struct sm_machine *m, struct sim_error *error) {
    if (m->multiprocessors >= 1 && m->clock_ghz > 0 && m->l2_gbytes > 0 && m->dram_gbytes > 0 && m->warps >= 1 &&
        m->warps <= 64 && m->blocks >= 1 && m->registers >= 1 && m->schedulers >= 1 && m->schedulers <= 4 &&
        m->write_parts <= 8 && m->queue >= 1 && m->queue <= 64 && m->global_queue >= 1 && m->l1_pending >= 1 &&
        m->shared_wavefronts > 0 && m->l1_tags > 0 && m->texture_words > 0 && m->hgmma_columns >= 0.01 &&
        m->memory_spread <= m->memory_latency)
        return true;
    return sim_refuse(error, "machine: a figure that must be positive is not, or a queue or a count is out of range");
}

bool sm_machine_parse(const char *text, struct sm_machine *machine, struct sim_error *error) {
    *machine = sm_machines[0];
    if (!text) return true;
    const size_t length = strcspn(text, ",");
    const struct sm_machine *m = sm_machines;
    while (m->name && (strlen(m->name) != length || strncmp(m->name, text, length) != 0)) m++;
    if (!m->name) return sim_refuse(error, "machine: there is no machine %.*s; known: h200, h100", (int)length, text);
    *machine = *m;
    for (const char *at = text + length; *at;) {
        at++;
        const char *end = at + strcspn(at, ","), *equals = at + strcspn(at, "=");
        if (equals >= end) return sim_refuse(error, "machine: %.*s: expected FIGURE=VALUE", (int)(end - at), at);
        if (!change(machine, at, (size_t)(equals - at), equals + 1, end, error)) return false;
        at = end;
    }
    return is_sane(machine, error);
}

void sm_machine_print(const struct sm_machine *machine, FILE *file) {
    struct sm_machine copy = *machine;
    for (int i = 0; i < NUMBERS; i++) {
        fprintf(file, "%-18s %9.6g %-8s %s (%s)\n", numbers[i].name, *number_of(&copy, &numbers[i]), numbers[i].unit,
                numbers[i].what, numbers[i].source);
    }
}
