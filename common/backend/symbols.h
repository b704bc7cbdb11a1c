// Finds functions of a library that was opened at run time, by their names.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

struct symbol {
    const char *name;
    void **function;
};

// For an entry X(field, function) of a list: declares a pointer to a function of that type.
#define SYMBOL_FIELD(field, function) __typeof__(function) *field;

// Sets the functions of all rows; the last row has no name. Returns the name of the first function
// that the library does not have; NULL if it has all.
static inline const char *missing_symbol(void *library, const struct symbol *symbols) {
    for (const struct symbol *s = symbols; s->name; s++) {
        *s->function = dlsym(library, s->name);
        if (!*s->function) return s->name;
    }
    return NULL;
}
