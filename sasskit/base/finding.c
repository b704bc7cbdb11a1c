// Prints findings as JSON lines and as text, and reads the CUDA source lines that the text shows.
#include "finding.h"

#include "channel.h"
#include "columns.h"
#include "file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- JSON ----------------------------------------------------------------------------------------

static void line_to_json(struct json *j, const char *name, const char *file, uint32_t line,
                         bool with_text) {
    if (!file || !line) {
        json_null(j, name);
        return;
    }
    json_open(j, name, '{');
    json_text(j, "file", file);
    json_integer(j, "line", line);
    if (with_text) json_text(j, "text", source_line(file, line));
    json_close(j, '}');
}

static void known_to_json(struct json *j, const char *name, int value) {
    if (value == NOBODY_KNOWN)
        json_null(j, name);
    else
        json_integer(j, name, value);
}

void place_to_json(struct json *j, const char *name, const struct code_place *p) {
    if (!p->known) {
        json_null(j, name);
        return;
    }
    json_open(j, name, '{');
    json_integer(j, "address", p->address);
    json_integer(j, "index", p->address / 16);
    json_text(j, "instruction", p->instruction);
    line_to_json(j, "source", p->file, p->line, true);
    line_to_json(j, "inlined", p->inlined_file, p->inlined_line, false);
    line_to_json(j, "sass", p->sass_file, p->sass_line, true);
    json_text(j, "action", p->action);
    json_triple(j, "block", p->has_block ? p->block : NULL);
    known_to_json(j, "warp", p->warp);
    known_to_json(j, "lane", p->lane);
    json_close(j, '}');
}

static void quantity_to_json(struct json *j, const char *name, const struct quantity *q) {
    if (!q->unit) {
        json_null(j, name);
        return;
    }
    json_open(j, name, '{');
    json_integer(j, "value", q->value);
    json_text(j, "unit", q->unit);
    json_close(j, '}');
}

static void memory_to_json(struct json *j, const struct finding *f) {
    if (!f->space) {
        json_null(j, "memory");
        return;
    }
    json_open(j, "memory", '{');
    json_text(j, "space", f->space);
    if (strcmp(f->space, "global") == 0)
        json_address(j, "address", f->at);
    else
        json_integer(j, "address", (long long)f->at);
    json_integer(j, "bytes", f->bytes);
    known_to_json(j, "argument", f->argument);
    json_close(j, '}');
}

static const char *const severities[] = {"error", "warning", "note"};

void finding_to_json(const struct finding *f) {
    struct json j = channel_line("report");
    json_integer(&j, "id", f->id);
    json_text(&j, "kind", f->kind);
    json_text(&j, "severity", severities[f->severity]);
    json_text(&j, "message", f->message);
    json_text(&j, "kernel", f->kernel);
    json_triple(&j, "block", f->has_block ? f->block : NULL);
    known_to_json(&j, "warp", f->warp);
    json_triple(&j, "thread", f->has_thread ? f->thread : NULL);
    place_to_json(&j, "place", &f->place);
    place_to_json(&j, "other", &f->other);
    memory_to_json(&j, f);
    quantity_to_json(&j, "expected", &f->expected);
    quantity_to_json(&j, "actual", &f->actual);
    json_integer(&j, "repeats", (long long)f->repeats);
    if (f->caused_by)
        json_integer(&j, "caused_by", f->caused_by);
    else
        json_null(&j, "caused_by");
    json_integer(&j, "merged", f->merged);
    if (f->rule) {
        json_open(&j, "cause", '{');
        json_text(&j, "rule", f->rule);
        json_text(&j, "text", f->cause);
        place_to_json(&j, "place", &f->cause_place);
        json_close(&j, '}');
    } else {
        json_null(&j, "cause");
    }
    json_text(&j, "remedy", *f->remedy ? f->remedy : NULL);
    json_end(&j);
}

// --- source lines --------------------------------------------------------------------------------

enum { MOST_SOURCE = 1 << 24, RECENT_LINES = 8 };

