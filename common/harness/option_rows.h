// A program's options by glibc's argp, of rows in a file: argp's table and the function that takes one. Included where the functions that the
// rows call are declared, with
//
//     #define OPTIONS      "harness/options.def"      the rows; that file says what is in one
//     #define OPTIONS_INTO struct options             what they write, as `o`
#include <argp.h>
#include <errno.h>

#define HEADING(text, group)
#define OPTION(key, name, value, doc, take) KEY_##key,
enum key {
    BEFORE_KEYS = 255, // keys from 256 on are no letters
#include OPTIONS
    KEYS_END
};
#undef HEADING
#undef OPTION

#define HEADING(text, group)                {0, 0, 0, 0, text, group},
#define OPTION(key, name, value, doc, take) {name, KEY_##key, value, 0, doc, 0},
static const struct argp_option option_table[] = {
#include OPTIONS
    {0}};
#undef HEADING
#undef OPTION

// One option; false when it is wrong.
static bool take_option(int key, char *text, OPTIONS_INTO *o) {
#define HEADING(text, group)
#define OPTION(key, name, value, doc, take)                                                                            \
    case KEY_##key:                                                                                                    \
        return take;
    switch (key) {
#include OPTIONS
    default:
        return false;
    }
#undef HEADING
#undef OPTION
}

static error_t parse_key(int key, char *text, struct argp_state *state) {
    if (key == ARGP_KEY_ARG) {
        complain("%s: every argument is an option; see --help", text);
        return EINVAL;
    }
    if (key <= BEFORE_KEYS || key >= KEYS_END) return ARGP_ERR_UNKNOWN;
    return take_option(key, text, state->input) ? 0 : EINVAL;
}
