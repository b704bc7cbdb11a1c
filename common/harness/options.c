// The command line, by glibc's argp.
#include "options.h"
#include "say.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum key {
    KEY_STEP = 256,
    KEY_VARIANT,
    KEY_SIZE,
    KEY_SHAPE,
    KEY_PAD,
    KEY_LD,
    KEY_SHIFT,
    KEY_ALPHA,
    KEY_BETA,
    KEY_INPUTS,
    KEY_RANDOM,
    KEY_BACKEND,
    KEY_CHECK,
    KEY_BASELINE,
    KEY_MODE,
    KEY_ROUNDS,
    KEY_PARTS,
    KEY_REPEAT,
    KEY_SEED,
    KEY_CSV,
    KEY_COUNTERS,
    KEY_DIGEST,
    KEY_TIME,
    KEY_MACHINE,
    KEY_ARCH,
    KEY_MEMORY,
    KEY_FORCE,
    KEY_LIST,
    KEY_CANDIDATES
};

static const struct argp_option option_table[] = {
    {0, 0, 0, 0, "What runs", 1},
    {"step", KEY_STEP, "LIST", 0, "all (01 to 09), 03,05-07, or names; default all", 0},
    {"variant", KEY_VARIANT, "NAME,...", 0, "only these variants; `last` is the last of each step", 0},
    {"backend", KEY_BACKEND, "auto|gpu|sim", 0, "where; default auto", 0},
    {"parts", KEY_PARTS, "S,...", 0,
     "S blocks share a tile of C along K, in variants that can; 0, the default: the variant's own way. Of several "
     "numbers each is a "
     "form of its own, thin:8",
     0},
    {"candidates", KEY_CANDIDATES, 0, 0, "of each problem only the forms that the step's rules expect near the best",
     0},
    {"list", KEY_LIST, 0, 0, "print the steps and their variants, run nothing", 0},
    {0, 0, 0, 0, "The problem: C = alpha A B + beta C", 2},
    {"size", KEY_SIZE, "N,N,...", 0, "square problems; default 1024,2048,4096, on the simulator 512", 0},
    {"shape", KEY_SHAPE, "MxNxK", 0, "a problem of any shape, 0 allowed; may be repeated", 0},
    {"pad", KEY_PAD, "P,...", 0,
     "leading dimensions are P larger than they must be, and the matrices start P mod 4 elements past a 256-byte "
     "boundary; default 0",
     0},
    {"ld", KEY_LD, "A,B,C", 0,
     "leading dimensions, one for all or one each: +4 is 4 more than they must be, %4 the next multiple of 4, 1028 "
     "that many elements; may be repeated",
     0},
    {"shift", KEY_SHIFT, "A,B,C", 0,
     "elements, 0 to 63, from a 256-byte boundary to the first of each matrix; may be repeated; default 0, or by --pad",
     0},
    {"alpha", KEY_ALPHA, "X,...", 0, "default 1", 0},
    {"beta", KEY_BETA, "X,...", 0, "default 0", 0},
    {"inputs", KEY_INPUTS, "NAME", 0,
     "uniform in [-1, 1), the default; special: the same with zeros, NaN and infinities; exact: numbers of few bits, "
     "whose sums are exact; and for what a kernel's accuracy is worth: positive, normal, wide, graded, constant, "
     "worst_split, subnormal, huge, scaled, sparse, spots, cancelling",
     0},
    {"seed", KEY_SEED, "S", 0, "of the random inputs; default 1", 0},
    {"random", KEY_RANDOM, "COUNT", 0,
     "instead of all these: COUNT problems drawn from --seed, sides of 1 to 600, all kinds of layouts, factors and "
     "inputs; they "
     "are checked only, and how to repeat one that fails is said",
     0},
    {0, 0, 0, 0, "What is done", 3},
    {"check", KEY_CHECK, "on|off|only", 0,
     "compare with a more precise reference before the time is taken; default on, with --time off", 0},
    {"repeat", KEY_REPEAT, "R", 0, "the check launches each kernel R times and wants the same bits from all; default 1",
     0},
    {"baseline", KEY_BASELINE, "on|off|both|tuned", 0,
     "time cuBLAS beside the kernels; both: in its default mode, too; tuned: and cublasLt with the fastest of all "
     "algorithms that it "
     "offers for a problem; default on",
     0},
    {"mode", KEY_MODE, "burst|sustained", 0, "single launches in turn, or five seconds of each; default burst", 0},
    {"rounds", KEY_ROUNDS, "R", 0, "launches timed of each kernel; default 5 to 31, as its time allows", 0},
    {"memory", KEY_MEMORY, "GB", 0, "of the GPU's memory, use so much at most; default all", 0},
    {"force", KEY_FORCE, 0, 0, "run a simulation even if it takes long", 0},
    {"csv", KEY_CSV, "FILE", 0, "append the results to FILE", 0},
    {"time", KEY_TIME, 0, 0,
     "with --backend sim: predict times by the model of an SM; they are entered as backend `model`", 0},
    {"machine", KEY_MACHINE, "NAME[,FIGURE=X...]", 0,
     "for --time: the machine and figures of it to change (build/simrun --machine list prints them); default h200", 0},
    {"arch", KEY_ARCH, "sm_NN", 0, "for --backend sim: run the kernels for sm_NN (`make ARCH=sm_NN`); default sm_90",
     0},
    {"digest", KEY_DIGEST, "FILE", 0,
     "append a digest of every C that is checked to FILE: equal bits, equal digests; only what is asked for is checked "
     "then",
     0},
    {"counters", KEY_COUNTERS, "FILE", 0,
     "append the simulator's counters to FILE; with --time the warps' states by the model", 0},
    {0}};