// Returns the text of a file; NULL if it cannot be read. Caches the last file.
static const char *read_source(const char *path) {
    static char *text, *name;
    if (name && strcmp(name, path) == 0) return text;
    free(text);
    free(name);
    size_t size;
    name = strdup(path);
    return text = file_read(path, MOST_SOURCE, &size);
}

const char *source_line(const char *file, uint32_t line) {
    static char recent[RECENT_LINES][512];
    static int next;
    const char *at = file && line ? read_source(file) : NULL;
    for (uint32_t i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        if (at) at++;
    }
    if (!at || !*at) return NULL;
    char *to = recent[next++ % RECENT_LINES];
    int length = 0;
    // a tab is four columns wide
    for (; *at && *at != '\n' && length < (int)sizeof *recent - 8; at++) {
        to[length++] = *at == '\t' ? ' ' : (unsigned char)*at < ' ' ? '?' : *at;
        while (*at == '\t' && length % 4) to[length++] = ' ';
    }
    while (length > 0 && to[length - 1] == ' ') length--;
    to[length] = '\0';
    return to;
}

static bool is_name(char letter) {
    return isalnum((unsigned char)letter) || letter == '_';
}

// Returns the first array access `name[...]` from `at` on; NULL if there is none. Sets *length to
// the length of the name, and *whole to that of the access with its brackets.
static const char *next_access(const char *at, int *length, int *whole) {
    for (; *at; at++) {
        if (!is_name(*at) || isdigit((unsigned char)*at)) continue;
        const char *end = at;
        while (is_name(*end)) end++;
        if (*end == '[') {
            int depth = 0;
            const char *close = end;
            do {
                depth += (*close == '[') - (*close == ']');
                close++;
            } while (*close && (depth > 0 || *close == '['));
            *length = (int)(end - at);
            *whole = (int)(close - at);
            return at;
        }
        at = end - 1;
    }
    return NULL;
}

// Returns true if an assignment (such as = or +=) follows the access that ends at `behind`.
static bool is_target(const char *line, const char *behind) {
    while (*behind == ' ') behind++;
    if (strchr("+-*/|&^", *behind) && behind[0] && behind[1] == '=') return true;
    return behind[0] == '=' && behind[1] != '=' && behind > line;
}

// Returns true if a plain = follows the access that ends at `behind`.
static bool is_overwritten(const char *behind) {
    while (*behind == ' ') behind++;
    return behind[0] == '=' && behind[1] != '=';
}

// Returns true if ++ or -- stands before or behind the access.
static bool is_stepped(const char *line, const char *at, const char *behind) {
    while (*behind == ' ') behind++;
    if (strncmp(behind, "++", 2) == 0 || strncmp(behind, "--", 2) == 0) return true;
    return at - line >= 2 && (strncmp(at - 2, "++", 2) == 0 || strncmp(at - 2, "--", 2) == 0);
}

static bool has_role(const char *line, const char *at, const char *behind, enum source_role role) {
    if (role == SOURCE_ANY) return true;
    if (role == SOURCE_READS) return !is_overwritten(behind);
    return is_target(line, behind) || is_stepped(line, at, behind);
}

int source_names(const char *line, enum source_role role, char names[SOURCE_NAMES][SOURCE_NAME]) {
    int count = 0, length, whole;
    for (const char *at = line; count < SOURCE_NAMES && (at = next_access(at, &length, &whole));
         at += length) {
        if (!has_role(line, at, at + whole, role)) continue;
        snprintf(names[count], SOURCE_NAME, "%.*s", length, at);
        bool known = false;
        for (int i = 0; i < count; i++) known |= strcmp(names[i], names[count]) == 0;
        count += !known;
    }
    return count;
}

// Returns true if the access is a summand, as in `= x[i] + a;`: no other operators touch it.
static bool is_summand(const char *line, const char *at, const char *behind) {
    while (at > line && at[-1] == ' ') at--;
    while (*behind == ' ') behind++;
    return strchr("=+-(", at[-1]) && strchr("+-;)", *behind);
}

