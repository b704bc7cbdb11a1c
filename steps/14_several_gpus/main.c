// The program of a lesson on several GPUs: chooses schemes, kernel and devices, and runs them.
#include "base/channel.h"
#include "base/file.h"
#include "base/h200.h"
#include "harness/interrupt.h"
#include "harness/report.h"
#include "harness/say.h"
#include "harness/start.h"
#include "harness/steps.h"
#include "links.h"
#include "program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- choices -------------------------------------------------------------------------------------

static const struct step *this_step(void) {
    const struct step_table table = linked_steps();
    for (int i = 0; i < table.count; i++) {
        if (step_extras_of(table.steps[i])->not_in_ladder) return table.steps[i];
    }
    return NULL;
}

static bool unknown_variant(const struct gpus_program *p, const char *word) {
    char names[512] = "";
    for (const struct scheme *s = lesson_schemes; s->name; s++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", s->name);
    }
    return say_error("--variant %s: there is no such variant: choose from %s", word, names);
}

static bool add_scheme(struct gpus_program *p, const char *word) {
    for (const struct scheme *s = lesson_schemes; s->name; s++) {
        if (strcmp(s->name, word) != 0) continue;
        if (p->count < MOST_SCHEMES) p->schemes[p->count++] = s;
        return true;
    }
    return unknown_variant(p, word);
}

static bool choose_schemes(struct gpus_program *p) {
    char words[256];
    char *rest = words, *word;
    if (!p->options.variants) {
        for (const struct scheme *s = lesson_schemes; s->name; s++) add_scheme(p, s->name);
        return true;
    }
    snprintf(words, sizeof words, "%s", p->options.variants);
    while ((word = strsep(&rest, ","))) {
        if (!add_scheme(p, word)) return false;
    }
    return true;
}

static bool choose_kernel(struct gpus_program *p) {
    char step[128];
    const char *slash = strchr(p->options.kernel, '/');
    struct choice choices[MAX_CHOICES];
    int count = 0;
    if (!slash || slash == p->options.kernel || !slash[1] ||
        slash - p->options.kernel >= (long)sizeof step)
        return say_error("--kernel %s: expected STEP/VARIANT, for example 09_reuse_sass/hand_16x12",
                         p->options.kernel);
    snprintf(step, sizeof step, "%.*s", (int)(slash - p->options.kernel), p->options.kernel);
    if (!choose_variants(linked_steps(), step, slash + 1, choices, &count)) return false;
    p->kernel = choices[0];
    return (count == 1 && step_extras_of(p->kernel.step)->element == FP32) ||
           say_error("--kernel %s: expected one FP32 kernel", p->options.kernel);
}

// --- the devices ---------------------------------------------------------------------------------

static bool load_workers(struct gpus_program *p) {
    char folder[PATH_MAX];
    struct device_info fewer = p->crew.info;
    fewer.multiprocessors = figures_of(p).sms - figures_of(p).left;
    char why[128];
    if (!find_kernels(folder, sizeof folder, &p->crew.info)) return false;
    if (!contender_fits(p->kernel.variant, p->crew.engine->backend, &p->crew.info, why, sizeof why))
        return say_error("--kernel %s: %s", p->options.kernel, why);
    p->crew.workers = calloc((size_t)p->crew.team.count, sizeof *p->crew.workers);
    if (!p->crew.workers) return say_error("not enough host memory");
    for (int i = 0; i < p->crew.team.count; i++) {
        struct rank_worker *w = &p->crew.workers[i];
        if (!p->crew.engine->select(i)) return say_error("%s", backend_error());
        if (!contender_load(&w->alone, p->crew.engine->backend, &p->crew.info, folder,
                            &p->kernel) ||
            !contender_load(&w->beside, p->crew.engine->backend, &fewer, folder, &p->kernel)) {
            return false;
        }
    }
    return true;
}

static void unload_workers(struct gpus_program *p) {
    for (int i = 0; p->crew.workers && i < p->crew.team.count; i++) {
        if (!p->crew.engine->select(i)) continue;
        contender_unload(&p->crew.workers[i].alone, p->crew.engine->backend);
        contender_unload(&p->crew.workers[i].beside, p->crew.engine->backend);
    }
    free(p->crew.workers);
}

// Chooses the engine: `gpu` if the host has GPUs, otherwise `sim`, unless --backend demands one of
// them. Sets *devices to the number of devices. Returns the exit status.
static int choose_engine(struct gpus_program *p, int *devices) {
    const char *wanted = p->options.backend;
    if (strcmp(wanted, "sim") != 0) {
        *devices = engine_gpu.devices();
        p->crew.engine = &engine_gpu;
        if (*devices > 0) return EXIT_GOOD;
        if (*devices < 0 || strcmp(wanted, "gpu") == 0)
            return say_error("%s", backend_error()), *devices < 0 ? EXIT_USAGE : EXIT_SKIPPED;
        say_error("%s: the simulator checks and counts instead of measuring", backend_error());
    }
    p->crew.engine = &engine_sim;
    *devices = p->options.gpus_count ? p->options.gpus[0] : 2;
    return EXIT_GOOD;
}

