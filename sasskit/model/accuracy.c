// The table of the timing model's errors, from accuracy.def, which tools/validate.py writes.
#include "accuracy.h"

#include <stddef.h>
#include <string.h>

static const struct sm_accuracy known[] = {
#define ACCURACY(kind, mean_pct, most_pct, launches) {kind, mean_pct, most_pct, launches},
#include "accuracy.def"
#undef ACCURACY
};

const struct sm_accuracy *sm_accuracy_of(const char *kind) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].kind, kind) == 0) return &known[i];
    return NULL;
}
