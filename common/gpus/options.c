// The command line, by glibc's argp.
#include "options.h"
#include "harness/say.h"
#include "schedule.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum key {
    KEY_GPUS = 256,
    KEY_VARIANT,
    KEY_KERNEL,
    KEY_BACKEND,
    KEY_SIZE,
    KEY_SHAPE,
    KEY_PAD,
    KEY_ALPHA,
    KEY_BETA,
    KEY_INPUTS,
    KEY_SEED,
    KEY_LEAVE,
    KEY_CHANNELS,
    KEY_PANEL,
    KEY_TFLOPS,
    KEY_BANDWIDTH,
    KEY_CHECK,
    KEY_REPEAT,
    KEY_ROUNDS,
    KEY_LIMIT,
    KEY_MEET,
    KEY_CSV,
    KEY_DETAILS,
    KEY_TIMELINE,
    KEY_PREDICT,
    KEY_LINKS,
    KEY_CUBLASXT,
    KEY_FORCE,
    KEY_LIST
};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "What runs", 1},
    {"gpus", KEY_GPUS, "G", 0, "so many GPUs of this host, 1 to 64; default all; with --predict a list", 0},
    {"variant", KEY_VARIANT, "NAME,...", 0, "only these; default all", 0},
    {"kernel", KEY_KERNEL, "STEP/VARIANT", 0, "of the local products; default 10_block_order/dispatch", 0},
    {"backend", KEY_BACKEND, "auto|gpu|sim", 0, "where; default auto", 0},
    {"leave", KEY_LEAVE, "S", 0, "SMs that a product leaves free while NCCL's kernels run beside it; default 4", 0},
    {"channels", KEY_CHANNELS, "C", 0,
     "thread blocks of NCCL's for a collective, 0 for its own choice; default as --leave where products run beside it",
     0},
    {"panel", KEY_PANEL, "ROWS", 0, "rows of B that travel at once, at most; default 8192", 0},
    {"meet", KEY_MEET, "FILE", 0, "where several processes were started, one a GPU: the file by which they meet", 0},
    {"list", KEY_LIST, 0, 0, "print the variants, run nothing", 0},
    {0, 0, 0, 0, "The problem: C = alpha A B + beta C", 2},
    {"size", KEY_SIZE, "N,N,...", 0, "square problems; default 8192, on the simulator 256", 0},
    {"shape", KEY_SHAPE, "MxNxK", 0, "a problem of any shape, 0 allowed; may be repeated", 0},
    {"pad", KEY_PAD, "P,...", 0, "the pieces' leading dimensions are P larger than they must be; default 0", 0},
    {"alpha", KEY_ALPHA, "X,...", 0, "default 1", 0},
    {"beta", KEY_BETA, "X,...", 0, "default 0", 0},
    {"inputs", KEY_INPUTS, "NAME", 0, "as those of the ladder, but not special; default uniform", 0},
    {"seed", KEY_SEED, "S", 0, "of the random inputs; default 1", 0},
    {0, 0, 0, 0, "What is done", 3},
    {"check", KEY_CHECK, "on|off|only", 0, "compare with float64 before the time is taken; default on", 0},
    {"repeat", KEY_REPEAT, "R", 0, "the check runs R times and wants the same bits from all; default 2", 0},
    {"rounds", KEY_ROUNDS, "R", 0, "runs timed of each variant; default 3 to 21, as the time allows", 0},
    {"limit", KEY_LIMIT, "SECONDS", 0,
     "a run that takes longer ends the program; default 30, and 20 times the prediction", 0},
    {"force", KEY_FORCE, 0, 0, "run a simulation even if it takes long", 0},
    {"csv", KEY_CSV, "FILE", 0, "append the results to FILE", 0},
    {"details", KEY_DETAILS, "FILE", 0, "append what travelled, and what was predicted, to FILE", 0},
    {"timeline", KEY_TIMELINE, "FILE", 0, "append when each operation began and ended, predicted and measured, to FILE",
     0},
    {"predict", KEY_PREDICT, 0, 0, "print what is predicted, run nothing", 0},
    {"tflops", KEY_TFLOPS, "X", 0, "speed of one GPU, for predictions; default 59", 0},
    {"bandwidth", KEY_BANDWIDTH, "X", 0,
     "GB/s that a GPU receives, for predictions; default by the size of the message", 0},
    {"links", KEY_LINKS, 0, 0, "measure what the links give, by kind and size of message, to --csv; multiply nothing",
     0},
    {"cublasxt", KEY_CUBLASXT, "T,...", 0, "time cublasXtSgemm, too, which sends tiles of T x T elements from the host",
     0},
    {0}};