static int open_devices(struct gpus_program *p, int devices) {
    struct team *team = &p->crew.team;
    struct engine_plan plan = {.id = NULL};
    if (!team_find(team, p->options.gpus_count ? p->options.gpus[0] : devices)) return EXIT_USAGE;
    if (team->launched && p->options.gpus_count && p->options.gpus[0] != team->ranks)
        return say_error(
                   "--gpus %d, but a launcher started %d processes, one per GPU: leave --gpus out",
                   p->options.gpus[0], team->ranks),
               EXIT_USAGE;
    // A launcher may show each process only its own GPU, which is device 0 there.
    if (team->launched && devices == 1) team->device = 0;
    if (team->launched && p->options.tile_count)
        return say_error(
                   "--cublasxt: it needs all GPUs in one process: start one, without a launcher"),
               EXIT_USAGE;
    if (!team_join(team, p->options.meet, 60, p->crew.engine->make_id)) return EXIT_FAILED;
    for (int s = 0; s < p->count; s++) {
        plan.collectives |= !p->schemes[s]->no_nccl;
        plan.peers |= p->schemes[s]->one_process && !team->launched && team->ranks > 1;
    }
    plan.ranks = team->ranks;
    plan.first = team->first;
    plan.count = team->count;
    plan.device = team->device;
    plan.id = team->launched ? team->id : NULL;
    if (!team_watch(p->crew.engine->healthy)) return EXIT_FAILED;
    team_guard("the set-up of the GPUs and NCCL", 120);
    const enum backend_status status = p->crew.engine->open(&plan, &p->crew.info);
    team_guard(NULL, 0);
    if (status == BACKEND_READY) return EXIT_GOOD;
    say_error("%s", backend_error());
    return status == BACKEND_ABSENT ? EXIT_SKIPPED : EXIT_USAGE;
}

static void set_default_shape(struct gpus_program *p) {
    const int n = p->crew.engine && p->crew.engine->backend->timed ? 8192 : 256;
    if (p->options.shape_count == 0)
        p->options.shapes[p->options.shape_count++] = (struct shape){n, n, n};
}

static int run_on_devices(struct gpus_program *p) {
    int devices = 0, status = choose_engine(p, &devices);
    if (status != EXIT_GOOD) return status;
    set_default_shape(p);
    if (p->options.tile_count && p->crew.engine == &engine_sim)
        return say_error("--cublasxt: it needs GPUs, and there are none here"), EXIT_SKIPPED;
    if (p->options.links && p->crew.engine == &engine_sim)
        return say_error("--links: it needs GPUs; the simulator has neither links nor a clock"),
               EXIT_SKIPPED;
    status = open_devices(p, devices);
    if (status == EXIT_GOOD) {
        interrupt_install();
        p->crew.staging.backend = p->crew.engine->backend;
        if (p->crew.team.first == 0) {
            report_device(p->crew.engine->backend, &p->crew.info, false);
            printf("%d devices, connected by %s\n", p->crew.team.ranks,
                   p->crew.engine->transport());
        }
        if (p->options.links) {
            status = links_run(&p->crew, &p->results) ? EXIT_GOOD
                     : interrupt_seen()               ? EXIT_INTERRUPTED
                                                      : EXIT_FAILED;
        } else {
            status = load_workers(p) ? measure_all(p) : EXIT_USAGE;
        }
        unload_workers(p);
        staging_free(&p->crew.staging);
    }
    if (status == EXIT_GOOD) team_leave();
    p->crew.engine->close();
    return status;
}

static void list_schemes(const struct step *step) {
    printf("%s: %s\n", step->name, step->idea);
    for (const struct scheme *s = lesson_schemes; s->name; s++)
        printf("    %-10s %s\n", s->name, s->idea);
}

static int run(struct gpus_program *p) {
    if (p->options.list) return list_schemes(p->step), EXIT_GOOD;
    if (!choose_schemes(p) || !choose_kernel(p)) return EXIT_USAGE;
    if (!csv_open(&p->results, p->options.csv, p->options.links ? LINKS_HEADER : result_header()) ||
        !csv_open(&p->details, p->options.details, details_header) ||
        !csv_open(&p->timeline, p->options.timeline, timeline_header)) {
        return EXIT_USAGE;
    }
    int status;
    if (p->options.predict) {
        p->crew.info = (struct device_info){.name = "NVIDIA H200", .multiprocessors = H200_SMS};
        if (p->options.gpus_count == 0) p->options.gpus[p->options.gpus_count++] = 2;
        if (p->options.shape_count == 0)
            p->options.shapes[p->options.shape_count++] = (struct shape){8192, 8192, 8192};
        status = predict_all(p);
    } else {
        status = run_on_devices(p);
    }
    csv_close(&p->timeline);
    csv_close(&p->details);
    csv_close(&p->results);
    return status;
}

int main(int argc, char **argv) {
    static struct gpus_program p;
    char message[512];
    streams_guard();
    p.step = this_step();
    if (!p.step) return say_error("no lesson on several GPUs is linked in"), EXIT_FAILED;
    if (!gpus_options_parse(argc, argv, &p.options)) return EXIT_USAGE;
    if (!channel_open("gpus", p.options.json, message, sizeof message))
        return say_error("%s", message), EXIT_USAGE;
    return channel_close(run(&p));
}
