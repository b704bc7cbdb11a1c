// Evaluates expressions: of integers, or a quoted text.
//
// Numbers are 64-bit two's complement and wrap around. Depth and work are bounded, so that every
// evaluation ends.
#include "expression.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 100, MAX_STEPS = 1 << 24 };

static bool fail_at(struct expression *e, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_at(struct expression *e, const char *where, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    e->where = where;
    vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    return false;
}

const char *skip_space(const char *at) {
    while (*at == ' ' || *at == '\t') at++;
    return at;
}

static bool take(struct expression *e, const char *text) {
    const char *at = skip_space(e->at);
    if (strncmp(at, text, strlen(text)) != 0) return false;
    e->at = at + strlen(text);
    return true;
}

static bool ternary(struct expression *e, struct value *value);

static bool number(struct expression *e, int64_t *value) {
    if (e->depth > MAX_DEPTH)
        return fail_at(e, e->at, "expected a simpler expression: too deep here");
    struct value any;
    const char *start = skip_space(e->at);
    if (!ternary(e, &any)) return false;
    if (any.text) return fail_at(e, start, "expected a number, not a text");
    *value = any.number;
    return true;
}

// --- calls ---------------------------------------------------------------------------------------

static bool arguments_of(struct expression *e, struct value *arguments, int *count) {
    const char *start = e->at;
    *count = 0;
    if (take(e, ")")) return true;
    do {
        if (*count == MAX_ARGUMENTS)
            return fail_at(e, start, "expected at most %d arguments", MAX_ARGUMENTS);
        arguments[*count] = (struct value){0};
        if (!number(e, &arguments[(*count)++].number)) return false;
    } while (take(e, ","));
    return take(e, ")") || fail_at(e, skip_space(e->at), "expected ) or a comma");
}

// Reports an error in a function's body. In nested calls, the message names only the innermost.
static bool fail_inside(struct expression *e, const char *start, const struct function *function,
                        const char *message) {
    if (strncmp(message, "in ", 3) == 0) return fail_at(e, start, "%.180s", message);
    return fail_at(e, start, "in %s: %.120s", function->name, message);
}

static bool call_function(struct expression *e, const char *start, const struct function *function,
                          const struct value *arguments, struct value *value) {
    struct expression body = {.at = function->body,
                              .names = e->names,
                              .function = function,
                              .arguments = arguments,
                              .depth = e->depth + 1};
    *value = (struct value){0};
    if (e->skipped) return true;
    if (body.depth > MAX_DEPTH || ++e->names->steps > MAX_STEPS)
        return fail_at(e, start, "expected %s to end: it calls itself too often", function->name);
    if (!ternary(&body, value)) return fail_inside(e, start, function, body.message);
    return *skip_space(body.at) == 0 ||
           fail_at(e, start, "in %s: expected the end of its body", function->name);
}

static bool call(struct expression *e, const char *start, size_t length, struct value *value) {
    struct value arguments[MAX_ARGUMENTS];
    int count;
    if (!arguments_of(e, arguments, &count)) return false;
    const bool least = is_name("min", start, length), most = is_name("max", start, length);
    if (least || most) {
        if (count != 2)
            return fail_at(e, start, "expected two arguments of %.*s, not %d", (int)length, start,
                           count);
        const bool first = (arguments[0].number < arguments[1].number) == least;
        *value = arguments[first ? 0 : 1];
        return true;
    }
    const struct function *function = names_function(e->names, start, length);
    if (!function)
        return fail_at(e, start, "undefined function %.*s: expected a .def of it before",
                       (int)length, start);
    if (count != function->argument_count)
        return fail_at(e, start, "expected %d arguments of %s, not %d", function->argument_count,
                       function->name, count);
    return call_function(e, start, function, arguments, value);
}

// --- values --------------------------------------------------------------------------------------

static bool named(struct expression *e, struct value *value) {
    const char *start = e->at;
    const size_t length = name_length(start);
    e->at += length;
    if (*skip_space(e->at) == '(') return take(e, "(") && call(e, start, length, value);
    for (int i = 0; e->function && i < e->function->argument_count; i++) {
        if (!is_name(e->function->arguments[i], start, length)) continue;
        *value = e->arguments[i];
        return true;
    }
    const struct parameter *parameter = names_parameter(e->names, start, length);
    if (names_number(e->names, start, length, &value->number)) return true;
    if (parameter) value->number = parameter->offset;
    if (parameter) return true;
    if (names_register(e->names, start, length) ||
        (*start == 'R' && isdigit((unsigned char)start[1])))
        return fail_at(e, start, "expected a number: %.*s is a register", (int)length, start);
    return fail_at(e, start, "undefined name %.*s: expected a .let, .for or -D of it before",
                   (int)length, start);
}

static bool literal(struct expression *e, struct value *value) {
    char *end;
    errno = 0;
    const bool hexadecimal = e->at[0] == '0' && (e->at[1] == 'x' || e->at[1] == 'X');
    value->number = (int64_t)strtoull(e->at, &end, hexadecimal ? 16 : 10);
    if (errno == ERANGE) return fail_at(e, e->at, "expected a number of at most 64 bits");
    if (isalpha((unsigned char)*end) || *end == '_')
        return fail_at(e, end, "expected the end of the number");
    e->at = end;
    return true;
}

static bool quoted(struct expression *e, struct value *value) {
    const char *start = e->at + 1, *end = strchr(start, '"');
    if (!end) return fail_at(e, e->at, "expected a closing \"");
    *value = (struct value){0, start, (size_t)(end - start)};
    e->at = end + 1;
    return true;
}

static bool unary(struct expression *e, struct value *value) {
    *value = (struct value){0};
    e->at = skip_space(e->at);
    const char sign = *e->at, *const start = e->at;
    if (sign == '(') {
        e->at++, e->depth++;
        if (e->depth > MAX_DEPTH)
            return fail_at(e, start, "expected a simpler expression: too deep here");
        if (!ternary(e, value)) return false;
        e->depth--;
        return take(e, ")") || fail_at(e, skip_space(e->at), "expected )");
    }
    if (sign == '-' || sign == '+' || sign == '!' || sign == '~') {
        e->at++, e->depth++;
        if (e->depth > MAX_DEPTH)
            return fail_at(e, start, "expected a simpler expression: too deep here");
        if (!unary(e, value)) return false;
        e->depth--;
        if (value->text) return fail_at(e, start, "expected a number, not a text");
        const uint64_t bits = (uint64_t)value->number;
        value->number = (int64_t)(sign == '-'   ? 0 - bits
                                  : sign == '~' ? ~bits
                                  : sign == '!' ? !bits
                                                : bits);
        return true;
    }
    if (sign == '"') return quoted(e, value);
    if (isdigit((unsigned char)sign)) return literal(e, value);
    if (name_length(e->at)) return named(e, value);
    return fail_at(e, e->at, "expected a number, a name or (");
}

// --- operators -----------------------------------------------------------------------------------

enum operator_row {
    OR,
    AND,
    BIT_OR,
    BIT_XOR,
    BIT_AND,
    EQ,
    NE,
    LE,
    GE,
    SHL,
    SHR,
    LT,
    GT,
    ADD,
    SUB,
    MUL,
    DIV,
    MOD
};

// The operators in the order in which they are tried: `<=` and `<<` come before `<`.
static const struct {
    const char *text;
    int level;
    enum operator_row operation;
} operators[] = {
    {"||", 1, OR},     {"&&", 2, AND}, {"==", 6, EQ},  {"!=", 6, NE},    {"<=", 7, LE},
    {">=", 7, GE},     {"<<", 8, SHL}, {">>", 8, SHR}, {"|", 3, BIT_OR}, {"^", 4, BIT_XOR},
    {"&", 5, BIT_AND}, {"<", 7, LT},   {">", 7, GT},   {"+", 9, ADD},    {"-", 9, SUB},
    {"*", 10, MUL},    {"/", 10, DIV}, {"%", 10, MOD},
};

static int operator_at(const char *at) {
    for (int i = 0; i < (int)(sizeof operators / sizeof *operators); i++) {
        if (strncmp(at, operators[i].text, strlen(operators[i].text)) == 0) return i;
    }
    return -1;
}

static bool divide(struct expression *e, const char *where, bool modulo, int64_t a, int64_t b,
                   int64_t *out) {
    if (b == 0) return fail_at(e, where, "division by zero");
    if (b == -1)
        *out = modulo ? 0 : (int64_t)(0 - (uint64_t)a);
    else
        *out = modulo ? a % b : a / b;
    return true;
}

static bool shift(struct expression *e, const char *where, bool left, int64_t a, int64_t b,
                  int64_t *out) {
    if (b < 0 || b > 63) return fail_at(e, where, "expected a shift by 0 to 63, not %" PRId64, b);
    *out = left ? (int64_t)((uint64_t)a << b) : a >> b;
    return true;
}

static bool compute(struct expression *e, const char *where, enum operator_row operation, int64_t a,
                    int64_t b, int64_t *out) {
    const uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (operation) {
    case OR:
        return *out = a || b, true;
    case AND:
        return *out = a && b, true;
    case BIT_OR:
        return *out = a | b, true;
    case BIT_XOR:
        return *out = a ^ b, true;
    case BIT_AND:
        return *out = a & b, true;
    case EQ:
        return *out = a == b, true;
    case NE:
        return *out = a != b, true;
    case LE:
        return *out = a <= b, true;
    case GE:
        return *out = a >= b, true;
    case LT:
        return *out = a < b, true;
    case GT:
        return *out = a > b, true;
    case ADD:
        return *out = (int64_t)(x + y), true;
    case SUB:
        return *out = (int64_t)(x - y), true;
    case MUL:
        return *out = (int64_t)(x * y), true;
    case SHL:
        return shift(e, where, true, a, b, out);
    case SHR:
        return shift(e, where, false, a, b, out);
    case DIV:
        return divide(e, where, false, a, b, out);
    case MOD:
        return divide(e, where, true, a, b, out);
    }
    return false;
}

// Evaluates an expression, left to right, up to an operator whose precedence is below `level`.
static bool binary(struct expression *e, int level, struct value *value) {
    if (!unary(e, value)) return false;
    for (;;) {
        struct value right;
        const char *where = skip_space(e->at);
        const int found = operator_at(where);
        if (found < 0 || operators[found].level < level) return true;
        if (value->text) return fail_at(e, where, "expected no operator after a text");
        const enum operator_row operation = operators[found].operation;
        const bool decided =
            (operation == OR && value->number) || (operation == AND && !value->number);
        e->at = where + strlen(operators[found].text);
        e->skipped += decided;
        if (!binary(e, operators[found].level + 1, &right)) return false;
        e->skipped -= decided;
        if (right.text)
            return fail_at(e, where, "expected a number after the operator, not a text");
        if (e->skipped)
            value->number = 0;
        else if (!compute(e, where, operation, value->number, right.number, &value->number))
            return false;
    }
}

static bool ternary(struct expression *e, struct value *value) {
    struct value yes, no;
    if (++e->depth > MAX_DEPTH)
        return fail_at(e, e->at, "expected a simpler expression: too deep here");
    if (!binary(e, 1, value)) return false;
    if (take(e, "?")) {
        if (value->text) return fail_at(e, e->at - 1, "expected a number before ?, not a text");
        const bool is_yes = value->number;
        e->skipped += !is_yes;
        if (!ternary(e, &yes)) return false;
        e->skipped += is_yes - !is_yes;
        if (!take(e, ":")) return fail_at(e, skip_space(e->at), "expected : of the ? before");
        if (!ternary(e, &no)) return false;
        e->skipped -= is_yes;
        *value = is_yes ? yes : no;
    }
    e->depth--;
    return true;
}

bool expression_value(struct expression *expression, struct value *value) {
    return ternary(expression, value);
}

bool expression_number(struct expression *expression, int64_t *value) {
    return number(expression, value);
}