static bool parse_one(const char *option, const char *text, int low, int high, int *value) {
    int count = 0;
    return parse_ints(option, text, low, high, value, &count, 1);
}

static bool parse_positive(const char *option, const char *text, double *value) {
    int count = 0;
    return (parse_reals(option, text, value, &count, 1) && *value > 0) ||
           complain("%s %s: expected one number above 0", option, text);
}

static bool add_sizes(struct gpus_options *o, const char *text) {
    int sizes[MOST_SHAPES], count = 0;
    if (!parse_ints("--size", text, 0, INT_MAX, sizes, &count, MOST_SHAPES)) return false;
    if (o->shape_count + count > MOST_SHAPES) return complain("more than %d problems", MOST_SHAPES);
    for (int i = 0; i < count; i++) o->shapes[o->shape_count++] = (struct shape){sizes[i], sizes[i], sizes[i]};
    return true;
}

static bool add_shape(struct gpus_options *o, const char *text) {
    if (o->shape_count == MOST_SHAPES) return complain("more than %d problems", MOST_SHAPES);
    return parse_shape("--shape", text, &o->shapes[o->shape_count]) && ++o->shape_count;
}

static bool choose_inputs(struct gpus_options *o, const char *text) {
    for (int i = 0; inputs_names[i]; i++) {
        if (strcmp(text, inputs_names[i]) != 0 || i == INPUTS_SPECIAL) continue;
        o->inputs = i;
        return true;
    }
    return complain(
        "--inputs %s: expected uniform, exact, positive, normal, wide, graded, constant, worst_split, subnormal, "
        "huge, scaled, sparse, spots or cancelling",
        text);
}

static bool choose_check(struct gpus_options *o, const char *text) {
    o->check = strcmp(text, "off") != 0;
    o->time = strcmp(text, "only") != 0;
    return strcmp(text, "on") == 0 || !o->check || !o->time || complain("--check %s: expected on, off or only", text);
}

static bool choose_backend(struct gpus_options *o, const char *text) {
    o->backend = text;
    return strcmp(text, "auto") == 0 || strcmp(text, "gpu") == 0 || strcmp(text, "sim") == 0 ||
           complain("--backend %s: expected auto, gpu or sim", text);
}

// One option; false when it is wrong.
static bool take(int key, const char *text, struct gpus_options *o) {
    switch (key) {
    case KEY_GPUS:
        return parse_ints("--gpus", text, 1, MOST_GPUS, o->gpus, &o->gpus_count, MOST_COUNTS);
    case KEY_CUBLASXT:
        return parse_ints("--cublasxt", text, 64, 1 << 20, o->tiles, &o->tile_count, MOST_COUNTS);
    case KEY_BACKEND:
        return choose_backend(o, text);
    case KEY_SIZE:
        return add_sizes(o, text);
    case KEY_SHAPE:
        return add_shape(o, text);
    case KEY_PAD:
        return parse_ints("--pad", text, 0, 1 << 20, o->pads, &o->pad_count, MOST_VALUES);
    case KEY_ALPHA:
        return parse_reals("--alpha", text, o->alphas, &o->alpha_count, MOST_VALUES);
    case KEY_BETA:
        return parse_reals("--beta", text, o->betas, &o->beta_count, MOST_VALUES);
    case KEY_INPUTS:
        return choose_inputs(o, text);
    case KEY_SEED:
        return parse_seed("--seed", text, &o->seed);
    case KEY_LEAVE:
        return parse_one("--leave", text, 0, 1000, &o->leave);
    case KEY_CHANNELS:
        return parse_one("--channels", text, 0, 64, &o->channels);
    case KEY_PANEL:
        return parse_one("--panel", text, CHUNK_MULTIPLE, INT_MAX, &o->panel);
    case KEY_TFLOPS:
        return parse_positive("--tflops", text, &o->tflops);
    case KEY_BANDWIDTH:
        return parse_positive("--bandwidth", text, &o->bandwidth);
    case KEY_CHECK:
        return choose_check(o, text);
    case KEY_REPEAT:
        return parse_one("--repeat", text, 1, 1000, &o->repeat);
    case KEY_ROUNDS:
        return parse_one("--rounds", text, 1, 1000, &o->rounds);
    default:
        return parse_positive("--limit", text, &o->limit);
    }
}

