// Loads kernels at their first use, and allocates device memory.
#include "internal.h"
#include "tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Threads per block and bytes of shared memory of sgemm_tensor, as in step 13.
enum { PRODUCT_THREADS = 384, PRODUCT_SHARED = 2048 + 3 * 4 * 128 * ROW_BYTES };

const struct pass copy_kernels[] = {{"gather", 256, 0, NULL}, {"combine", 256, 0, NULL}, {0}};
const struct pass tensor_kernels[] = {
    {"survey", PRE_THREADS, 0, NULL},
    {"survey_short", PRE_THREADS, 0, NULL},
    {"survey_held_by_two", PRE_THREADS, HELD_HEAD + FEW_HELD_TILES *HELD_TILE, NULL},
    {"survey_held", PRE_THREADS, HELD_HEAD + MOST_HELD_TILES *HELD_TILE, NULL},
    {"split", PRE_THREADS, 0, NULL},
    {"sgemm_tensor", PRODUCT_THREADS, PRODUCT_SHARED, NULL},
    {"mend", PRE_THREADS, 0, NULL},
    {0}};

// Returns the cubin for the highest sm_xy up to `capability` with the same major version; NULL if
// there is none.
static const struct image *find_image(int capability, const char *step, const char *variant) {
    for (int sm = capability; sm >= capability / 10 * 10; sm--) {
        char name[128];
        snprintf(name, sizeof name, "sm_%d/%s/%s", sm, step, variant);
        for (const struct image *i = sgemm_images; i->name; i++)
            if (strcmp(i->name, name) == 0) return i;
    }
    return NULL;
}

bool has_image(const struct sgemm_context *h, const char *step, const char *variant) {
    return find_image(h->info.compute_capability, step, variant) != NULL;
}

static bool load(struct sgemm_context *h, struct loaded *to, const char *step, const char *variant,
                 const struct pass *passes) {
    const struct backend *backend = h->device->backend;
    const struct image *image = find_image(h->info.compute_capability, step, variant);
    if (!image)
        return refuse(
            SGEMM_FAILED,
            "libsgemm was built without the kernel %s/%s for sm_%d: build it with ARCH=sm_%d", step,
            variant, h->info.compute_capability, h->info.compute_capability);
    int64_t at_once = 0;
    for (int i = 0; passes[i].kernel; i++) {
        struct kernel_info info;
        int blocks = 0;
        if ((!to->kernels[i] &&
             !backend->load_image(image->start, (size_t)image->bytes, image->name, passes[i].kernel,
                                  passes[i].shared_bytes, &to->kernels[i], &info)) ||
            !backend->occupancy(to->kernels[i], passes[i].threads, passes[i].shared_bytes, &blocks))
            return refuse(SGEMM_FAILED, "%s", backend_error());
        if (i == 0) at_once = (int64_t)blocks * h->info.multiprocessors;
    }
    to->at_once = at_once; // set last, so that the next call tries again after a failure
    return true;
}

static const struct step *const *const steps[STEP_SETS] = {&block_order_entry, &shapes_entry,
                                                           &tensor_cores_entry};

// Returns the index in `steps` of a variant's step, and sets *number to the variant's index in the
// step.
static int set_of(const struct variant *v, int *number) {
    for (int set = 0; set < STEP_SETS; set++) {
        const struct variant *variants = (*steps[set])->variants;
        for (*number = 0; variants[*number].name; ++*number)
            if (&variants[*number] == v) return set;
    }
    abort(); // no caller passes a variant of another step
}

const struct step *step_of(const struct variant *v) {
    int number;
    return *steps[set_of(v, &number)];
}

struct loaded *load_variant(struct sgemm_context *h, const struct variant *v) {
    int number;
    const int set = set_of(v, &number);
    const struct step *step = *steps[set];
    struct loaded *to = &h->loaded[set][number];
    const struct pass single[] = {{step->kernel, v->threads, v->shared_bytes, NULL}, {0}};
    if (to->at_once > 0) return to;
    const struct pass *passes = extras_of(v)->passes.pass;
    return load(h, to, step->name, v->name, passes ? passes : single) ? to : NULL;
}

struct loaded *load_own(struct sgemm_context *h, bool tensor) {
    struct loaded *to = &h->loaded[OF_LIBRARY][tensor];
    if (to->at_once > 0) return to;
    return load(h, to, "library", tensor ? "tensor" : "copy",
                tensor ? tensor_kernels : copy_kernels)
               ? to
               : NULL;
}

void unload_all(struct sgemm_context *h) {
    for (int set = 0; set < KERNEL_SETS; set++)
        for (int v = 0; v < MOST_LOADED; v++)
            for (int i = 0; i < MOST_PASSES; i++)
                if (h->loaded[set][v].kernels[i])
                    h->device->backend->unload(h->loaded[set][v].kernels[i]);
}

bool take_memory(struct sgemm_context *h, int64_t bytes, device_pointer *at) {
    *at = 0;
    if (h->options.allocate) {
        *at = (device_pointer)(uintptr_t)h->options.allocate((size_t)bytes, h->stream,
                                                             h->options.user);
        if (*at) return true;
        return refuse(SGEMM_NO_MEMORY,
                      "the caller's allocator returned NULL for %lld bytes: set most_bytes",
                      (long long)bytes);
    }
    if (h->device->backend->allocate(bytes, 0, at)) return true;
    return refuse(SGEMM_NO_MEMORY, "%s", backend_error());
}

void give_memory(struct sgemm_context *h, struct memory memory) {
    if (!memory.at) return;
    if (!h->options.allocate)
        h->device->backend->release(memory.at);
    else if (h->options.release)
        h->options.release((void *)(uintptr_t)memory.at, (size_t)memory.bytes, h->stream,
                           h->options.user);
}
