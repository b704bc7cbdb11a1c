// Kernels: opened from a cubin, and what is known of them.
#include "launch.h"

#include <stdlib.h>

static struct sim_kernel *finish(struct sim_kernel *k, const char *path, const char *name, struct sim_error *error) {
    const struct sass_kernel *found = cubin_kernel(&k->cubin, name);
    if (!found) {
        int n = snprintf(error->message, sizeof error->message, "%s: no kernel %s; it has", path, name);
        for (int i = 0; i < k->cubin.kernel_count && n > 0 && (size_t)n < sizeof error->message; i++)
            n += snprintf(error->message + n, sizeof error->message - (size_t)n, " %s", k->cubin.kernels[i].name);
    } else if (k->cubin.arch != 90) {
        snprintf(error->message, sizeof error->message, "%s: code for sm_%d; the simulator runs sm_90", path,
                 k->cubin.arch);
    } else if (found->relocated) {
        snprintf(
            error->message, sizeof error->message,
            "%s: the code of %s has addresses that a linker fills in, and the simulator does not: link it, or put its "
            "functions into one file",
            path, name);
    } else {
        bool failed;
        k->variables = variables_open(&k->cubin, &failed);
        k->program = failed ? NULL : program_open(&k->cubin, found, engine_choose());
        if (k->program) return k;
        snprintf(error->message, sizeof error->message, "%s: %s", path,
                 failed ? "its device variables cannot be read" : "not enough host memory");
    }
    sim_kernel_close(k);
    return NULL;
}

struct sim_kernel *sim_kernel_open(const char *path, const char *name, struct sim_error *error) {
    struct sim_kernel *k = calloc(1, sizeof *k);
    struct sass_error why;
    if (!k) return NULL;
    if (cubin_open(&k->cubin, path, &why)) return finish(k, path, name, error);
    snprintf(error->message, sizeof error->message, "%s", why.message);
    free(k);
    return NULL;
}

struct sim_kernel *sim_kernel_open_memory(const void *bytes, size_t size, const char *path, const char *name,
                                          struct sim_error *error) {
    struct sim_kernel *k = calloc(1, sizeof *k);
    struct sass_error why;
    if (!k) return NULL;
    if (cubin_open_memory(&k->cubin, path, bytes, size, &why)) return finish(k, path, name, error);
    snprintf(error->message, sizeof error->message, "%s", why.message);
    free(k);
    return NULL;
}

void sim_kernel_close(struct sim_kernel *k) {
    if (!k) return;
    program_close(k->program);
    variables_close(k->variables);
    cubin_close(&k->cubin);
    free(k);
}

struct sim_kernel_facts sim_kernel_facts(const struct sim_kernel *k) {
    const struct sass_kernel *s = k->program->kernel;
    const int shared = s->shared_bytes - s->shared_reserved; // a kernel without shared memory has no section for it
    return (struct sim_kernel_facts){.name = s->name,
                                     .registers = s->registers,
                                     .shared_bytes = shared > 0 ? shared : 0,
                                     .local_bytes = s->local_bytes,
                                     .parameter_count = s->parameter_count,
                                     .arch = k->cubin.arch};
}

int sim_parameter_size(const struct sim_kernel *k, int ordinal) {
    const struct sass_kernel *s = k->program->kernel;
    return ordinal >= 0 && ordinal < s->parameter_count ? s->parameters[ordinal].size : 0;
}

struct sim_result *sim_result_open(const struct sim_kernel *kernel) {
    struct sim_result *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->kernel = kernel;
    r->tally = calloc((size_t)kernel->program->count + 1, sizeof *r->tally);
    if (r->tally) return r;
    free(r);
    return NULL;
}
void sim_result_close(struct sim_result *r) {
    if (!r) return;
    free(r->tally);
    free(r);
}
void sim_result_clear(struct sim_result *r) {
    memset(r->tally, 0, ((size_t)r->kernel->program->count + 1) * sizeof *r->tally);
    r->launches = 0;
}