static error_t parse_key(int key, char *text, struct argp_state *state) {
    struct gpus_options *o = state->input;
    const struct {
        int key;
        const char **value;
    } texts[] = {{KEY_VARIANT, &o->variants}, {KEY_KERNEL, &o->kernel},   {KEY_MEET, &o->meet},
                 {KEY_CSV, &o->csv},          {KEY_DETAILS, &o->details}, {KEY_TIMELINE, &o->timeline}};
    const struct {
        int key;
        bool *value;
    } flags[] = {{KEY_PREDICT, &o->predict}, {KEY_LINKS, &o->links}, {KEY_LIST, &o->list}, {KEY_FORCE, &o->force}};
    if (key == ARGP_KEY_ARG) {
        complain("%s: every argument is an option; see --help", text);
        return EINVAL;
    }
    if (key < KEY_GPUS || key > KEY_LIST) return ARGP_ERR_UNKNOWN;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].key == key) return *texts[i].value = text, 0;
    }
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (flags[i].key == key) return *flags[i].value = true, 0;
    }
    return take(key, text, o) ? 0 : EINVAL;
}

static bool is_sane(const struct gpus_options *o) {
    for (int i = 0; i < o->shape_count; i++) {
        for (int p = 0; p < o->pad_count; p++) {
            const struct stride stride = {STRIDE_MORE, o->pads[p]};
            const struct layout layout = {.ld = {stride, stride, stride}};
            if (!shape_is_sane("--shape", &o->shapes[i], &layout)) return false;
        }
    }
    return o->predict || o->gpus_count <= 1 || complain("--gpus: one number, but with --predict");
}

bool gpus_options_parse(int argc, char **argv, struct gpus_options *o) {
    static const struct argp argp = {option_table,
                                     parse_key,
                                     NULL,
                                     "Multiplies matrices on several GPUs: checked, timed, and what travels counted.\v"
                                     "One process has all GPUs of its host, unless a launcher starts one a GPU "
                                     "(mpirun, torchrun, srun; or a script that "
                                     "sets RANK, WORLD_SIZE and LOCAL_RANK) with --meet FILE. Without a GPU the "
                                     "schedules run on simulated devices. The "
                                     "exit status is 0 when all is well, 1 when a check failed or an error stopped the "
                                     "run, 2 for wrong usage, 77 when "
                                     "there is nothing here to run on, 130 when interrupted.",
                                     NULL,
                                     NULL,
                                     NULL};
    *o = (struct gpus_options){.kernel = "10_block_order/dispatch",
                               .backend = "auto",
                               .seed = 1,
                               .leave = 4,
                               .channels = -1,
                               .panel = 8192,
                               .tflops = 59,
                               .check = true,
                               .time = true,
                               .repeat = 2};
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, o) != 0) return false;
    if (o->pad_count == 0) o->pads[o->pad_count++] = 0;
    if (o->alpha_count == 0) o->alphas[o->alpha_count++] = 1;
    if (o->beta_count == 0) o->betas[o->beta_count++] = 0;
    o->panel = o->panel / CHUNK_MULTIPLE * CHUNK_MULTIPLE;
    return is_sane(o);
}
