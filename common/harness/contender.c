// Finds and loads the kernels of contenders.
#include "contender.h"

#include "base/arith.h"
#include "isa/chip.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *contender_step(const struct contender *c) {
    return c->step ? c->step->name : "cublas";
}

const char *contender_variant(const struct contender *c) {
    if (c->variant) return *c->label ? c->label : c->variant->name;
    return c->element == FP64 ? "dgemm"
           : c->default_math  ? "default"
           : c->tuned         ? "tuned"
                              : "pedantic";
}

int find_cubin(char *path, int size, const char *folder, int compute_capability, const char *step,
               const char *variant) {
    for (int capability = compute_capability; capability >= compute_capability / 10 * 10;
         capability--) {
        snprintf(path, (size_t)size, "%s/sm_%d/%s/%s.cubin", folder, capability, step, variant);
        if (access(path, R_OK) == 0) return capability;
    }
    return 0;
}

// Prints a note if the variant's source was changed after the cubin was made. An installed program
// has no source beside it, and gets no note.
static void note_age(const char *cubin, const char *folder, const struct choice *choice) {
    char name[2048], source[4096];
    struct stat made, written;
    variant_source(name, sizeof name, choice->step, choice->variant);
    snprintf(source, sizeof source, "%s/../../%s", folder, name);
    if (stat(cubin, &made) != 0 || stat(source, &written) != 0) return;
    const bool older = made.st_mtim.tv_sec != written.st_mtim.tv_sec
                           ? made.st_mtim.tv_sec < written.st_mtim.tv_sec
                           : made.st_mtim.tv_nsec < written.st_mtim.tv_nsec;
    if (older)
        say_error("note: %s/%s: its cubin is older than its source, %s: the old kernel runs until "
                  "you run `make`",
                  choice->step->name, choice->variant->name, name);
}

// Prints a note, once per run, if a variant chooses by times that were measured on another device.
static void note_costs(const struct contender *c) {
    static bool noted;
    const struct chooser *choice = &extras_of(c->variant)->choice;
    const char *from = choice->costs_from ? choice->costs_from(c->device) : c->device;
    if (noted || strcmp(from, c->device) == 0) return;
    noted = true;
    say_error("note: %s/%s: there are no measured times for %s, so it chooses by those of %s: "
              "`make fit` measures here",
              c->step->name, c->variant->name, c->device, from);
}

// Appends to choices[0..*count) each variant meant by `name`, an entry of a chooser's `among`
// (extras.h). Ensures *count <= MAX_CHOICES.
static void add_choices(const char *name, struct choice *choices, int *count) {
    const struct step_table table = linked_steps();
    for (int i = 0; i < table.count; i++) {
        for (const struct variant *v = table.steps[i]->variants; v->name && *count < MAX_CHOICES;
             v++) {
            choices[*count] = (struct choice){table.steps[i], v};
            *count += is_meant(name, &choices[*count]);
        }
    }
}

// Sets choices[0..*count) to the variants that a chooser chooses among (extras.h). Leaves out, with
// a note, entries of `among` that are not linked in. Returns false if no variant is left.
static bool choices_of(const struct contender *c, struct choice *choices, int *count) {
    const char *const *among = extras_of(c->variant)->choice.among;
    *count = 0;
    for (int i = 0; among && among[i]; i++) {
        const int before = *count;
        add_choices(among[i], choices, count);
        if (*count == before)
            say_error("note: %s/%s chooses without %s, which is not linked into this program",
                      c->step->name, c->variant->name, among[i]);
    }
    return *count > 0 ||
           say_error("%s/%s: none of the variants that it chooses from is linked into this program",
                     c->step->name, c->variant->name);
}

bool is_untried(const struct variant *v, const struct backend *backend,
                const struct device_info *info) {
    const struct sass_chip *chip = sass_chip(info->compute_capability);
    return variant_is_machine_code(v) && strcmp(backend->name, "gpu") == 0 &&
           !(chip && chip->tried);
}

bool contender_fits(const struct variant *v, const struct backend *backend,
                    const struct device_info *info, char *why, size_t size) {
    const struct extras *more = extras_of(v);
    const int only = variant_capability(v), here = info->compute_capability;
    struct choice leaf;
    *why = '\0';
    if (more->not_predicted && backend->predicted) {
        snprintf(
            why, size,
            "its launches depend on computed values, and the model runs only some of the blocks");
    } else if (only && only != here) {
        snprintf(why, size, "it is %s sm_%d%s, this device is sm_%d",
                 more->build.sm_90a ? "compiled for" : "machine code of", only,
                 more->build.sm_90a ? "a" : "", here);
    } else if (variant_is_machine_code(v) && !variant_runs(v, here)) {
        snprintf(why, size, "it is machine code of sm_%d and later, this device is sm_%d",
                 more->build.capability, here);
    } else if (more->build.capability > here) {
        snprintf(why, size, "it needs sm_%d, this device is sm_%d", more->build.capability, here);
    } else if (is_untried(v, backend, info) && !info->untried) {
        snprintf(
            why, size,
            "it is machine code that was never run on sm_%d: run `make doctor`, then add --untried",
            here);
    } else if (v->shared_bytes > info->most_shared) {
        snprintf(why, size, "a block needs %.1f KB of shared memory, this device has %.1f KB",
                 v->shared_bytes / 1024.0, info->most_shared / 1024.0);
    } else if (more->composed.leaf && !find_choice(linked_steps(), more->composed.leaf, &leaf)) {
        snprintf(why, size, "it multiplies with %s, which is not linked into this program",
                 more->composed.leaf);
    } else if (more->composed.leaf) {
        return contender_fits(leaf.variant, backend, info, why, size);
    }
    return !*why;
}

