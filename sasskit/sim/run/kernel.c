// Opens kernels of cubins and returns their properties.
#include "isa/chip.h"
#include "isa/mangled.h"
#include "launch.h"
#include "link.h"

#include <stdlib.h>

// Returns the kernel with this mangled name, or else the only one with this name in the source. If
// `name` is NULL, returns the cubin's only kernel.
static const struct sass_kernel *find_kernel(const struct sass_cubin *cubin, const char *path,
                                             const char *name, struct error *error) {
    if (!name && cubin->kernel_count == 1) return &cubin->kernels[0];
    const struct sass_kernel *found = name ? cubin_kernel(cubin, name) : NULL;
    int fits = 0, n = 0;
    char readable[512];
    for (int i = 0; name && !found && i < cubin->kernel_count; i++)
        fits += name_fits(cubin->kernels[i].name, name);
    for (int i = 0; !found && fits == 1 && i < cubin->kernel_count; i++) {
        if (name_fits(cubin->kernels[i].name, name)) return &cubin->kernels[i];
    }
    if (found) return found;
    if (cubin->kernel_count == 0) {
        error_refuse(error, "%s: it has no kernel: expected a __global__ function in it", path);
        return NULL;
    }
    n = snprintf(error->message, sizeof error->message,
                 !name  ? "%s: it has several kernels:%s expected --entry NAME, one of"
                 : fits ? "%s: several kernels are called %s: expected one of"
                        : "%s: there is no kernel %s: it has",
                 path, name ? name : "");
    for (int i = 0; i < cubin->kernel_count && n > 0 && (size_t)n < sizeof error->message; i++) {
        const char *mangled = cubin->kernels[i].name;
        if (fits && !name_fits(mangled, name)) continue;
        name_of_mangled(mangled, readable, sizeof readable);
        const bool same = strcmp(mangled, readable) == 0;
        n += snprintf(error->message + n, sizeof error->message - (size_t)n,
                      same ? " %s" : " %s (%s)", mangled, readable);
    }
    return NULL;
}

static struct sim_kernel *finish(struct sim_kernel *k, const char *path, const char *name,
                                 struct error *error) {
    const struct sass_kernel *found = find_kernel(&k->cubin, path, name, error);
    struct error why = {0};
    if (found && !k->cubin.chip->runs) {
        char names[SASS_CHIP_NAMES];
        error_fail(error, "%s: code for %s, which the simulator does not run: expected %s", path,
                   k->cubin.chip->name, sass_chip_names(true, names));
    } else if (found) {
        k->variables = variables_open(&k->cubin, &why);
        if (k->variables && found->relocated)
            found = k->linked = link_kernel(&k->cubin, found, k->variables, &why);
        k->code = found;
        k->engine = engine_choose();
        if (k->variables && found) return k;
        if (k->variables) error_fail(error, "%s: %s", path, why.message);
        if (!k->variables)
            error_fail(error, "%s: its device variables cannot be read: %s", path, why.message);
    }
    sim_kernel_close(k);
    return NULL;
}

void *sim_variable(struct sim_kernel *k, struct sim_memory *memory, const char *name,
                   uint64_t *address, int64_t *bytes, struct error *error) {
    const struct sass_variable *found = NULL;
    int fits = 0, n;
    if (!variables_place(k->variables, memory))
        return error_fail(error, "not enough host memory"), NULL;
    for (int i = 0; i < k->cubin.variable_count; i++) {
        const struct sass_variable *v = &k->cubin.variables[i];
        const bool constant = strcmp(v->section, ".nv.constant3") == 0;
        if ((!constant && !variables_address(k->variables, v->section_index)) ||
            !name_fits(v->name, name))
            continue;
        fits++;
        found = v;
    }
    if (fits == 1) {
        const uint64_t base = variables_address(k->variables, found->section_index);
        *bytes = (int64_t)found->size;
        *address = base ? base + found->offset : 0;
        if (base) return sim_host(memory, *address, *bytes);
        // A launch copies the constant bank from this place.
        return k->cubin.bytes + (found->bytes - k->cubin.bytes);
    }
    n = snprintf(error->message, sizeof error->message,
                 fits                          ? "several variables are called %s: this cubin has"
                 : k->cubin.variable_count > 0 ? "there is no variable %s: this cubin has"
                                               : "there is no variable %s: this cubin has none",
                 name);
    for (int i = 0; i < k->cubin.variable_count && n > 0 && (size_t)n < sizeof error->message; i++)
        n += snprintf(error->message + n, sizeof error->message - (size_t)n, " %s",
                      k->cubin.variables[i].name);
    error->misuse = true;
    return NULL;
}

