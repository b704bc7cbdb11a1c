// What runs in a race.
#include "contender.h"
#include "compose.h"
#include "say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BLOCK_ROWS = 65535 }; // gridDim.y, CUDA C++ Programming Guide, "Compute Capabilities"

const char *contender_step(const struct contender *c) {
    return c->step ? c->step->name : "cublas";
}

const char *contender_variant(const struct contender *c) {
    if (c->variant) return *c->label ? c->label : c->variant->name;
    return c->element == FP64 ? "dgemm" : c->default_math ? "default" : c->tuned ? "tuned" : "pedantic";
}

bool find_cubin(char *path, int size, const char *folder, int compute_capability, const char *step,
                const char *variant) {
    for (int capability = compute_capability; capability >= compute_capability / 10 * 10; capability--) {
        snprintf(path, (size_t)size, "%s/sm_%d/%s/%s.cubin", folder, capability, step, variant);
        if (access(path, R_OK) == 0) return true;
    }
    return false;
}

// Says so when the step's source was changed after the cubin was made. Where the source is not at hand, as beside installed
// programs, nothing is known and nothing said.
static void note_age(const char *cubin, const char *folder, const struct choice *choice) {
    char name[2048], source[4096];
    struct stat made, written;
    variant_source(name, sizeof name, choice->step, choice->variant);
    snprintf(source, sizeof source, "%s/../../%s", folder, name);
    if (stat(cubin, &made) != 0 || stat(source, &written) != 0) return;
    const bool older = made.st_mtim.tv_sec != written.st_mtim.tv_sec ? made.st_mtim.tv_sec < written.st_mtim.tv_sec
                                                                     : made.st_mtim.tv_nsec < written.st_mtim.tv_nsec;
    if (older)
        complain("note: %s/%s: its cubin is older than its source, %s: run make, or the old kernel is run",
                 choice->step->name, choice->variant->name, name);
}

// Says so, once a run, when a variant chooses by times that were measured on another device.
static void note_costs(const struct contender *c) {
    static bool noted;
    const char *from = c->variant->choice.costs_from ? c->variant->choice.costs_from(c->device) : c->device;
    if (noted || strcmp(from, c->device) == 0) return;
    noted = true;
    complain("note: %s/%s: nothing was fitted on %s, so it chooses by times of %s: make fit measures them here",
             c->step->name, c->variant->name, c->device, from);
}

// What a variant chooses from: those that it names, or all of its step that have a kernel. *count <= MAX_CHOICES.
static bool choices_of(const struct contender *c, struct choice *choices, int *count) {
    *count = 0;
    for (int i = 0; c->variant->choice.among && c->variant->choice.among[i]; i++) {
        if (!find_choice(linked_steps(), c->variant->choice.among[i], &choices[(*count)++]))
            return complain("%s/%s chooses from %s, which this program lacks", c->step->name, c->variant->name,
                            c->variant->choice.among[i]);
    }
    for (int v = 0; !c->variant->choice.among && v < variant_count(c->step); v++) {
        if (!variant_chooses(&c->step->variants[v]))
            choices[(*count)++] = (struct choice){c->step, &c->step->variants[v]};
    }
    return true;
}

bool contender_fits(const struct variant *v, const struct backend *backend, const struct device_info *info, char *why,
                    size_t size) {
    const int only = variant_capability(v), here = info->compute_capability;
    struct choice leaf;
    *why = '\0';
    if (v->not_predicted && backend->predicted) {
        snprintf(why, size, "it decides by what it computes, and the model runs only some of the blocks");
    } else if (only && only != here) {
        snprintf(why, size, "it is %s sm_%d%s, this device is sm_%d", v->sm_90a ? "compiled for" : "machine code of",
                 only, v->sm_90a ? "a" : "", here);
    } else if (variant_is_machine_code(v) && !variant_runs(v, here)) {
        snprintf(why, size, "it is machine code of sm_%d to sm_%d, this device is sm_%d", v->capability,
                 LAST_MACHINE_CODE, here);
    } else if (v->capability > here) {
        snprintf(why, size, "it needs sm_%d, this device is sm_%d", v->capability, here);
    } else if (v->shared_bytes > info->most_shared) {
        snprintf(why, size, "a block of it takes %.1f KB of shared memory, this device has %.1f KB",
                 v->shared_bytes / 1024.0, info->most_shared / 1024.0);
    } else if (v->composed.leaf && find_choice(linked_steps(), v->composed.leaf, &leaf)) {
        return contender_fits(leaf.variant, backend, info, why, size);
    }
    return !*why;
}

