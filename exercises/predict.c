// The reader's predictions: numbers and words, the file `prediction`, and the prompt.
#include "checker.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// The form that a prediction must have.
enum form { NUMBER, YES_OR_NO, WORD };
static const char *const expected[] = {"expected a number or a sum such as 1024/8",
                                       "expected yes or no", "expected a word"};

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// An arithmetic expression that is being read. `at` is the next character.
struct sum {
    const char *at;
    bool failed;
};

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

// Reads operands joined by operators of `level` or higher levels, and returns the value. Level 0
// has + and -, level 1 * and /, level 2 ^, and level 3 numbers, minus signs and parentheses.
static double evaluate(struct sum *s, int level) {
    static const char *const operators[] = {"+-", "*/", "^"};
    double value = NAN;
    s->at = skip_blanks(s->at);
    if (level < 3) {
        value = evaluate(s, level + 1);
        while (!s->failed && *skip_blanks(s->at) && strchr(operators[level], *skip_blanks(s->at))) {
            const char sign = *skip_blanks(s->at);
            s->at = skip_blanks(s->at) + 1;
            const double right = evaluate(s, level + 1);
            value = sign == '+'   ? value + right
                    : sign == '-' ? value - right
                    : sign == '*' ? value * right
                    : sign == '/' ? value / right
                                  : pow(value, right);
        }
    } else if (*s->at == '-') {
        s->at++;
        value = -evaluate(s, 2);
    } else if (*s->at == '(') {
        s->at++;
        value = evaluate(s, 0);
        s->at = skip_blanks(s->at);
        s->failed |= *s->at != ')';
        s->at += !s->failed;
    } else if (is_digit(*s->at) || (*s->at == '.' && is_digit(s->at[1]))) {
        char *end;
        value = strtod(s->at, &end);
        s->at = end;
    } else {
        s->failed = true;
    }
    return value;
}

// Copies a text without its comment and without words such as "about" at its start. 1,024 becomes
// 1024; 8 x 8 and 8 × 8 become 8 * 8.
static void simplify(const char *text, char *plain, size_t size) {
    static const char *const words[] = {
        "=", "≈", "~", "about ", "around ", "roughly ", "approximately ", "circa ", "ca. "};
    size_t count = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        text = skip_blanks(text);
        if (strncasecmp(text, words[i], strlen(words[i])) == 0) text += strlen(words[i]);
    }
    for (; *text && !strchr("#\n", *text) && count + 1 < size; text++) {
        const char *next = skip_blanks(text + 1);
        const bool is_separator = strchr(",_", *text) && count && is_digit(plain[count - 1]) &&
                                  strspn(text + 1, "0123456789") == 3;
        const bool is_cross = strncmp(text, "×", strlen("×")) == 0;
        const bool times = *text == 'x' && count && (is_digit(*next) || *next == '(') &&
                           strchr("0123456789) ", plain[count - 1]);
        if (!is_separator) plain[count++] = is_cross || times ? '*' : *text;
        if (is_cross) text += strlen("×") - 1;
    }
    while (count && strchr(" \t\r.!", plain[count - 1])) count--;
    plain[count] = '\0';
}

struct answer understand(const char *text) {
    struct answer answer = {.text = ""};
    char plain[256];
    simplify(text, plain, sizeof plain);
    if (*plain && strchr("0123456789.(-", *plain)) {
        struct sum sum = {.at = plain};
        answer.number = evaluate(&sum, 0);
        const char unit = *skip_blanks(sum.at);
        answer.is_number = !sum.failed && isfinite(answer.number) &&
                           (!unit || unit == '%' || isalpha((unsigned char)unit));
        if (answer.is_number) snprintf(answer.text, sizeof answer.text, "%.10g", answer.number);
    } else if (!strchr(plain, '?')) {
        size_t count = 0;
        for (const char *c = plain; *c && count + 1 < sizeof answer.text; c++) {
            if (!isspace((unsigned char)*c)) answer.text[count++] = *c;
        }
    }
    return answer;
}

// If a text begins with "NAME =", sets `name` and returns what follows; otherwise returns NULL.
static char *after_name(char *text, char name[64]) {
    int length = 0;
    sscanf(text, " %63[a-z_0-9] =%n", name, &length);
    return length ? text + length : NULL;
}