// Opens a kernel from `bytes`; if that is NULL, from the file `path`.
static struct sim_kernel *open_kernel(const void *bytes, size_t size, const char *path,
                                      const char *name, struct error *error) {
    struct sim_kernel *k = calloc(1, sizeof *k);
    if (!k) return NULL;
    if (bytes ? cubin_open_memory(&k->cubin, path, bytes, size, error)
              : cubin_open(&k->cubin, path, error))
        return finish(k, path, name, error);
    free(k);
    return NULL;
}

struct sim_kernel *sim_kernel_open(const char *path, const char *name, struct error *error) {
    return open_kernel(NULL, 0, path, name, error);
}

struct sim_kernel *sim_kernel_open_memory(const void *bytes, size_t size, const char *path,
                                          const char *name, struct error *error) {
    return open_kernel(bytes, size, path, name, error);
}

void sim_kernel_close(struct sim_kernel *k) {
    if (!k) return;
    program_close(k->program);
    variables_close(k->variables);
    link_close(k->linked);
    cubin_close(&k->cubin);
    free(k);
}

// Returns true if an earlier instruction that cannot run differs from instruction `index` only in
// registers and addresses: a line about it was printed already.
static bool is_printed_before(const struct program *p, uint32_t index) {
    const struct detail *d = &p->detail[index];
    for (uint32_t i = 0; i < index; i++) {
        const struct detail *other = &p->detail[i];
        if (!other->unknown || other->instruction.encoding != d->instruction.encoding) continue;
        const bool alike = d->instruction.form
                               ? memcmp(&d->instruction.modifiers, &other->instruction.modifiers,
                                        sizeof d->instruction.modifiers) == 0
                               : d->instruction.word.low << 52 == other->instruction.word.low << 52;
        if (alike) return true;
    }
    return false;
}

int sim_kernel_needs(const struct sim_kernel *kernel, FILE *out) {
    const struct program *p = kernel_program(kernel);
    int needs = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        char text[SASS_MAX_TEXT + 32];
        const struct sass_line *line = cubin_line(p->kernel, i * SASS_BYTES);
        if (!p->detail[i].unknown || is_printed_before(p, i)) continue;
        needs++;
        program_text(p, i, text, sizeof text);
        fprintf(out, "%s: %s: %s", p->kernel->name, text, p->detail[i].unknown);
        if (line) fprintf(out, " (%s:%u)", line->file ? line->file : "?", line->line);
        fprintf(out, "\n");
    }
    return needs;
}

struct sim_kernel_facts sim_kernel_facts(const struct sim_kernel *k) {
    const struct sass_kernel *s = k->code;
    // negative if the kernel has no section for shared memory
    const int shared = s->shared_bytes - s->chip->shared_reserved;
    return (struct sim_kernel_facts){.name = s->name,
                                     .registers = s->registers,
                                     .shared_bytes = shared > 0 ? shared : 0,
                                     .local_bytes = s->local_bytes,
                                     .max_threads = s->max_threads,
                                     .parameter_count = s->parameter_count,
                                     .arch = k->cubin.chip->capability};
}

int sim_parameter_size(const struct sim_kernel *k, int ordinal) {
    const struct sass_kernel *s = k->code;
    return ordinal >= 0 && ordinal < s->parameter_count ? s->parameters[ordinal].size : 0;
}

struct sim_result *sim_result_open(const struct sim_kernel *kernel) {
    struct sim_result *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->kernel = kernel;
    r->tally = calloc(kernel->code->count + 1, sizeof *r->tally);
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
    memset(r->tally, 0, (r->kernel->code->count + 1) * sizeof *r->tally);
    r->launches = 0;
}
