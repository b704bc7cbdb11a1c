// Helpers of build/exercise for text, files and the shell.
#include "base/file.h"
#include "checker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 100, LONGEST_LINE = 8192 };

// Declares `text` and sets it to the formatted arguments of the enclosing function.
#define FORMAT(text, format) \
    char *text; \
    va_list arguments; \
    va_start(arguments, format); \
    if (vasprintf(&text, format, arguments) < 0) abort(); \
    va_end(arguments)

char *text_of(const char *format, ...) {
    FORMAT(text, format);
    return text;
}

void die(const char *format, ...) {
    FORMAT(text, format);
    fflush(stdout);
    fprintf(stderr, "exercise: %s\n", text);
    exit(2);
}

static char *read_all(FILE *file) {
    char *text = NULL;
    size_t size = 0;
    return getdelim(&text, &size, '\0', file) < 0 ? "" : text;
}

char *read_text(const char *format, ...) {
    FORMAT(path, format);
    FILE *file = fopen(path, "r");
    char *text = file ? read_all(file) : NULL;
    if (file) fclose(file);
    return text;
}

void write_text(const char *path, const char *text) {
    char message[256];
    if (!file_write(path, text, strlen(text), message, sizeof message)) die("%s", message);
}

bool exists(const char *format, ...) {
    FORMAT(path, format);
    return access(path, F_OK) == 0;
}

int run(const char *format, ...) {
    FORMAT(command, format);
    fflush(stdout);
    const int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

char *output(const char *format, ...) {
    FORMAT(command, format);
    fflush(stdout);
    FILE *file = popen(command, "r");
    if (!file) die("no shell can be run");
    char *text = read_all(file);
    pclose(file);
    return text;
}

char *next_line(char **text) {
    return *text && **text ? strsep(text, "\n") : NULL;
}

// Returns the indentation of the second and later lines of a paragraph: the width of its leading
// blanks and of the mark of an item or a verdict.
static size_t indent_of(const char *line) {
    static const char *const marks[] = {"- ", "* ", "not yet:", "right:"};
    const size_t blanks = strspn(line, " "), digits = strspn(line + blanks, "0123456789");
    size_t length = digits && strncmp(line + blanks + digits, ". ", 2) == 0 ? digits + 1 : 0;
    for (int i = 0; i < 4; i++) {
        if (strncmp(line + blanks, marks[i], strlen(marks[i])) == 0) length = strlen(marks[i]);
    }
    return blanks + length + (length ? strspn(line + blanks + length, " ") : 0);
}

// Prints the start of `line` as lines of at most COLUMNS columns, and leaves the rest in `line`.
// Later lines are indented by `indent` blanks.
static void print_full_lines(char *line, size_t indent) {
    while (strlen(line) > COLUMNS) {
        size_t end = COLUMNS;
        while (end > indent && line[end] != ' ') end--;
        if (end == indent) end += strcspn(line + indent, " ");
        if (!line[end]) return;
        printf("%.*s\n", (int)end, line);
        memmove(line + indent, line + end + 1, strlen(line + end));
        memset(line, ' ', indent);
    }
}

// Returns a text with its links as a terminal can show them: "[step 01](../../steps/01_naive/)"
// becomes "step 01 (steps/01_naive/README.md)". Links are relative to an exercise's folder.
static char *without_links(const char *text) {
    static const char up[] = "../../";
    char *plain = "";
    for (const char *middle; (middle = strstr(text, "](../../"));) {
        const char *open = middle, *target = middle + strlen("](") + strlen(up),
                   *end = target + strcspn(target, "#)");
        while (open > text && *open != '[') open--;
        plain = text_of("%s%.*s%.*s (%.*s%s)", plain, (int)(open - text), text,
                        (int)(middle - open - 1), open + 1, (int)(end - target), target,
                        end[-1] == '/' ? "README.md" : "");
        text = end + strcspn(end, ")");
        text += *text == ')';
    }
    return text_of("%s%s", plain, text);
}

// True if a line begins a paragraph, an item, a row or a block of code.
static bool begins_block(const char *line) {
    const size_t digits = strspn(line, "0123456789");
    return strchr(" |#>", *line) || strncmp(line, "```", 3) == 0 || strncmp(line, "- ", 2) == 0 ||
           strncmp(line, "* ", 2) == 0 || (digits && strncmp(line + digits, ". ", 2) == 0);
}

void print_text(const char *text) {
    static char line[LONGEST_LINE];
    bool is_code = false, is_open = false; // is_open: the next line of text is joined to `line`
    text = without_links(text);
    while (*text) {
        const int length = (int)strcspn(text, "\n");
        const bool joins = is_open && length && !begins_block(text);
        if (is_open && !joins) puts(line);
        const size_t used = joins ? strlen(line) : 0;
        snprintf(line + used, sizeof line - used, "%s%.*s", joins ? " " : "", length, text);
        text += length + (text[length] == '\n');
        is_code ^= strncmp(line, "```", 3) == 0;
        const bool is_long = !is_code && line[strspn(line, " ")] != '|' && strlen(line) > COLUMNS;
        const size_t indent = indent_of(line);
        if (is_long) print_full_lines(line, indent);
        is_open = is_long && indent == 0;
        if (!is_open) puts(line);
    }
    if (is_open) puts(line);
}

void say(const char *format, ...) {
    FORMAT(text, format);
    print_text(text);
}
