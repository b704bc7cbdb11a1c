// Functions shared by expand.c and directives.c.
#include "expander.h"

#include "expression.h"
#include "isa/encoding.h"

bool expand_failed(struct expander *x, size_t at, const char *format, ...) {
    char message[sizeof x->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return line_fail(&x->line, at, x->error, "%s", message);
}

size_t expand_skip(const struct expander *x, size_t at) {
    return (size_t)(skip_space(x->line.text + at) - x->line.text);
}

bool expand_end(struct expander *x, size_t at) {
    at = expand_skip(x, at);
    return !x->line.text[at] || expand_failed(x, at, "expected the end of the line");
}

const struct macro *find_macro(const struct expander *x, const char *name, size_t length) {
    for (size_t i = 0; i < x->macro_count; i++) {
        if (is_name(x->macros[i]->name, name, length)) return x->macros[i];
    }
    return NULL;
}
