// Defines a program's options from the rows of OPTIONS: argp's table, take_option() for one option,
// and parse_options(). Include this file after the declarations of all functions that the rows
// call, among them say_error(), and after these macros:
//
//     #define OPTIONS      "harness/options.def"      the rows; the file explains their columns
//     #define OPTIONS_INTO struct options             what the rows set; they call it `o`
//     #define TAKE(name, text, take) ...              optional: turns the last column into a bool
//     #define TAKE_WORD(o, text) ...                  optional: stores an argument without option
#include <argp.h>
#include <errno.h>
#include <string.h>

#ifndef TAKE
#define TAKE(name, text, take) take
#endif
#ifndef TAKE_WORD
#define TAKE_WORD(o, text) say_error("%s: every argument is an option; see --help", text)
#endif

#define HEADING(text, group)
#define OPTION(key, name, value, doc, ...) KEY_##key,
enum key {
    BEFORE_KEYS = 255, // argp takes smaller keys for short options
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

// Stores one option in *o; returns false if its value is invalid.
static bool take_option(int key, char *text, OPTIONS_INTO *o) {
#define HEADING(text, group)
#define OPTION(key, name, value, doc, ...) \
    case KEY_##key: \
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

// The program's description for argp. In --help, `words` stands for the arguments that are no
// options.
#define ARGP(words, doc) \
    &(const struct argp) { \
        option_table, parse_key, words, doc, NULL, NULL, NULL \
    }
// Parses the arguments. Returns false for wrong usage, after a message. For an unknown option, argp
// ends the program.
static bool parse_options(int argc, char **argv, const struct argp *argp, OPTIONS_INTO *o) {
    argp_err_exit_status = 2;
    // An option whose value is named [FILE] may lack the value, except in a web page.
#ifndef WASM_ARGP_H
    for (struct argp_option *row = option_table; row->name || row->doc; row++) {
        if (!row->arg || strcmp(row->arg, "[FILE]") != 0) continue;
        row->arg = "FILE";
        row->flags = OPTION_ARG_OPTIONAL;
    }
#endif
    return argp_parse(argp, argc, argv, 0, NULL, o) == 0;
}