// Loads the candidates: those of choices_of() that can run on this device.
static bool load_candidates(struct contender *c, const struct backend *backend,
                            const struct device_info *info, const char *folder) {
    struct choice choices[MAX_CHOICES];
    char why[128];
    int count;
    if (!choices_of(c, choices, &count)) return false;
    c->candidates = calloc((size_t)count, sizeof *c->candidates);
    c->sharings = calloc(MOST_SHARINGS, sizeof *c->sharings);
    if (!c->candidates || !c->sharings) return say_error("not enough host memory");
    note_costs(c);
    for (int i = 0; i < count; i++) {
        if (!contender_fits(choices[i].variant, backend, info, why, sizeof why)) continue;
        if (!contender_load(&c->candidates[c->candidate_count++], backend, info, folder,
                            &choices[i]))
            return false;
    }
    return true;
}

// Returns the step's variant whose name is the first `length` characters of `name`; NULL if there
// is none.
static const struct variant *variant_named(const struct step *step, const char *name,
                                           ptrdiff_t length) {
    for (int v = 0; v < variant_count(step); v++) {
        if (strncmp(step->variants[v].name, name, (size_t)length) == 0 &&
            !step->variants[v].name[length])
            return &step->variants[v];
    }
    return NULL;
}

// Complains that a variant's kernel is not built, and prints the make command that builds it (with
// ARCH for an architecture other than sm_90). Returns false.
static bool say_unbuilt(const struct choice *choice, const struct device_info *device) {
    const char *step = choice->step->name, *variant = choice->variant->name;
    const int capability = device->compute_capability;
    if (capability == 90)
        return say_error("%s/%s is not built for sm_90: `make build/%s` builds it", step, variant,
                         step);
    return say_error("%s/%s is not built for sm_%d: `make ARCH=sm_%d build/%s` builds it", step,
                     variant, capability, capability, step);
}

// Loads one kernel per pass, perhaps from another variant's cubin ("one_level/strassen_add"). The
// pass that has the step's kernel sets c->kernel, c->info and c->blocks_per_sm.
static bool load_passes(struct contender *c, const struct backend *backend,
                        const struct device_info *device, const char *folder) {
    const struct pass *passes = extras_of(c->variant)->passes.pass;
    for (int i = 0; passes[i].kernel; i++) {
        const char *kernel = passes[i].kernel, *slash = strchr(kernel, '/');
        char path[4096];
        struct kernel_info info;
        int blocks;
        const struct choice of = {c->step, slash ? variant_named(c->step, kernel, slash - kernel)
                                                 : c->variant};
        if (slash) kernel = slash + 1;
        if (!find_cubin(path, sizeof path, folder, device->compute_capability, of.step->name,
                        of.variant->name))
            return say_unbuilt(&of, device);
        if (!backend->load(path, kernel, passes[i].shared_bytes, &c->pass_kernels[i], &info) ||
            !backend->occupancy(c->pass_kernels[i], passes[i].threads, passes[i].shared_bytes,
                                &blocks)) {
            return say_error("%s/%s: %s", c->step->name, c->variant->name, backend_error());
        }
        if (strcmp(passes[i].kernel, c->step->kernel) != 0) continue;
        c->kernel = c->pass_kernels[i];
        c->info = info;
        c->blocks_per_sm = blocks;
    }
    return true;
}

// Loads the leaf of a variant that is composed of smaller GEMMs.
static bool load_leaf(struct contender *c, const struct backend *backend,
                      const struct device_info *info, const char *folder) {
    struct choice leaf;
    // contender_fits() has ensured that the leaf is linked
    if (!find_choice(linked_steps(), extras_of(c->variant)->composed.leaf, &leaf)) return false;
    c->leaf = calloc(1, sizeof *c->leaf);
    return c->leaf ? contender_load(c->leaf, backend, info, folder, &leaf)
                   : say_error("not enough host memory");
}

