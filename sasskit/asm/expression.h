// Integer expressions: C's operators with C's precedence in 64 bits, function calls, and "text" as
// an operand of ?:.
#pragma once

#include "names.h"

struct value {
    int64_t number;
    const char *text; // `length` characters; NULL if the value is a number
    size_t length;
};

struct expression {
    const char *at; // reading position; after a success, the position behind the expression
    struct names *names;
    // --- set on a failure
    const char *where;
    char message[200];
    // --- the function whose body is evaluated
    const struct function *function;
    const struct value *arguments;
    int depth;   // nesting of calls, parentheses, signs and ?:
    int skipped; // above 0 in a part that ?:, && or || skips: parsed, but not evaluated
};

bool expression_value(struct expression *expression, struct value *value);
// Like expression_value(), but a text is an error.
bool expression_number(struct expression *expression, int64_t *number);
const char *skip_space(const char *at);
