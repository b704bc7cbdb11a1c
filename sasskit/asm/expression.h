// Integer expressions: C's operators with C's precedence in 64 bits, calls of functions, and "text" as a value of ?:.
#pragma once

#include "names.h"

struct value {
    int64_t number;
    const char *text; // NULL: a number
    size_t length;
};

struct expression {
    const char *at; // where to read; afterwards what stands behind the expression
    struct names *names;
    // set on a failure
    const char *where;
    char message[200];
    // of a function's body
    const struct function *function;
    const struct value *arguments;
    int depth;   // of calls and parentheses
    int skipped; // parts that ?: && || leave out are read but not computed
};

bool expression_value(struct expression *expression, struct value *value);
bool expression_number(struct expression *expression, int64_t *number); // text is an error
const char *skip_space(const char *at);
