// Parses the command line with glibc's argp.
#include "options.h"
#include "say.h"

#include <limits.h>
#include <string.h>

static bool add_strides(struct options *o, const char *text) {
    if (o->stride_count == MAX_VALUES)
        return say_error("--ld: expected at most %d times", MAX_VALUES);
    return parse_strides("--ld", text, o->strides[o->stride_count++]);
}

static bool add_shifts(struct options *o, const char *text) {
    if (o->shift_count == MAX_VALUES)
        return say_error("--shift: expected at most %d times", MAX_VALUES);
    return parse_shifts("--shift", text, MOST_SHIFT, o->shifts[o->shift_count++]);
}

#define OPTIONS      "harness/options.def"
#define OPTIONS_INTO struct options
#include "base/option_rows.h"

// --random draws the whole problem: no problem option but --seed may be given, and results are only
// checked.
static bool leave_to_chance(struct options *o) {
    if (o->random == 0) return true;
    if (o->shape_count || o->pad_count || o->stride_count || o->shift_count || o->alpha_count ||
        o->beta_count || o->inputs || o->time)
        return say_error(
            "--random: it draws the problems: expected no other option for them than --seed");
    if (o->check == CHECK_OFF)
        return say_error("--random: it only checks its problems: leave out --check off");
    o->check = CHECK_ONLY;
    return true;
}

enum check_mode options_default_check(bool predicted) {
    return predicted ? CHECK_SMALL : CHECK_ON; // a prediction computes only a part of C
}

// Sets the defaults of options that were not given.
static void set_defaults(struct options *o) {
    // With --time and backend `auto`, main() sets the default check after it has looked for a GPU,
    // because only then is it known whether times are measured or predicted.
    if (o->check == CHECK_DEFAULT && !(o->time && strcmp(o->backend, "auto") == 0))
        o->check = options_default_check(o->time);
    if (o->pad_count == 0 && o->stride_count == 0) o->pads[o->pad_count++] = 0;
    if (o->alpha_count == 0) o->alphas[o->alpha_count++] = 1;
    if (o->beta_count == 0) o->betas[o->beta_count++] = 0;
}

// Adds a layout for each given --shift. Without that option, the layout keeps its own shifts.
static bool add_layout(struct options *o, struct layout layout) {
    const int count = o->shift_count > 0 ? o->shift_count : 1;
    for (int s = 0; s < count; s++) {
        if (o->layout_count == MAX_LAYOUTS)
            return say_error("--ld and --shift: expected at most %d layouts", MAX_LAYOUTS);
        if (o->shift_count > 0) memcpy(layout.shift, o->shifts[s], sizeof layout.shift);
        o->layouts[o->layout_count++] = layout;
    }
    return true;
}

static bool add_layouts(struct options *o) {
    for (int p = 0; p < o->pad_count; p++) {
        const struct stride more = {STRIDE_MORE, o->pads[p]};
        const int shift = o->pads[p] % 4;
        if (!add_layout(o, (struct layout){{more, more, more}, {shift, shift, shift}}))
            return false;
    }
    for (int i = 0; i < o->stride_count; i++) {
        struct layout layout = {0};
        memcpy(layout.ld, o->strides[i], sizeof layout.ld);
        if (!add_layout(o, layout)) return false;
    }
    return true;
}

// --time selects backend `model` instead of `sim`, and `timed` instead of `auto`.
static bool choose_model(struct options *o) {
    if (o->arch && !o->codes && strcmp(o->backend, "sim") != 0)
        return say_error("--arch: it requires --backend sim");
    if (!o->time) return !o->machine || say_error("--machine: it requires --backend sim --time");
    if (strcmp(o->backend, "gpu") == 0)
        return say_error(
            "--time: it predicts, and a GPU measures: leave out --time, or choose --backend sim");
    if (o->machine && strcmp(o->backend, "sim") != 0)
        return say_error("--machine: it requires --backend sim --time");
    if (o->mode == TIME_SUSTAINED)
        return say_error("--time: the model predicts no power: leave out --mode sustained");
    o->backend = strcmp(o->backend, "sim") == 0 ? "model" : "timed";
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
    *options = (struct options){
        .steps = "all", .backend = "auto", .baseline = 1, .seed = 1, .check = CHECK_DEFAULT};
    if (!parse_options(
            argc, argv,
            ARGP(NULL, "Checks and times the course's GEMM kernels beside cuBLAS.\v"
                       "All combinations run of the values given to --pad, --alpha and --beta, "
                       "separated by commas, and of "
                       "repeated --ld and --shift. A kernel is timed only if its result is "
                       "correct. Exit status: 0, all is "
                       "well; 1, a check failed or an error ended the run; 2, wrong usage, or a "
                       "kernel or a file is missing; "
                       "77, there is no device or no variant that runs on it; 130, interrupted."),
            options) ||
        !leave_to_chance(options))
        return false;
    set_defaults(options);
    return add_layouts(options) && choose_model(options) && shapes_are_sane(options);
}
