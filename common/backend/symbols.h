// Finds functions of a library that was opened at run time, by their names.
#pragma once

#include <dlfcn.h>
#include <stddef.h>

struct symbol {
    const char *name;
    void **function;
};

// Declares `field`, a pointer to a function of the type of `function`, which must be declared.
#define SYMBOL_FIELD(field, function) __typeof__(function) *field;

// Sets *function of each row; a row without a name ends the table. Returns the name of the first
// function that the library lacks; NULL if it has all.
static inline const char *missing_symbol(void *library, const struct symbol *symbols) {
    for (const struct symbol *s = symbols; s->name; s++) {
        *s->function = dlsym(library, s->name);
        if (!*s->function) return s->name;
    }
    return NULL;
}
