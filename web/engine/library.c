// C library functions that are smaller than wasi-libc's, to shorten the download. Mathematics comes
// from the browser; the rest does only what the programs need. The linker prefers these functions.
#include "replaces.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

// --- math.h: JavaScript's Math, in FP64 ----------------------------------------------------------

#define FROM_PAGE(name) __attribute__((import_module("Math"), import_name(name)))
FROM_PAGE("sin") double page_sin(double x);
FROM_PAGE("cos") double page_cos(double x);
FROM_PAGE("tanh") double page_tanh(double x);
FROM_PAGE("exp") double page_exp(double x);
FROM_PAGE("log") double page_log(double x);
FROM_PAGE("log2") double page_log2(double x);
FROM_PAGE("cbrt") double page_cbrt(double x);
FROM_PAGE("pow") double page_pow(double x, double y);

REPLACES(double, sin, double x) {
    return page_sin(x);
}
REPLACES(double, cos, double x) {
    return page_cos(x);
}
REPLACES(double, tanh, double x) {
    return page_tanh(x);
}
REPLACES(double, exp, double x) {
    return page_exp(x);
}
REPLACES(double, exp2, double x) {
    return page_pow(2, x);
}
REPLACES(double, log, double x) {
    return page_log(x);
}
REPLACES(double, log2, double x) {
    return page_log2(x);
}
REPLACES(double, cbrt, double x) {
    return page_cbrt(x);
}
REPLACES(double, pow, double x, double y) {
    return page_pow(x, y);
}

// --- stdlib.h: pieces of memory; four sizes per power of two, each with a list of free pieces ----

enum { HEAD = 16, ALIGNED = 64, LEAST = 32, MOST = 1 << 30, SIZES = 4 * 32 };
// The header of a piece; it stands before the piece's bytes.
struct head {
    uint32_t size, list; // size in bytes; index in given_back
    uint32_t before;     // bytes skipped before the header for alignment
};
static void *given_back[SIZES]; // free pieces by size; each begins with the next one's address

static struct head *head_of(void *bytes) {
    return (struct head *)((char *)bytes - HEAD);
}

static void *take(size_t bytes, bool zero) {
    if (bytes > MOST) return errno = ENOMEM, NULL;
    const uint32_t least = (uint32_t)bytes < LEAST ? LEAST : (uint32_t)bytes,
                   doubling = 31 - (uint32_t)__builtin_clz(least);
    const uint32_t step = 1u << (doubling - 2), size = (least + step - 1) / step * step,
                   list = 4 * doubling + (size >> (doubling - 2)) - 4;
    void *piece = given_back[list];
    if (piece) {
        memcpy(&given_back[list], piece, sizeof piece);
        if (zero) memset(piece, 0, bytes);
        return piece;
    }
    char *fresh = sbrk((intptr_t)((HEAD + size + HEAD - 1) / HEAD * HEAD)); // sbrk() returns zeros
    if (fresh == (char *)-1) return NULL;
    *(struct head *)fresh = (struct head){size, list, 0};
    return fresh + HEAD;
}

REPLACES(void *, malloc, size_t bytes) {
    return take(bytes, false);
}

REPLACES(void *, calloc, size_t count, size_t size) {
    const uint64_t bytes = (uint64_t)count * size;
    return take(bytes > MOST ? SIZE_MAX : (size_t)bytes, true);
}

// Fails if alignment > ALIGNED.
REPLACES(void *, aligned_alloc, size_t alignment, size_t bytes) {
    char *piece = bytes > MOST || alignment > ALIGNED ? NULL : take(bytes + ALIGNED, false);
    if (!piece) return errno = ENOMEM, NULL;
    const struct head head = *head_of(piece);
    const uint32_t before = -(uintptr_t)piece % ALIGNED;
    *head_of(piece + before) = (struct head){head.size - before, head.list, before};
    return piece + before;
}

REPLACES(void, free, void *bytes) {
    if (!bytes) return;
    const struct head head = *head_of(bytes);
    char *piece = (char *)bytes - head.before;
    *head_of(piece) = (struct head){head.size + head.before, head.list, 0};
    memcpy(piece, &given_back[head.list], sizeof(void *));
    given_back[head.list] = piece;
}

