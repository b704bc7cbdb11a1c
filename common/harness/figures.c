// Computes figures from counters.
#include "figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *name, *words, *factor, *over, *under;
} rows[] = {
#define FIGURE(name, words, factor, over, under) {name, words, factor, over, under},
#include "figures.def"
};

static double counter_named(const char *name, size_t length, const struct counter *counters,
                            int count) {
    for (int i = 0; i < count; i++) {
        if (strncmp(counters[i].name, name, length) == 0 && !counters[i].name[length])
            return counters[i].value;
    }
    return NAN;
}

// Returns the sum of the counters in `names`, "a+b+c".
static double sum(const char *names, const struct counter *counters, int count) {
    double total = 0;
    for (;;) {
        const size_t length = strcspn(names, "+");
        total += counter_named(names, length, counters, count);
        if (!names[length]) return total;
        names += length + 1;
    }
}

double figure_value(const char *name, const struct counter *counters, int count) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) != 0) continue;
        const double over = strtod(rows[i].factor, NULL) * sum(rows[i].over, counters, count);
        const double under = *rows[i].under ? sum(rows[i].under, counters, count) : 1;
        return under > 0 ? over / under : NAN;
    }
    return NAN;
}

const struct counter *binding_bound(const struct counter *counters, int count) {
    const struct counter *most = NULL;
    for (int i = 0; i < count; i++) {
        if (counters[i].part && (!most || counters[i].value > most->value)) most = &counters[i];
    }
    return most;
}