// Loads those that run on this device of what the variant chooses from.
static bool load_others(struct contender *c, const struct backend *backend, const struct device_info *info,
                        const char *folder) {
    struct choice choices[MAX_CHOICES];
    char why[128];
    int count;
    if (!choices_of(c, choices, &count)) return false;
    c->others = calloc((size_t)count, sizeof *c->others);
    c->sharings = calloc(MOST_SHARINGS, sizeof *c->sharings);
    if (!c->others || !c->sharings) return complain("not enough host memory");
    note_costs(c);
    for (int i = 0; i < count; i++) {
        if (!contender_fits(choices[i].variant, backend, info, why, sizeof why)) continue;
        if (!contender_load(&c->others[c->other_count++], backend, info, folder, &choices[i])) return false;
    }
    return true;
}

const struct contender *contender_runner(const struct contender *c) {
    return c->last && c->last->count ? contender_runner(c->last->shares[0].by) : c;
}

// The variant of the step that is called by the first `length` characters of `name`; NULL: none.
static const struct variant *variant_named(const struct step *step, const char *name, ptrdiff_t length) {
    for (int v = 0; v < variant_count(step); v++) {
        if (strncmp(step->variants[v].name, name, (size_t)length) == 0 && !step->variants[v].name[length])
            return &step->variants[v];
    }
    return NULL;
}

// The kernels of a variant of several launches; what is told of it is what its main kernel takes.
static bool load_phases(struct contender *c, const struct backend *backend, const struct device_info *device,
                        const char *folder) {
    const struct phase *phases = c->variant->phased.phases;
    for (int i = 0; phases[i].kernel; i++) {
        const char *kernel = phases[i].kernel, *slash = strchr(kernel, '/');
        char path[4096];
        struct kernel_info info;
        int blocks;
        const struct choice of = {c->step, slash ? variant_named(c->step, kernel, slash - kernel) : c->variant};
        if (slash) kernel = slash + 1;
        if (!find_cubin(path, sizeof path, folder, device->compute_capability, of.step->name, of.variant->name))
            return complain("no cubin of %s/%s in %s", c->step->name, of.variant->name, folder);
        if (!backend->load(path, kernel, phases[i].shared_bytes, &c->phase_kernels[i], &info) ||
            !backend->occupancy(c->phase_kernels[i], phases[i].threads, phases[i].shared_bytes, &blocks)) {
            return complain("%s/%s: %s", c->step->name, c->variant->name, backend_error());
        }
        if (strcmp(phases[i].kernel, c->step->kernel) != 0) continue;
        c->kernel = c->phase_kernels[i];
        c->info = info;
        c->blocks_per_sm = blocks;
    }
    return true;
}

// What computes the products of a variant that composes.
static bool load_leaf(struct contender *c, const struct backend *backend, const struct device_info *info,
                      const char *folder) {
    struct choice leaf;
    if (!find_choice(linked_steps(), c->variant->composed.leaf, &leaf))
        return complain("%s/%s multiplies by %s, which this program lacks", c->step->name, c->variant->name,
                        c->variant->composed.leaf);
    c->leaf = calloc(1, sizeof *c->leaf);
    return c->leaf ? contender_load(c->leaf, backend, info, folder, &leaf) : complain("not enough host memory");
}

// Whether a step has machine code that runs here.
static bool has_machine_code(const struct step *step, int capability) {
    for (int v = 0; v < variant_count(step); v++) {
        if (variant_is_machine_code(&step->variants[v]) && variant_runs(&step->variants[v], capability)) return true;
    }
    return false;
}

bool contender_load(struct contender *c, const struct backend *backend, const struct device_info *info,
                    const char *folder, const struct choice *choice) {
    char path[4096];
    *c = (struct contender){.step = choice->step,
                            .variant = choice->variant,
                            .element = choice->step->element,
                            .multiprocessors = info->multiprocessors,
                            .device = info->name,
                            .machine_code = has_machine_code(choice->step, info->compute_capability)};
    const struct variant *v = choice->variant;
    if (variant_chooses(v)) return load_others(c, backend, info, folder);
    if (!find_cubin(path, sizeof path, folder, info->compute_capability, choice->step->name, v->name)) {
        return complain("no cubin of %s/%s for this device (sm_%d) in %s: build it with `make ARCH=sm_%d`",
                        choice->step->name, v->name, info->compute_capability, folder, info->compute_capability);
    }
    note_age(path, folder, choice);
    if (v->composed.leaf && !load_leaf(c, backend, info, folder)) return false;
    if (v->phased.phases) return load_phases(c, backend, info, folder);
    struct kernel_info pad_info;
    if (!backend->load(path, choice->step->kernel, v->shared_bytes, &c->kernel, &c->info) ||
        (v->padded.kernel && !backend->load(path, v->padded.kernel, 0, &c->pad_kernel, &pad_info)) ||
        !backend->occupancy(c->kernel, v->threads, v->shared_bytes, &c->blocks_per_sm)) {
        return complain("%s/%s: %s", choice->step->name, v->name, backend_error());
    }
    if (c->blocks_per_sm == 0)
        return complain("%s/%s: a block of %d threads does not fit a multiprocessor of this device", choice->step->name,
                        v->name, v->threads);
    c->blocks.at_once = (int64_t)c->blocks_per_sm * info->multiprocessors;
    return true;
}