enum source_change source_change(const char *line) {
    int length, whole, other, part;
    const char *at = line, *next;
    while ((at = next_access(at, &length, &whole)) &&
           !has_role(line, at, at + whole, SOURCE_WRITES))
        at += length;
    if (!at) { // as in *sum += value
        const char *equals = strstr(line, "+=");
        while (equals && equals > line && equals[-1] == ' ') equals--;
        while (equals && equals > line && is_name(equals[-1])) equals--;
        return equals && equals > line && equals[-1] == '*' ? CHANGE_ADDS : CHANGE_UNKNOWN;
    }
    enum source_change change = is_overwritten(at + whole) ? CHANGE_STORES : CHANGE_ADDS;
    for (next = at + whole; (next = next_access(next, &other, &part)); next += other) {
        if (other != length || strncmp(next, at, (size_t)length) != 0) continue;
        if (part != whole || strncmp(next, at, (size_t)whole) != 0) return CHANGE_NEIGHBOURS;
        if (change == CHANGE_STORES)
            change = is_summand(line, next, next + part) ? CHANGE_ADDS : CHANGE_COMPUTES;
    }
    return change;
}

// Returns the first occurrence of `word` between `from` and `end`; NULL if there is none.
static const char *find_word(const char *from, const char *end, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = from; at + length <= end; at++)
        if (strncmp(at, word, length) == 0 && !is_name(at[length]) &&
            (at == from || !is_name(at[-1])))
            return at;
    return NULL;
}

static const struct source_vector vectors[] = {
    {"float4", 16, 4},    {"int4", 16, 4},   {"uint4", 16, 4},      {"double2", 16, 2},
    {"longlong2", 16, 2}, {"float2", 8, 2},  {"ulonglong2", 16, 2}, {"int2", 8, 2},
    {"uint2", 8, 2},      {"__half2", 4, 2}, {"half2", 4, 2},       {"__nv_bfloat162", 4, 2},
};
enum { VECTORS = sizeof vectors / sizeof *vectors };

// Returns the vector type with the most bytes between `from` and `end`. If `name` is not NULL, only
// types that declare `name` count.
static struct source_vector find_vector(const char *from, const char *end, const char *name) {
    struct source_vector best = {0};
    for (int i = 0; i < VECTORS; i++) {
        const char *at = find_word(from, end, vectors[i].name);
        const char *declared = at && name ? at + strcspn(at, ",;()=\n") : end;
        if (at && vectors[i].bytes > best.bytes && (!name || find_word(at, declared, name)))
            best = vectors[i];
    }
    return best;
}

struct source_vector source_vector(const char *file, uint32_t line) {
    const char *text = source_line(file, line);
    char names[SOURCE_NAMES][SOURCE_NAME];
    if (!text) return (struct source_vector){0};
    struct source_vector found = find_vector(text, text + strlen(text), NULL);
    const int count = found.bytes ? 0 : source_names(text, SOURCE_ANY, names);
    const char *at = count ? read_source(file) : NULL;
    for (uint32_t i = 1; at && *at && i < line; i++) {
        const char *end = at + strcspn(at, "\n");
        for (int k = 0; k < count; k++) {
            const struct source_vector v = find_vector(at, end, names[k]);
            if (v.bytes) found = v; // the latest declaration counts
        }
        at = *end ? end + 1 : end;
    }
    return found;
}

// Returns the opening parenthesis of the kernel's parameters in its definition; NULL if the text
// does not define the kernel. `kernel` may be mangled; then it contains the name in the source.
static const char *find_kernel(const char *text, const char *kernel) {
    while (text && (text = strstr(text, "__global__"))) {
        const char *end = text + strcspn(text, ";{");
        for (const char *at = text; at < end; at++) {
            const char *name = at;
            if (*at != '(') continue;
            while (name > text && name[-1] == ' ') name--;
            const char *behind = name;
            while (name > text && is_name(name[-1])) name--;
            char own[SOURCE_NAME];
            snprintf(own, sizeof own, "%.*s", (int)(behind - name), name);
            const bool bounds = strcmp(own, "__launch_bounds__") == 0 || !*own;
            if (bounds) continue;
            if (strcmp(own, kernel) == 0 || (strncmp(kernel, "_Z", 2) == 0 && strstr(kernel, own)))
                return at;
            break;
        }
        text = end;
    }
    return NULL;
}