// Returns what follows "NAME =" in a text of predictions; NULL if no line has this name.
static char *find_value(char *text, const char *name) {
    for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char found[64], *value = after_name(line, found);
        if (value && strcmp(found, name) == 0) return value;
    }
    return NULL;
}

struct answer predicted(const char *folder, const char *name) {
    const char *value = find_value(read_text("%s/prediction", folder), name);
    return understand(value ? value : "");
}

// Returns the form that a prediction must have: the form of the expected answer in its row `say`. A
// prediction without a row `say` is a count, hence a number.
static enum form form_of(const struct exercise *e, const char *name) {
    for (const struct wish *w = e->wish; w->kind; w++) {
        if (strcmp(w->kind, "say") != 0 || strcmp(w->field[0], name) != 0) continue;
        const char *key = w->field[1];
        return understand(key).is_number                           ? NUMBER
               : strcmp(key, "yes") == 0 || strcmp(key, "no") == 0 ? YES_OR_NO
                                                                   : WORD;
    }
    return NUMBER;
}

static bool has_form(struct answer answer, enum form form) {
    if (form == NUMBER) return answer.is_number;
    if (form == YES_OR_NO)
        return strcasecmp(answer.text, "yes") == 0 || strcasecmp(answer.text, "no") == 0;
    return *answer.text && !answer.is_number;
}

static bool is_missing(const struct exercise *e, const char *folder, const char *name) {
    return !has_form(predicted(folder, name), form_of(e, name));
}

char *missing_predictions(const struct exercise *e, const char *folder, const char *end) {
    char *names = "";
    for (const struct prediction *p = e->predicted; p->name; p++) {
        if (is_missing(e, folder, p->name))
            names = text_of("%s%s%s%s", names, *names ? ", " : "", p->name, end);
    }
    return names;
}

// Writes a prediction, as the reader gave it, to the reader's file. Returns false if the prediction
// does not have the expected form.
static bool enter(const struct exercise *e, const char *name, const char *value) {
    char *text = read_text("%s/prediction", e->mine), *at = find_value(text, name);
    if (!has_form(understand(value), form_of(e, name))) return false;
    if (!at) die("%s/prediction: no line '%s ='; SHOW=again starts over", e->mine, name);
    write_text(
        text_of("%s/prediction", e->mine),
        text_of("%.*s %s%s", (int)(at - text), text, skip_blanks(value), at + strcspn(at, "\n")));
    return true;
}

// Enters the predictions in `text`, for example "one=1,024/8, two=no".
static void enter_all(const struct exercise *e, char *text) {
    char name[64], next[64];
    while (*text) {
        const struct prediction *p = e->predicted;
        char *value = after_name(text, name), *end = value ? value : text;
        while (*end && !(strchr(",;", *end) && after_name(end + 1, next))) end++;
        if (*end) *end++ = '\0';
        while (value && p->name && strcmp(p->name, name) != 0) p++;
        if (!value) die("PREDICT: '%s': expected NAME=VALUE", text);
        if (!p->name) {
            char *names = "";
            for (p = e->predicted; p->name; p++)
                names = text_of("%s%s%s", names, *names ? ", " : "", p->name);
            die("PREDICT: '%s' is not predicted in %s, but %s", name, e->name, names);
        }
        if (!enter(e, name, value))
            die("PREDICT: %s=%s: %s", name, value, expected[form_of(e, name)]);
        text = end;
    }
}

// Asks for one prediction until the answer is understood. Returns false if the reader leaves it for
// later.
static bool ask(const struct exercise *e, const struct prediction *p) {
    for (char line[256];;) {
        printf("  %s = ", p->name);
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) return false;
        line[strcspn(line, "\n")] = '\0';
        if (!*skip_blanks(line)) return false;
        if (enter(e, p->name, line)) return true;
        printf("  not understood: %s\n", expected[form_of(e, p->name)]);
    }
}

void take_predictions(const struct exercise *e) {
    const char *given = getenv("PREDICT"), *meaning = "";
    if (given) enter_all(e, text_of("%s", given));
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !*missing_predictions(e, e->mine, ""))
        return;
    say("Predict first; a wrong prediction costs nothing. A sum such as 1024/8 will do; Enter "
        "leaves it for later.");
    for (const struct prediction *p = e->predicted; p->name; p++) {
        if (!is_missing(e, e->mine, p->name)) continue;
        if (meaning != p->meaning) print_text(p->meaning);
        meaning = p->meaning;
        if (!ask(e, p)) return;
    }
}