REPLACES(void *, realloc, void *bytes, size_t wanted) {
    if (!bytes) return malloc(wanted);
    const size_t there = head_of(bytes)->size;
    if (wanted <= there) return bytes;
    void *more = malloc(wanted);
    if (!more) return NULL;
    memcpy(more, bytes, there);
    free(bytes);
    return more;
}

// A merge sort, so it is stable, like glibc's.
REPLACES(void, qsort, void *base, size_t count, size_t size,
         int (*compare)(const void *, const void *)) {
    if (count < 2) return;
    char *const all = base, *left = all, *right = all + count / 2 * size, *const middle = right,
                *const end = all + count * size;
    qsort(left, count / 2, size, compare);
    qsort(right, count - count / 2, size, compare);
    char *const merged = malloc(count * size);
    if (!merged) abort();
    for (char *to = merged; to < merged + count * size; to += size) {
        char **from = right == end || (left < middle && compare(left, right) <= 0) ? &left : &right;
        memcpy(to, *from, size);
        *from += size;
    }
    memcpy(all, merged, count * size);
    free(merged);
}

// Returns a decimal number's value. Pages have no hexadecimal floating-point numbers (0x1p3).
__attribute__((import_module("page"), import_name("number"))) double page_number(const char *text,
                                                                                 size_t length);

REPLACES(double, strtod, const char *text, char **end) {
    const char *at = text + strspn(text, " \t\n"), *const first = at;
    at += *at == '-' || *at == '+';
    const bool negative = at > first && *first == '-';
    if (strncasecmp(at, "nan", 3) == 0 || strncasecmp(at, "inf", 3) == 0) {
        const double value = tolower(*at) == 'n' ? (double)NAN : (double)INFINITY;
        if (end) *end = (char *)at + (strncasecmp(at, "infinity", 8) == 0 ? 8 : 3);
        return negative ? -value : value;
    }
    static const char digits[] = "0123456789";
    const size_t whole = strspn(at, digits),
                 fraction = at[whole] == '.' ? 1 + strspn(at + whole + 1, digits) : 0;
    if (whole + fraction == 0 || (whole == 0 && fraction == 1)) {
        if (end) *end = (char *)text;
        return 0;
    }
    at += whole + fraction;
    const size_t sign = tolower(*at) == 'e' && strchr("+-", at[1]) && at[1] ? 2 : 1,
                 power = tolower(*at) == 'e' ? strspn(at + sign, digits) : 0;
    if (power) at += sign + power;
    if (end) *end = (char *)at;
    return page_number(first, (size_t)(at - first));
}

// Parses an integer and sets *end. If `base` is 0, the number's prefix gives the base. `most` is
// the largest value of the unsigned type. For a value outside the type, errno becomes ERANGE, and
// the type's nearest limit is returned.
static uint64_t whole(const char *text, char **end, unsigned base, uint64_t most, bool is_signed) {
    const char *at = text + strspn(text, " \t\n");
    const bool negative = *at == '-';
    at += *at == '-' || *at == '+';
    const bool hexadecimal =
        base % 16 == 0 && at[0] == '0' && (at[1] | ' ') == 'x' && isxdigit(at[2]);
    if (base == 0) base = hexadecimal ? 16 : *at == '0' ? 8 : 10;
    if (hexadecimal) at += 2;
    const char *const first = at;
    const uint64_t limit = is_signed ? most / 2 + negative : most;
    uint64_t value = 0;
    bool beyond = false;
    for (unsigned digit;; at++) {
        digit = isdigit(*at)   ? (unsigned)(*at - '0')
                : isalpha(*at) ? (unsigned)((*at | ' ') - 'a' + 10)
                               : base;
        if (digit >= base) break;
        beyond = beyond || value > (limit - digit) / base;
        value = value * base + digit;
    }
    if (end) *end = (char *)(at == first ? text : at);
    if (beyond) {
        errno = ERANGE;
        value = limit;
    }
    return negative && (is_signed || !beyond) ? -value : value;
}