bool source_parameter(const char *file, const char *kernel, int parameter, char name[SOURCE_NAME]) {
    const char *at = file && kernel ? find_kernel(read_source(file), kernel) : NULL;
    for (int depth = 0; at && *at; at++) {
        const bool ends = depth == 1 && (*at == ',' || *at == ')');
        if (ends && parameter-- == 0) {
            const char *end = at, *from;
            while (end[-1] == ' ' || end[-1] == '\n') end--;
            for (from = end; is_name(from[-1]);) from--;
            snprintf(name, SOURCE_NAME, "%.*s", (int)(end - from), from);
            return from < end;
        }
        depth += (*at == '(') - (*at == ')');
        if (depth == 0) return false;
    }
    return false;
}

// Finds the last line up to `line` in which `name` follows `__shared__`. Returns the text behind
// the name; NULL if there is no such line.
static const char *after_declaration(const char *file, const char *name, uint32_t line) {
    const size_t length = strlen(name);
    const char *at = file ? read_source(file) : NULL, *found = NULL, *from = at;
    uint32_t number = 1;
    while (at && (at = strstr(at, "__shared__"))) {
        const char *end = at + strcspn(at, "\n;{");
        for (; from < at; from++) number += *from == '\n';
        if (number > line) break;
        for (at += strlen("__shared__"); at + length <= end; at++)
            if (strncmp(at, name, length) == 0 && !is_name(at[-1]) && !is_name(at[length]))
                found = at + length;
        at = end;
    }
    return found;
}

bool source_is_shared(const char *file, const char *name) {
    return after_declaration(file, name, UINT32_MAX) != NULL;
}

bool source_is_double(const char *file, const char *name, uint32_t line) {
    const char *after = after_declaration(file, name, line);
    return after && strncmp(after, "[2]", 3) == 0;
}

static bool is_among(const char *at, int length, char names[SOURCE_NAMES][SOURCE_NAME], int count) {
    for (int i = 0; i < count; i++)
        if ((int)strlen(names[i]) == length && strncmp(names[i], at, (size_t)length) == 0)
            return true;
    return false;
}

// Returns the first access in this role to one of the arrays names[]; NULL if there is none.
static const char *find_access(const char *line, char names[SOURCE_NAMES][SOURCE_NAME], int count,
                               enum source_role role, int *whole) {
    int length;
    for (const char *at = line; (at = next_access(at, &length, whole)); at += length)
        if (has_role(line, at, at + *whole, role) && is_among(at, length, names, count)) return at;
    return NULL;
}

static const char *best_access(const char *line, const char *name, const char *other, bool writes,
                               int *whole) {
    const enum source_role role = writes ? SOURCE_WRITES : SOURCE_READS;
    char wanted[SOURCE_NAMES][SOURCE_NAME];
    const char *at = NULL;
    int count = 0;
    if (name && *name) {
        snprintf(wanted[0], SOURCE_NAME, "%s", name);
        at = find_access(line, wanted, 1, role, whole);
        // In x[i - 1] + x[i + 1] either access may be the one, so mark from the first to the last.
        const char *next = at;
        int last = at ? *whole : 0;
        while (at && (next = find_access(next + last, wanted, 1, role, &last)))
            *whole = (int)(next + last - at);
        if (!at) at = find_access(line, wanted, 1, SOURCE_ANY, whole);
    }
    if (!at && other) {
        count = source_names(other, SOURCE_ANY, wanted);
        at = find_access(line, wanted, count, role, whole);
        if (!at) at = find_access(line, wanted, count, SOURCE_ANY, whole);
    }
    if (at) return at;
    count = source_names(line, role, wanted);
    if (count) return find_access(line, wanted, count, role, whole);
    return find_access(line, wanted, source_names(line, SOURCE_ANY, wanted), SOURCE_ANY, whole);
}

