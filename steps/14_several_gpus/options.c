// Parses the command line by glibc's argp.
#include "options.h"
#include "harness/say.h"
#include "schedule.h"

#include <limits.h>
#include <string.h>

static bool parse_positive(const char *option, const char *text, double *value) {
    int count = 0;
    return (parse_reals(option, text, value, &count, 1) && *value > 0) ||
           say_error("%s %s: expected one number above 0", option, text);
}

static bool choose_check(struct gpus_options *o, const char *text) {
    int how = 0;
    const bool good =
        parse_word("--check", text, (const char *const[]){"on", "off", "only", NULL}, &how);
    o->check = how != 1;
    o->time = how != 2;
    return good;
}

#define OPTIONS      "../steps/14_several_gpus/options.def"
#define OPTIONS_INTO struct gpus_options
#include "base/option_rows.h"

static bool is_sane(const struct gpus_options *o) {
    for (int i = 0; i < o->shape_count; i++) {
        for (int p = 0; p < o->pad_count; p++) {
            const struct stride stride = {STRIDE_MORE, o->pads[p]};
            const struct layout layout = {.ld = {stride, stride, stride}};
            if (!shape_is_sane("--shape", &o->shapes[i], &layout)) return false;
        }
    }
    return o->predict || o->gpus_count <= 1 ||
           say_error("--gpus: expected one number; several are only for --predict");
}

bool gpus_options_parse(int argc, char **argv, struct gpus_options *o) {
    *o = (struct gpus_options){.kernel = "shapes/dispatch",
                               .backend = "auto",
                               .seed = 1,
                               .leave = 4,
                               .channels = -1,
                               .panel = 8192,
                               .check = true,
                               .time = true,
                               .repeat = 2};
    if (!parse_options(
            argc, argv,
            ARGP(
                NULL,
                "Multiplies matrices on several GPUs: checks and times the schemes, and counts the "
                "bytes that GPUs receive.\v"
                "One process has all GPUs of its host, unless a launcher starts one per GPU "
                "(mpirun, torchrun, srun, or a script that sets RANK, WORLD_SIZE and LOCAL_RANK) "
                "with --meet FILE. Without a GPU the schedules run on simulated devices. The exit "
                "status is 0 when all is well, 1 when a check failed or an error stopped the run, "
                "2 for wrong usage, 77 when there is no device to run on, 130 when interrupted."),
            o))
        return false;
    if (o->pad_count == 0) o->pads[o->pad_count++] = 0;
    if (o->alpha_count == 0) o->alphas[o->alpha_count++] = 1;
    if (o->beta_count == 0) o->betas[o->beta_count++] = 0;
    o->panel = o->panel / CHUNK_MULTIPLE * CHUNK_MULTIPLE;
    return is_sane(o);
}