// Options whose value is one of a few words; the word's index is stored.
static const struct {
    int key;
    const char *name;
    const char *const *words; // ends with NULL
    size_t offset;            // of the int in struct options
} word_table[] = {
    {KEY_CHECK, "--check", (const char *const[]){"on", "off", "only", NULL}, offsetof(struct options, check)},
    {KEY_BASELINE, "--baseline", (const char *const[]){"off", "on", "both", "tuned", NULL},
     offsetof(struct options, baseline)},
    {KEY_MODE, "--mode", (const char *const[]){"burst", "sustained", NULL}, offsetof(struct options, mode)},
    {KEY_INPUTS, "--inputs", inputs_names, offsetof(struct options, inputs)},
};

// "on, off or only"
static const char *list_words(const char *const *words, char *list, size_t size) {
    size_t used = 0;
    for (int w = 0; words[w] && used < size; w++) {
        const char *before = w == 0 ? "" : words[w + 1] ? ", " : " or ";
        used += (size_t)snprintf(list + used, size - used, "%s%s", before, words[w]);
    }
    return list;
}

// Stores the index of `text` among the option's words; -1 when `key` is no such option, 0 when the word is wrong.
static int parse_word(int key, const char *text, struct options *options) {
    for (size_t i = 0; i < sizeof word_table / sizeof *word_table; i++) {
        if (word_table[i].key != key) continue;
        const char *const *words = word_table[i].words;
        for (int w = 0; words[w]; w++) {
            if (strcmp(words[w], text) != 0) continue;
            *(int *)((char *)options + word_table[i].offset) = w;
            return 1;
        }
        char list[256];
        complain("%s %s: expected %s", word_table[i].name, text, list_words(words, list, sizeof list));
        return 0;
    }
    return -1;
}

static bool add_shape(struct options *options, const char *option, struct shape shape) {
    if (options->shape_count == MAX_SHAPES) return complain("%s: more than %d problems", option, MAX_SHAPES);
    options->shapes[options->shape_count++] = shape;
    return true;
}