void contender_unload(struct contender *c, const struct backend *backend) {
    if (c->borrows) return;
    if (c->kernel && !c->variant->phased.phases) backend->unload(c->kernel);
    for (int i = 0; i < MAX_PHASES; i++) {
        if (c->phase_kernels[i]) backend->unload(c->phase_kernels[i]);
        c->phase_kernels[i] = NULL;
    }
    if (c->pad_kernel) backend->unload(c->pad_kernel);
    workspace_free(&c->workspace, backend);
    for (int i = 0; i < c->other_count; i++) contender_unload(&c->others[i], backend);
    if (c->leaf) contender_unload(c->leaf, backend);
    free(c->leaf);
    free(c->others);
    free(c->sharings);
    c->leaf = NULL;
    c->others = NULL;
    c->sharings = c->last = NULL;
    c->sharing_count = 0;
    c->other_count = 0;
    c->kernel = c->pad_kernel = NULL;
}

static struct situation situation_of(const struct contender *c, const struct gemm *g) {
    struct situation situation;
    memset(&situation, 0, sizeof situation); // compared as bytes
    situation.m = (int)g->m;
    situation.n = (int)g->n;
    situation.k = (int)g->k;
    situation.multiprocessors = c->multiprocessors;
    situation.machine_code = c->machine_code;
    situation.reads_c = g->beta != 0;
    situation.device = c->device;
    return situation;
}

static struct gemm gemm_of(const struct problem *p) {
    return (struct gemm){.element = p->c.element,
                         .m = p->c.rows,
                         .n = p->c.cols,
                         .k = p->a.cols,
                         .lda = p->a.ld,
                         .ldb = p->b.ld,
                         .ldc = p->c.ld,
                         .alpha = p->alpha,
                         .beta = p->beta,
                         .a = matrix_address(&p->a, 0),
                         .b = matrix_address(&p->b, 0),
                         .c = matrix_address(&p->c, 0),
                         .a_texture = p->a_texture,
                         .b_texture = p->b_texture};
}

// Rows [first, first + rows) of C.
static struct gemm band_of(const struct gemm *g, int64_t first, int64_t rows) {
    struct gemm band = *g;
    const uint64_t bytes = (uint64_t)element_bytes(g->element);
    band.m = rows;
    band.a += (uint64_t)(first * g->lda) * bytes;
    band.c += (uint64_t)(first * g->ldc) * bytes;
    if (rows != g->m) band.a_texture = band.b_texture = 0; // the texture of A begins with its first row
    return band;
}

struct gemm rows_of(const struct problem *p, int64_t first, int64_t rows) {
    const struct gemm gemm = gemm_of(p);
    return band_of(&gemm, first, rows);
}

static bool launch_rows(struct contender *c, const struct backend *backend, const struct gemm *g, int64_t first,
                        int64_t rows);

// Where a variant that composes gets its products and launches from.
struct composing {
    struct contender *by;
    const struct backend *backend;
};

static bool compose_multiply(void *context, const struct gemm *g) {
    const struct composing *with = context;
    return g->m == 0 || g->n == 0 || launch_rows(with->by->leaf, with->backend, g, 0, g->m);
}

static bool compose_launch(void *context, int phase, int64_t grid_x, int64_t grid_y, void **arguments) {
    const struct composing *with = context;
    const struct launch launch = {.grid_x = grid_x,
                                  .grid_y = grid_y,
                                  .threads = with->by->variant->phased.phases[phase].threads,
                                  .shared_bytes = with->by->variant->phased.phases[phase].shared_bytes,
                                  .arguments = arguments};
    return with->backend->launch(with->by->phase_kernels[phase], &launch);
}

static bool launch_composed(struct contender *c, const struct backend *backend, const struct gemm *g) {
    const struct situation situation = situation_of(c, g);
    struct composing with = {c, backend};
    if (!scratch_fit(&c->workspace, backend, c->variant->phased.scratch_bytes(&situation))) return false;
    const struct composer composer = {.variant = c->variant,
                                      .scratch = c->workspace.buffer + SCRATCH_HEAD_BYTES,
                                      .at_once = (int64_t)c->blocks_per_sm * c->multiprocessors,
                                      .context = &with,
                                      .multiply = compose_multiply,
                                      .launch = compose_launch};
    return c->variant->composed.compose(&composer, g);
}