// Finds the target of an assignment to a pointer's element, as in `*sum += in[i]`; if `scalars`,
// also to a variable, as in `sum = in[i]`. Sets *from and *length; returns false if there is none.
static bool mark_target(const char *line, bool scalars, int *from, int *length) {
    const char *equals = strchr(line, '=');
    while (equals && equals > line && (equals[1] == '=' || strchr("=!<>", equals[-1])))
        equals = strchr(equals + 1, '=');
    if (!equals || equals == line) return false;
    const char *end = equals - (strchr("+-*/|&^", equals[-1]) != NULL), *at;
    while (end > line && end[-1] == ' ') end--;
    for (at = end; at > line && is_name(at[-1]);) at--;
    while (at > line && at[-1] == '*') at--;
    *from = (int)(at - line);
    *length = (int)(end - at);
    return at < end && (*at == '*' || (scalars && at + 1 < end && !isdigit((unsigned char)*at)));
}

// Finds the call of an intrinsic, such as __syncthreads(). Sets *from and *length; returns false if
// there is none.
static bool mark_call(const char *line, int *from, int *length) {
    const char *at = strstr(line, "__"), *end;
    if (!at || (at > line && is_name(at[-1]))) return false;
    for (end = at; is_name(*end);) end++;
    if (*end != '(' || strncmp(at, "__launch", 8) == 0) return false;
    int depth = 0;
    do depth += (*end == '(') - (*end == ')');
    while (*end++ && depth > 0 && *end);
    *from = (int)(at - line);
    *length = (int)(end - at);
    return true;
}

// Sets *from and *length to the part of `line` to mark. With `accesses`, it is the access to array
// `name`, else to an array of the line `other`, else to any array. Without, it is the call of an
// intrinsic. If there is none, it is the statement. `name` and `other` may be NULL.
static void source_mark(const char *line, const char *name, const char *other,
                        enum source_role role, bool accesses, int *from, int *length) {
    int whole;
    char names[SOURCE_NAMES][SOURCE_NAME];
    // `*sum += x` also reads *sum: mark it for a read, too, if `other` is the same line.
    const bool target = role == SOURCE_WRITES || (other && strcmp(line, other) == 0);
    if (accesses && target && !(name && *name) && !source_names(line, SOURCE_WRITES, names) &&
        mark_target(line, role == SOURCE_WRITES, from, length))
        return;
    if (!accesses && mark_call(line, from, length)) return;
    const char *at =
        accesses ? best_access(line, name, other, role == SOURCE_WRITES, &whole) : NULL;
    *from = at ? (int)(at - line) : (int)strspn(line, " ");
    *length = at ? whole : (int)strcspn(line + *from, "");
    const char *comment = at ? NULL : strstr(line + *from, "//");
    if (comment && comment > line + *from) *length = (int)(comment - line) - *from;
    while (*length > 1 && line[*from + *length - 1] == ' ') (*length)--;
    if (*length < 1) *length = 1;
}

// --- text ----------------------------------------------------------------------------------------

struct page {
    FILE *file;
    bool colour;
};

#define BOLD  "\033[1m"
#define RED   "\033[1;31m"
#define AMBER "\033[1;33m"
#define BLUE  "\033[1;34m"
#define GREEN "\033[1;32m"

static void put_in(const struct page *page, const char *colour, const char *text) {
    fprintf(page->file, page->colour ? "%s%s\033[0m" : "%s%s", page->colour ? colour : "", text);
}

