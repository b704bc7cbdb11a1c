// The table of all backends.
#include "backend.h"

#include <string.h>

const struct backend *const backends[] = {&backend_gpu, &backend_sim, &backend_model, NULL};

const struct backend *backend_find(const char *name) {
    for (int i = 0; backends[i]; i++) {
        if (strcmp(backends[i]->name, name) == 0) return backends[i];
    }
    return NULL;
}