static bool launch_band(struct contender *c, const struct backend *backend, const struct gemm *gemm) {
    if (!c->step) {
        struct gemm baseline = *gemm;
        baseline.default_math = c->default_math;
        baseline.algorithm = c->algorithm;
        return backend->baseline(&baseline);
    }
    if (c->leaf) return launch_composed(c, backend, gemm);
    if (c->variant->phased.phases) {
        return launch_phases(backend, c->phase_kernels, c->variant, c->multiprocessors, &c->workspace, gemm);
    }
    if (!c->pad_kernel) return launch_gemm(backend, c->kernel, c->variant, c->blocks, gemm);
    return launch_padded(backend, c->kernel, c->pad_kernel, c->variant, c->blocks, &c->workspace, gemm);
}

static bool launch_chosen(struct contender *c, const struct backend *backend, const struct gemm *g);

// Rows [first, first + rows) of C; of one that chooses itself, all of them.
static bool launch_rows(struct contender *c, const struct backend *backend, const struct gemm *g, int64_t first,
                        int64_t rows) {
    if (c->others) return launch_chosen(c, backend, g);
    const bool whole = !c->step || launches_whole(c->variant);
    const int64_t end = first + rows, band = whole ? rows : (int64_t)MOST_BLOCK_ROWS * c->variant->block_m;
    for (; first < end; first += band) {
        const struct gemm gemm = band_of(g, first, end - first < band ? end - first : band);
        if (!launch_band(c, backend, &gemm)) return false;
    }
    return true;
}

static struct contender *other_named(struct contender *c, const char *variant) {
    for (int i = 0; i < c->other_count; i++) {
        if (strcmp(c->others[i].variant->name, variant) == 0) return &c->others[i];
    }
    return NULL;
}

// Who is to compute the first rows of C: as the variant says, or the one that expects to take the least time.
static struct plan plan_of(const struct contender *c, const struct situation *situation) {
    struct plan plan = {"none of them", 0, 0};
    double least = INFINITY;
    if (c->variant->choice.choose) return c->variant->choice.choose(situation);
    for (int i = 0; i < c->other_count; i++) {
        const struct variant *v = c->others[i].variant;
        const double time = v->choice.expects ? v->choice.expects(situation) : INFINITY;
        if (time < least) least = time, plan.variant = v->name;
    }
    return plan;
}

// Asks the variant who is to compute the rows of C, until all of them have somebody.
static bool share_out(struct contender *c, const struct situation *asked, struct sharing *sharing) {
    struct situation rest = *asked;
    *sharing = (struct sharing){.count = 0};
    for (int i = 0; rest.m > 0; i++) {
        const struct plan plan = plan_of(c, &rest);
        struct contender *by = other_named(c, plan.variant);
        if (!by || i == MOST_SHARES) {
            return backend_fail("%s/%s chose %s, which %s", c->step->name, c->variant->name, plan.variant,
                                by ? "is one launch too many" : "does not run here");
        }
        const int rows = plan.rows > 0 && plan.rows < rest.m ? plan.rows : rest.m;
        sharing->shares[i] = (struct share){by, plan.parts, rows};
        rest.m -= rows;
        if (rest.m == 0) sharing->count = i + 1;
    }
    sharing->asked = *asked;
    return true;
}

// What was chosen for a problem; NULL: nothing yet.
static struct sharing *sharing_of(const struct contender *c, const struct situation *situation) {
    for (int i = 0; i < c->sharing_count && i < MOST_SHARINGS; i++) {
        if (memcmp(&c->sharings[i].asked, situation, sizeof *situation) == 0) return &c->sharings[i];
    }
    return NULL;
}

// Runs the variants that are chosen; they are chosen once for a shape, since a launch is not to wait for it.
static bool launch_chosen(struct contender *c, const struct backend *backend, const struct gemm *g) {
    const struct situation situation = situation_of(c, g);
    int64_t first = 0;
    c->last = sharing_of(c, &situation);
    if (!c->last) {
        c->last = &c->sharings[c->sharing_count++ % MOST_SHARINGS];
        if (!share_out(c, &situation, c->last)) return false;
    }
    for (int i = 0; i < c->last->count; i++) {
        const struct share *share = &c->last->shares[i];
        share->by->blocks.parts = share->parts;
        if (!launch_rows(share->by, backend, g, first, share->rows)) return false;
        first += share->rows;
    }
    return true;
}

struct situation contender_situation(const struct contender *c, const struct problem *p) {
    const struct gemm gemm = gemm_of(p);
    return situation_of(c, &gemm);
}

bool contender_launch(struct contender *c, const struct problem *p) {
    const struct gemm gemm = gemm_of(p);
    if (p->c.rows == 0 || p->c.cols == 0) return true; // nothing to compute, as in BLAS
    return launch_rows(c, p->backend, &gemm, 0, p->c.rows);
}