static bool add_sizes(struct options *options, const char *text) {
    int sizes[MAX_VALUES], count = 0;
    if (!parse_ints("--size", text, 1, INT_MAX, sizes, &count, MAX_VALUES)) return false;
    for (int i = 0; i < count; i++) {
        if (!add_shape(options, "--size", (struct shape){sizes[i], sizes[i], sizes[i]})) return false;
    }
    return true;
}

static bool parse_backend(const char *text, struct options *options) {
    options->backend = text;
    if (strcmp(text, "auto") == 0 || strcmp(text, "gpu") == 0 || strcmp(text, "sim") == 0) return true;
    return complain("--backend %s: expected auto, gpu or sim", text);
}

static bool parse_option(int key, char *text, struct options *o) {
    struct shape shape;
    switch (key) {
    case KEY_STEP:
        o->steps = text;
        return true;
    case KEY_VARIANT:
        o->variants = text;
        return true;
    case KEY_CSV:
        o->csv = text;
        return true;
    case KEY_COUNTERS:
        o->counters = text;
        return true;
    case KEY_DIGEST:
        o->digests = text;
        return true;
    case KEY_FORCE:
        return o->force = true;
    case KEY_LIST:
        return o->list = true;
    case KEY_CANDIDATES:
        return o->candidates = true;
    case KEY_TIME:
        return o->time = true;
    case KEY_MACHINE:
        o->machine = text;
        return true;
    case KEY_ARCH:
        o->arch = text;
        return true;
    case KEY_BACKEND:
        return parse_backend(text, o);
    case KEY_SIZE:
        return add_sizes(o, text);
    case KEY_SHAPE:
        return parse_shape("--shape", text, &shape) && add_shape(o, "--shape", shape);
    case KEY_PAD:
        return parse_ints("--pad", text, 0, 1 << 20, o->pads, &o->pad_count, MAX_VALUES);
    case KEY_LD:
        if (o->stride_count == MAX_VALUES) return complain("--ld: given more than %d times", MAX_VALUES);
        return parse_strides("--ld", text, o->strides[o->stride_count++]);
    case KEY_SHIFT:
        if (o->shift_count == MAX_VALUES) return complain("--shift: given more than %d times", MAX_VALUES);
        return parse_shifts("--shift", text, MOST_SHIFT, o->shifts[o->shift_count++]);
    case KEY_ALPHA:
        return parse_reals("--alpha", text, o->alphas, &o->alpha_count, MAX_VALUES);
    case KEY_BETA:
        return parse_reals("--beta", text, o->betas, &o->beta_count, MAX_VALUES);
    case KEY_SEED:
        return parse_seed("--seed", text, &o->seed);
    case KEY_ROUNDS: {
        int count = 0;
        return parse_ints("--rounds", text, 1, 100000, &o->rounds, &count, 1);
    }
    case KEY_REPEAT: {
        int count = 0;
        return parse_ints("--repeat", text, 1, 100000, &o->repeat, &count, 1);
    }
    case KEY_MEMORY: {
        int count = 0;
        return parse_ints("--memory", text, 1, 1 << 20, &o->memory, &count, 1);
    }
    case KEY_RANDOM: {
        int count = 0;
        return parse_ints("--random", text, 1, 1 << 30, &o->random, &count, 1);
    }
    case KEY_PARTS:
        return parse_ints("--parts", text, 0, 4096, o->parts, &o->part_count, MAX_VALUES);
    default:
        return parse_word(key, text, o) == 1;
    }
}

static error_t parse_key(int key, char *text, struct argp_state *state) {
    if (key == ARGP_KEY_ARG) {
        complain("%s: every argument is an option; see --help", text);
        return EINVAL;
    }
    if (key < KEY_STEP || key > KEY_CANDIDATES) return ARGP_ERR_UNKNOWN;
    return parse_option(key, text, state->input) ? 0 : EINVAL;
}

