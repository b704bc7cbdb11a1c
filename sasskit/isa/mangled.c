// Demangles C++ names as far as kernel names require.
#include "mangled.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name_reader {
    const char *at;
    char *text;
    size_t size, length;
};

static void put(struct name_reader *r, const char *text, size_t length) {
    for (size_t i = 0; i < length && r->length + 1 < r->size; i++) r->text[r->length++] = text[i];
    r->text[r->length] = '\0';
}
static void put_text(struct name_reader *r, const char *text) {
    put(r, text, strlen(text));
}

static const char *built_in(char code) {
    static const char *const names[26] = {
        ['a' - 'a'] = "signed char",
        ['b' - 'a'] = "bool",
        ['c' - 'a'] = "char",
        ['d' - 'a'] = "double",
        ['f' - 'a'] = "float",
        ['h' - 'a'] = "unsigned char",
        ['i' - 'a'] = "int",
        ['j' - 'a'] = "unsigned int",
        ['l' - 'a'] = "long",
        ['m' - 'a'] = "unsigned long",
        ['s' - 'a'] = "short",
        ['t' - 'a'] = "unsigned short",
        ['v' - 'a'] = "void",
        ['x' - 'a'] = "long long",
        ['y' - 'a'] = "unsigned long long",
    };
    return code >= 'a' && code <= 'z' ? names[code - 'a'] : NULL;
}

// Reads <length><identifier>; returns false if there is none.
static bool read_identifier(struct name_reader *r) {
    char *end;
    if (!isdigit((unsigned char)*r->at)) return false;
    const unsigned long length = strtoul(r->at, &end, 10);
    if (length > strlen(end)) return false;
    if (strncmp(end, "_GLOBAL__N_", 11) == 0)
        put_text(r, "(anonymous namespace)");
    else
        put(r, end, length);
    r->at = end + length;
    return true;
}

// Reads a built-in type, a number or a class outside of namespaces; returns false for others.
static bool read_argument(struct name_reader *r) {
    if (*r->at == 'L' && built_in(r->at[1])) { // a number: Lb1E is true, Lin5E is -5
        const bool truth = r->at[1] == 'b', negative = r->at[2] == 'n';
        const char *digits = r->at + 2 + negative, *end = digits + strspn(digits, "0123456789");
        if (end == digits || *end != 'E') return false;
        if (truth) {
            put_text(r, *digits == '1' ? "true" : "false");
        } else {
            put(r, "-", negative);
            put(r, digits, (size_t)(end - digits));
        }
        r->at = end + 1;
        return true;
    }
    const char *type = built_in(*r->at);
    if (!type) return read_identifier(r);
    put_text(r, type);
    r->at++;
    return true;
}

// Reads template arguments, I...E, if there are any; ends and returns false at an unsupported one.
static bool read_arguments(struct name_reader *r) {
    if (*r->at != 'I') return true;
    put_text(r, "<");
    r->at++;
    for (bool first = true; *r->at && *r->at != 'E'; first = false) {
        if (!first) put_text(r, ", ");
        if (read_argument(r)) continue;
        put_text(r, "...>");
        return false;
    }
    put_text(r, ">");
    r->at += *r->at == 'E';
    return true;
}

void name_of_mangled(const char *mangled, char *text, size_t size) {
    struct name_reader r = {mangled, text, size, 0};
    text[0] = '\0';
    if (strncmp(mangled, "_Z", 2) == 0) {
        r.at += 2;
        r.at += *r.at == 'L';
        const bool nested = *r.at == 'N';
        if (nested) r.at += 1 + strspn(r.at + 1, "rVK");
        for (bool first = true; first || nested; first = false) {
            r.at += *r.at == 'L';
            if (!isdigit((unsigned char)*r.at)) break;
            if (!first) put_text(&r, "::");
            if (!read_identifier(&r) || !read_arguments(&r)) break;
        }
    }
    if (!r.length) put_text(&r, mangled);
}

// Copies a name without spaces; if `plain`, also without template arguments.
static void squeeze(const char *from, size_t length, bool plain, char *to, size_t size) {
    size_t n = 0;
    int depth = 0;
    for (size_t i = 0; i < length && n + 1 < size; i++) {
        if (plain && from[i] == '<') depth++;
        if (depth == 0 && from[i] != ' ') to[n++] = from[i];
        if (plain && from[i] == '>') depth--;
    }
    to[n] = '\0';
}

static bool ends_alike(const char *name, const char *wanted) {
    const size_t a = strlen(name), b = strlen(wanted);
    if (b == 0 || a < b || strcmp(name + a - b, wanted) != 0) return false;
    return a == b || (a >= b + 2 && strncmp(name + a - b - 2, "::", 2) == 0);
}

bool name_fits(const char *mangled, const char *wanted) {
    char name[512], whole[512], plain[512], asked[512];
    if (strcmp(mangled, wanted) == 0) return true;
    if (strncmp(wanted, "void ", 5) == 0) wanted += 5;
    const char *anonymous = strstr(wanted, "(anonymous namespace)"),
               *from = anonymous ? anonymous + 21 : wanted;
    const size_t length = (size_t)(from - wanted) + strcspn(from, "(");
    name_of_mangled(mangled, name, sizeof name);
    squeeze(name, strlen(name), false, whole, sizeof whole);
    squeeze(name, strlen(name), true, plain, sizeof plain);
    squeeze(wanted, length, false, asked, sizeof asked);
    return ends_alike(whole, asked) || ends_alike(plain, asked);
}