// Returns the path relative to the current folder if the file lies in it; otherwise returns `path`.
static const char *from_here(const char *path) {
    static char here[1024];
    if (!*here && !getcwd(here, sizeof here)) return path;
    const size_t length = strlen(here);
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static void put_gutter(const struct page *page, int gutter, const char *number, bool blank) {
    char text[64];
    snprintf(text, sizeof text, "%*s |%s", gutter, number, blank ? "" : " ");
    put_in(page, BLUE, text);
}

// What is printed for a place: a line of the CUDA source if that can be read, otherwise a line of
// the .sass text. If `text` is NULL, the instruction is printed.
struct excerpt {
    const struct code_place *place;
    const char *text, *file;
    uint32_t line;
};

static struct excerpt excerpt_of(const struct code_place *p) {
    const char *text = source_line(p->file, p->line);
    if (text) return (struct excerpt){p, text, p->file, p->line};
    text = source_line(p->sass_file, p->sass_line);
    if (text) return (struct excerpt){p, text, p->sass_file, p->sass_line};
    return (struct excerpt){p, NULL, p->file ? p->file : p->sass_file,
                            p->file ? p->line : p->sass_line};
}

// Writes a place's description to `text`, for example "warp 3 writes here: STS [R4], R6 at 0x490".
static void describe_place(const struct code_place *p, bool with_instruction, char *text,
                           size_t size) {
    int n = 0;
    if (p->has_block && p->warp == NOBODY_KNOWN)
        n = snprintf(text, size, "block (%u, %u, %u) ", p->block[0], p->block[1], p->block[2]);
    else if (p->lane != NOBODY_KNOWN)
        n = snprintf(text, size, "lane %d of warp %d ", p->lane, p->warp);
    else if (p->warp != NOBODY_KNOWN)
        n = snprintf(text, size, "warp %d ", p->warp);
    if (p->action) n += snprintf(text + n, size - (size_t)n, "%s here", p->action);
    if (n && !p->action) text[--n] = '\0';
    if (with_instruction)
        snprintf(text + n, size - (size_t)n, "%s%.160s at 0x%x", n ? ": " : "", p->instruction,
                 p->address);
}

// Prints an excerpt. Marks it with carets if `is_main`, otherwise with dashes. `name` is the
// accessed array, or ""; `other` is the source line of the finding's other place, or NULL. `again`:
// the line has been printed already, and only the marks and their text follow.
static void put_excerpt(const struct page *page, int gutter, const struct excerpt *e,
                        const char *name, const char *other, bool is_main, bool again) {
    char number[32], label[512];
    const char *action = e->place->action;
    const bool accesses = action && strcmp(action, "waits") != 0 && strcmp(action, "arrives") != 0;
    const enum source_role role =
        action && strncmp(action, "read", 4) == 0 ? SOURCE_READS : SOURCE_WRITES;
    if (e->text) {
        int from, length, skip = 0;
        const int room = COLUMNS - gutter - 3;
        source_mark(e->text, name, other, role, accesses, &from, &length);
        if (from + length > room && from > 20) skip = from - 20;
        if (length > room - (from - skip)) length = room - (from - skip);
        snprintf(number, sizeof number, "%u", e->line);
        if (!again) {
            put_gutter(page, gutter, number, false);
            fprintf(page->file, "%.*s\n", room, e->text + skip);
        }
        put_gutter(page, gutter, "", false);
        fprintf(page->file, "%*s", from - skip, "");
        for (int i = 0; i < length && i < (int)sizeof label - 1; i++)
            label[i] = is_main ? '^' : '-', label[i + 1] = 0;
        put_in(page, is_main ? RED : BLUE, label);
        describe_place(e->place, e->file != e->place->sass_file || !e->place->sass_file, label,
                       sizeof label);
        const int at = gutter + 3 + from - skip + length + 1;
        if (at + (int)strlen(label) > COLUMNS) {
            fputc('\n', page->file);
            put_gutter(page, gutter, "", false);
            fprintf(page->file, "    ");
            columns_wrap(page->file, label, gutter + 7, gutter + 7);
        } else {
            fprintf(page->file, " %s\n", label);
        }
        return;
    }
    put_gutter(page, gutter, "", false);
    describe_place(e->place, true, label, sizeof label);
    columns_wrap(page->file, label, gutter + 3, gutter + 7);
}

static void put_note(const struct page *page, int gutter, const char *head, const char *text) {
    char bar[32];
    snprintf(bar, sizeof bar, "%*s = ", gutter, "");
    put_in(page, BLUE, bar);
    put_in(page, BOLD, head);
    fprintf(page->file, ": ");
    columns_wrap(page->file, text, gutter + 3 + (int)strlen(head) + 2, gutter + 5);
}

static void put_head(const struct page *page, const struct finding *f) {
    static const char *const colours[] = {RED, AMBER, GREEN};
    char head[64];
    snprintf(head, sizeof head, "%s[%s]", severities[f->severity], f->kind);
    put_in(page, colours[f->severity], head);
    fprintf(page->file, ": ");
    columns_wrap(page->file, f->message, (int)strlen(head) + 2, 4);
}

static void put_where(const struct page *page, int gutter, const struct finding *f,
                      const struct excerpt *e) {
    char text[768], arrow[32];
    int n = 0;
    const struct code_place *p = &f->place;
    if (e->file) n = snprintf(text, sizeof text, "%.300s:%u, ", from_here(e->file), e->line);
    if (p->inlined_file && strcmp(p->inlined_file, p->file) == 0)
        n += snprintf(text + n, sizeof text - (size_t)n, "called at line %u, ", p->inlined_line);
    else if (p->inlined_file)
        n += snprintf(text + n, sizeof text - (size_t)n, "in %.100s:%u, ",
                      from_here(p->inlined_file), p->inlined_line);
    if (f->kernel) n += snprintf(text + n, sizeof text - (size_t)n, "kernel %.200s", f->kernel);
    if (f->has_block)
        n += snprintf(text + n, sizeof text - (size_t)n, ", block (%u, %u, %u)", f->block[0],
                      f->block[1], f->block[2]);
    if (f->has_thread)
        snprintf(text + n, sizeof text - (size_t)n, ", thread (%u, %u, %u)", f->thread[0],
                 f->thread[1], f->thread[2]);
    else if (f->warp != NOBODY_KNOWN)
        snprintf(text + n, sizeof text - (size_t)n, ", warp %d", f->warp);
    snprintf(arrow, sizeof arrow, "%*s--> ", gutter, "");
    put_in(page, BLUE, arrow);
    columns_wrap(page->file, text, gutter + 4, gutter + 4);
}

// Prints a finding for people, in 100 columns: what happened, excerpts of the source with carets,
// the cause and the remedy. Uses colour if `file` is a terminal and NO_COLOR is not set. Prints
// nothing if another finding explains this one.
static void finding_to_text(const struct finding *f, FILE *file) {
    if (f->caused_by) return;
    const char *no_colour = getenv("NO_COLOR");
    const struct page page = {file, isatty(fileno(file)) && !(no_colour && *no_colour)};
    const struct excerpt here = excerpt_of(&f->place), there = excerpt_of(&f->other);
    char number[16];
    const uint32_t most = here.line > there.line ? here.line : there.line;
    const int gutter =
        here.text || there.text ? snprintf(number, sizeof number, "%u", most) + 1 : 2;
    put_head(&page, f);
    put_where(&page, gutter, f, &here);
    if (f->place.known) {
        const bool there_first =
            f->other.known && there.text && here.text && there.line <= here.line;
        put_gutter(&page, gutter, "", true);
        fputc('\n', file);
        const bool one_line = there.text && here.text && there.line == here.line &&
                              strcmp(there.text, here.text) == 0;
        // An instruction that "uses" is named in the message: one line needs no second mark.
        const bool uses = f->other.action && strcmp(f->other.action, "uses") == 0;
        if (there_first && !(uses && one_line))
            put_excerpt(&page, gutter, &there, uses ? "" : f->array, here.text, false, false);
        put_excerpt(&page, gutter, &here, f->array, there.text, true,
                    there_first && one_line && !uses);
        if (f->other.known && !there_first)
            put_excerpt(&page, gutter, &there, uses ? "" : f->array, here.text, false, false);
    }
    if (f->rule) put_note(&page, gutter, "cause", f->cause);
    if (*f->remedy) put_note(&page, gutter, "help", f->remedy);
    if (f->merged || f->repeats > 1) {
        char text[320];
        int n = 0;
        if (f->repeats > 1)
            n = snprintf(text, sizeof text, "%llu times%s", (unsigned long long)f->repeats,
                         f->merged ? "; " : "");
        if (f->merged)
            snprintf(text + n, sizeof text - (size_t)n,
                     "and %d more place%s with the same cause%s%s", f->merged,
                     f->merged > 1 ? "s" : "", *f->also ? ": " : "", f->also);
        put_note(&page, gutter, "note", text);
    }
}

int finding_new_id(void) {
    static int last;
    return ++last;
}

void finding_print(const struct finding *f) {
    if (f->severity != SEVERITY_NOTE && !f->caused_by)
        channel_count(f->severity == SEVERITY_WARNING);
    if (channel_json()) finding_to_json(f);
    if (channel_text()) {
        fflush(stdout);
        finding_to_text(f, stderr);
    }
}