// Drawn problems leave nothing to say of themselves, and are checked only.
static bool leave_to_chance(struct options *o) {
    if (o->random == 0) return true;
    if (o->shape_count || o->pad_count || o->stride_count || o->shift_count || o->alpha_count || o->beta_count ||
        o->inputs || o->time)
        return complain("--random: it draws the problems; only --seed goes with it");
    if (o->check == CHECK_OFF) return complain("--random: it is for the check: leave out --check off");
    o->check = CHECK_ONLY;
    return true;
}

// What was not given gets its default.
static void set_defaults(struct options *o) {
    if (o->check == CHECK_DEFAULT)
        o->check = o->time ? CHECK_OFF : CHECK_ON; // a prediction runs some of the blocks only
    if (o->pad_count == 0 && o->stride_count == 0) o->pads[o->pad_count++] = 0;
    if (o->alpha_count == 0) o->alphas[o->alpha_count++] = 1;
    if (o->beta_count == 0) o->betas[o->beta_count++] = 0;
}

// Adds a layout with each of the shifts that were given, or with its own.
static bool add_layout(struct options *o, struct layout layout) {
    const int count = o->shift_count > 0 ? o->shift_count : 1;
    for (int s = 0; s < count; s++) {
        if (o->layout_count == MAX_LAYOUTS) return complain("--ld and --shift: more than %d layouts", MAX_LAYOUTS);
        if (o->shift_count > 0) memcpy(layout.shift, o->shifts[s], sizeof layout.shift);
        o->layouts[o->layout_count++] = layout;
    }
    return true;
}

static bool add_layouts(struct options *o) {
    for (int p = 0; p < o->pad_count; p++) {
        const struct stride more = {STRIDE_MORE, o->pads[p]};
        const int shift = o->pads[p] % 4;
        if (!add_layout(o, (struct layout){{more, more, more}, {shift, shift, shift}})) return false;
    }
    for (int i = 0; i < o->stride_count; i++) {
        struct layout layout = {0};
        memcpy(layout.ld, o->strides[i], sizeof layout.ld);
        if (!add_layout(o, layout)) return false;
    }
    return true;
}

// --time makes the simulator the model.
static bool choose_model(struct options *o) {
    if (o->arch && strcmp(o->backend, "sim") != 0) return complain("--arch: it is for --backend sim");
    if (!o->time) return !o->machine || complain("--machine: it is for --backend sim --time");
    if (strcmp(o->backend, "sim") != 0)
        return complain("--time: it is for --backend sim; a GPU's kernels are timed anyway");
    if (o->mode == TIME_SUSTAINED) return complain("--time: the model has no --mode sustained: it knows no power");
    o->backend = "model";
    return true;
}

static bool shapes_are_sane(const struct options *o) {
    for (int s = 0; s < o->shape_count; s++) {
        for (int l = 0; l < o->layout_count; l++) {
            if (!shape_is_sane("--shape", &o->shapes[s], &o->layouts[l])) return false;
        }
    }
    return true;
}

bool options_parse(int argc, char **argv, struct options *options) {
    static const struct argp argp = {
        option_table,
        parse_key,
        NULL,
        "Checks and times the course's GEMM kernels beside cuBLAS.\v"
        "A comma list given to --pad, --alpha or --beta runs every combination, and so does a repeated --ld or "
        "--shift. A kernel's time is taken only after its result was found right. The exit status is 0 when all is "
        "well, 1 when a check failed or an error stopped the "
        "run, 2 for wrong usage, 77 when there is nothing here to run on, 130 when interrupted.",
        NULL,
        NULL,
        NULL};
    *options = (struct options){.steps = "all", .backend = "auto", .baseline = 1, .seed = 1, .check = CHECK_DEFAULT};
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, options) != 0) return false;
    if (!leave_to_chance(options)) return false;
    set_defaults(options);
    return add_layouts(options) && choose_model(options) && shapes_are_sane(options);
}
