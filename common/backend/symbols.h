// The functions of a library that is opened when the program runs, by name.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

struct symbol {
    const char *name;
    void **function;
};

// In a list of X(field, function): the field that holds a function of that type.
#define SYMBOL_FIELD(field, function) __typeof__(function) *field;

// Finds them up to a row without a name. The first one that the library lacks; NULL: none.
static inline const char *missing_symbol(void *library, const struct symbol *symbols) {
    for (const struct symbol *s = symbols; s->name; s++) {
        *s->function = dlsym(library, s->name);
        if (!*s->function) return s->name;
    }
    return NULL;
}
