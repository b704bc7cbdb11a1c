// A program's options by glibc's argp, of rows in a file: argp's table, the function that takes one, and parse_options. Included where
// the functions that the rows call are declared, complain() among them, with
//
//     #define OPTIONS      "harness/options.def"      the rows; that file says what is in one
//     #define OPTIONS_INTO struct options             what they write, as `o`
//     #define TAKE(name, text, take) ...              what is made of the end of a row; as here where it is not defined
//     #define TAKE_WORD(o, text) ...                  an argument that is no option
#include <argp.h>
#include <errno.h>
#include <string.h>

#ifndef TAKE
#define TAKE(name, text, take) take
#endif
#ifndef TAKE_WORD
#define TAKE_WORD(o, text) complain("%s: every argument is an option; see --help", text)
#endif

#define HEADING(text, group)
#define OPTION(key, name, value, doc, ...) KEY_##key,
enum key {
    BEFORE_KEYS = 255, // keys from 256 on are no letters
#include OPTIONS
    KEYS_END
};
#undef HEADING
#undef OPTION

#define HEADING(text, group)               {0, 0, 0, 0, text, group},
#define OPTION(key, name, value, doc, ...) {name, KEY_##key, value, 0, doc, 0},
static struct argp_option option_table[] = {
#include OPTIONS
    {0}};
#undef HEADING
#undef OPTION

// One option; false when it is wrong.
static bool take_option(int key, char *text, OPTIONS_INTO *o) {
#define HEADING(text, group)
#define OPTION(key, name, value, doc, ...)                                                                             \
    case KEY_##key:                                                                                                    \
        return TAKE(name, text, __VA_ARGS__);
    switch (key) {
#include OPTIONS
    default:
        return false;
    }
#undef HEADING
#undef OPTION
}

static error_t parse_key(int key, char *text, struct argp_state *state) {
    if (key == ARGP_KEY_ARG) return TAKE_WORD((OPTIONS_INTO *)state->input, text) ? 0 : EINVAL;
    if (key <= BEFORE_KEYS || key >= KEYS_END) return ARGP_ERR_UNKNOWN;
    return take_option(key, text, state->input) ? 0 : EINVAL;
}

// What argp is given. words: what stands beside the options, for --help.
#define ARGP(words, doc)                                                                                               \
    &(const struct argp) {                                                                                             \
        option_table, parse_key, words, doc, NULL, NULL, NULL                                                          \
    }
// False for wrong usage, of which argp has told where it has not ended the program.
static bool parse_options(int argc, char **argv, const struct argp *argp, OPTIONS_INTO *o) {
    argp_err_exit_status = 2;
#ifndef WASM_ARGP_H // a page gives each option its value
    for (struct argp_option *row = option_table; row->name || row->doc; row++) {
        if (!row->arg || strcmp(row->arg, "[FILE]") != 0) continue;
        row->arg = "FILE"; // may be left out
        row->flags = OPTION_ARG_OPTIONAL;
    }
#endif
    return argp_parse(argp, argc, argv, 0, NULL, o) == 0;
}
