// The part of glibc's argp that the programs use: options and words. A page shows no help, so each
// `doc` has room for only the first letter of its text.
#ifndef WASM_ARGP_H
#define WASM_ARGP_H

#include <errno.h>
#include <stdbool.h>

#pragma clang diagnostic ignored "-Wexcess-initializers"

typedef int error_t;

struct argp_option {
    const char *name;
    int key;
    bool arg; // true if the option has a value
    int flags;
    char doc[1];
    int group;
};

struct argp_state {
    void *input;
};

struct argp {
    const struct argp_option *options;
    error_t (*parser)(int key, char *arg, struct argp_state *state);
    const char *args_doc;
    char doc[1];
    const void *children, *help_filter, *domain;
};

enum { ARGP_KEY_ARG = 0, ARGP_ERR_UNKNOWN = E2BIG };
extern int argp_err_exit_status;

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input);

#endif