// Returns true if this device may run machine code of a linked step. Untried code needs --untried.
static bool has_machine_code(const struct backend *backend, const struct device_info *info) {
    const struct step_table table = linked_steps();
    for (int i = 0; i < table.count; i++) {
        for (const struct variant *v = table.steps[i]->variants; v->name; v++) {
            if (variant_is_machine_code(v) && variant_runs(v, info->compute_capability) &&
                (info->untried || !is_untried(v, backend, info)))
                return true;
        }
    }
    return false;
}

bool contender_load(struct contender *c, const struct backend *backend,
                    const struct device_info *info, const char *folder,
                    const struct choice *choice) {
    char path[4096];
    *c = (struct contender){
        .step = choice->step,
        .variant = choice->variant,
        .element = step_extras_of(choice->step)->element,
        .multiprocessors = info->multiprocessors,
        .device = info->name,
        .capability = info->compute_capability,
        .machine_code = has_machine_code(backend, info),
    };
    const struct variant *v = choice->variant;
    const struct extras *more = extras_of(v);
    if (variant_chooses(v)) return load_candidates(c, backend, info, folder);
    const int built = find_cubin(path, sizeof path, folder, info->compute_capability,
                                 choice->step->name, v->name);
    if (!built) return say_unbuilt(choice, info);
    note_age(path, folder, choice);
    if (!code_of(c->code, path)) return false;
    if (more->composed.leaf && !load_leaf(c, backend, info, folder)) return false;
    if (more->passes.pass) return load_passes(c, backend, info, folder);
    struct kernel_info pad_info;
    if (!backend->load(path, choice->step->kernel, v->shared_bytes, &c->kernel, &c->info) ||
        (more->padded.kernel &&
         !backend->load(path, more->padded.kernel, 0, &c->pad_kernel, &pad_info)) ||
        !backend->occupancy(c->kernel, v->threads, v->shared_bytes, &c->blocks_per_sm)) {
        return say_error("%s/%s: %s", choice->step->name, v->name, backend_error());
    }
    if (c->info.max_threads && v->threads > c->info.max_threads)
        return say_error(
            "%s/%s: step.c says blocks of %d threads, and the kernel was compiled for at most %d "
            "(__launch_bounds__): make them agree",
            choice->step->name, v->name, v->threads, c->info.max_threads);
    if (c->blocks_per_sm == 0)
        return say_error("%s/%s: a block of %d threads with %d registers each and %d bytes of "
                         "shared memory does not fit a multiprocessor of this device (the "
                         "driver's error 701)",
                         choice->step->name, v->name, v->threads, c->info.registers,
                         c->info.shared_bytes + v->shared_bytes);
    c->blocks.at_once = (int64_t)c->blocks_per_sm * info->multiprocessors;
    // An assembled persistent kernel (hand.sass) reserves memory for one block per SM of the
    // largest GPU of the cubin's architecture. This device may be newer and have more SMs.
    const struct sass_chip *chip = sass_chip(built);
    if (variant_is_text(v) && more->grid.persistent && chip && chip->most_sms)
        c->blocks.at_once = min(c->blocks.at_once, chip->most_sms);
    return true;
}

void contender_free_workspaces(struct contender *c, const struct backend *backend) {
    workspace_free(&c->workspace, backend);
    for (int i = 0; i < c->candidate_count; i++)
        contender_free_workspaces(&c->candidates[i], backend);
    if (c->leaf) contender_free_workspaces(c->leaf, backend);
}

void contender_unload(struct contender *c, const struct backend *backend) {
    workspace_free(&c->workspace, backend);
    if (c->borrows) return; // the contender that owns the kernel also owns `candidates` and `leaf`
    if (c->kernel && !extras_of(c->variant)->passes.pass) backend->unload(c->kernel);
    for (int i = 0; i < MAX_PASSES; i++) {
        if (c->pass_kernels[i]) backend->unload(c->pass_kernels[i]);
        c->pass_kernels[i] = NULL;
    }
    if (c->pad_kernel) backend->unload(c->pad_kernel);
    for (int i = 0; i < c->candidate_count; i++) contender_unload(&c->candidates[i], backend);
    if (c->leaf) contender_unload(c->leaf, backend);
    free(c->leaf);
    free(c->candidates);
    free(c->sharings);
    c->leaf = NULL;
    c->candidates = NULL;
    c->sharings = c->last = NULL;
    c->sharing_count = 0;
    c->candidate_count = 0;
    c->kernel = c->pad_kernel = NULL;
}

bool list_codes(struct step_table table, const char *folder, int capability) {
    char path[4096], code[CODE_DIGITS + 1];
    for (int i = 0; i < table.count; i++) {
        const struct step *step = table.steps[i];
        for (int v = 0; !step_extras_of(step)->not_in_ladder && v < variant_count(step); v++) {
            const char *variant = step->variants[v].name;
            if (!find_cubin(path, sizeof path, folder, capability, step->name, variant)) continue;
            if (!code_of(code, path)) return false;
            printf("%s %s %s\n", step->name, variant, code);
        }
    }
    return true;
}