REPLACES(long, strtol, const char *text, char **end, int base) {
    return (long)whole(text, end, (unsigned)base, ULONG_MAX, true);
}
REPLACES(unsigned long, strtoul, const char *text, char **end, int base) {
    return (unsigned long)whole(text, end, (unsigned)base, ULONG_MAX, false);
}
REPLACES(long long, strtoll, const char *text, char **end, int base) {
    return (long long)whole(text, end, (unsigned)base, ULLONG_MAX, true);
}
REPLACES(unsigned long long, strtoull, const char *text, char **end, int base) {
    return whole(text, end, (unsigned)base, ULLONG_MAX, false);
}
REPLACES(int, atoi, const char *text) {
    return (int)strtol(text, NULL, 10);
}

// --- stdio.h, string.h, time.h (printf is in format.c) -------------------------------------------

// Supports %d, %u and %lu (32 bits each), with a width of one digit or none, %n, and literals.
REPLACES(int, sscanf, const char *text, const char *format, ...) {
    const char *at = text;
    int read = 0;
    va_list list;
    va_start(list, format);
    for (; *format; format++) {
        if (*format != '%') {
            if (*at++ != *format) break;
            continue;
        }
        const char *width = ++format;
        format += strspn(format, "0123456789l");
        if (*format == 'n') {
            *va_arg(list, int *) = (int)(at - text);
            continue;
        }
        char digits[16] = "", *end;
        snprintf(digits, isdigit(*width) ? (size_t)(*width - '0') + 1 : sizeof digits, "%s", at);
        const unsigned long value = strtoul(digits, &end, 10);
        if (end == digits) break;
        *va_arg(list, unsigned long *) = value;
        at += end - digits;
        read++;
    }
    va_end(list);
    return read;
}

// A page's files can only be missing, or too large for the memory.
REPLACES(char *, strerror, int error) {
    return error == ENOENT   ? "No such file or directory"
           : error == ENOMEM ? "Out of memory"
                             : "a page cannot do this";
}

REPLACES(size_t, strlen, const char *text) {
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}
REPLACES(size_t, strnlen, const char *text, size_t most) {
    size_t count = 0;
    while (count < most && text[count]) count++;
    return count;
}
REPLACES(void *, memchr, const void *bytes, int byte, size_t count) {
    for (const char *at = bytes; count > 0; at++, count--)
        if (*at == (char)byte) return (void *)at;
    return NULL;
}
REPLACES(char *, strchr, const char *text, int letter) {
    return memchr(text, letter, strlen(text) + 1);
}
REPLACES(size_t, strspn, const char *text, const char *letters) {
    const char *at = text;
    while (*at && strchr(letters, *at)) at++;
    return (size_t)(at - text);
}
REPLACES(size_t, strcspn, const char *text, const char *letters) {
    const char *at = text;
    while (!strchr(letters, *at)) at++;
    return (size_t)(at - text);
}
REPLACES(char *, strcat, char *restrict to, const char *restrict from) {
    memcpy(to + strlen(to), from, strlen(from) + 1);
    return to;
}
REPLACES(char *, strstr, const char *text, const char *wanted) {
    for (const size_t length = strlen(wanted); strncmp(text, wanted, length) != 0; text++)
        if (!*text) return NULL;
    return (char *)text;
}

// Each of these three functions is a single instruction of WebAssembly.
REPLACES(void *, memcpy, void *restrict to, const void *restrict from, size_t count) {
    return __builtin_memcpy(to, from, count);
}
REPLACES(void *, memmove, void *to, const void *from, size_t count) {
    return __builtin_memmove(to, from, count);
}
REPLACES(void *, memset, void *to, int byte, size_t count) {
    return __builtin_memset(to, byte, count);
}

// Supports %Y %m %d %H %M %S and literals.
REPLACES(size_t, strftime, char *restrict text, size_t room, const char *restrict format,
         const struct tm *restrict time) {
    const int parts[] = {1900 + time->tm_year, 1 + time->tm_mon, time->tm_mday,
                         time->tm_hour,        time->tm_min,     time->tm_sec};
    static const char letters[] = "YmdHMS";
    size_t count = 0;
    for (; *format && count + 5 < room; format++) {
        const char *known = *format == '%' ? strchr(letters, *++format) : NULL;
        if (known)
            count += (size_t)snprintf(text + count, room - count, "%02d", parts[known - letters]);
        else
            text[count++] = *format;
    }
    text[count] = '\0';
    return count;
}
