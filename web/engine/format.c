// printf for a page: the conversions that the programs and their kernels use (no %a, no wide
// characters). Every digit is correct, as in glibc. The code takes half the bytes of that in
// WebAssembly's C library. printf, fprintf and snprintf call the two functions at the end.
#include "replaces.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- numbers -------------------------------------------------------------------------------------

enum {
    WORD = 1000000000, // a word has nine decimal digits
    WORDS = 86,        // words for the 767 digits that a double has at most
    DIGITS = 9 * WORDS,
    MOST_PRECISION = 400,
    MOST_TEXT = 309 + MOST_PRECISION + 8
};

// A decimal number.
struct decimal {
    char digits[DIGITS + 1]; // the first digit is not '0'
    int count;
    // number of digits before the point; negative for zeros between the point and the first digit
    int point;
};

// Sets *d to all digits of a finite x >= 0, which is an integer times 2^exponent. The integer's
// digits are doubled for each unit of a positive exponent. For each unit of a negative exponent
// they are multiplied by 5, and the point moves by one digit, because 1/2 is 5/10.
static void decimal_of(double x, struct decimal *d) {
    uint32_t words[WORDS]; // least significant word first
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int biased = (int)(bits >> 52);
    uint64_t rest = (bits & ((1ull << 52) - 1)) | (uint64_t)(biased > 0) << 52;
    int exponent = rest ? (biased ? biased : 1) - 1075 : 0, count = 0;
    for (; rest % 2 == 0 && exponent < 0; exponent++) rest /= 2;
    for (; rest; rest /= WORD) words[count++] = (uint32_t)(rest % WORD);
    for (int i = 0; i < abs(exponent); i++) {
        for (int w = 0; w < count; w++, rest /= WORD) {
            rest += (uint64_t)words[w] * (exponent < 0 ? 5 : 2);
            words[w] = (uint32_t)(rest % WORD);
        }
        if (rest) words[count++] = (uint32_t)rest;
        rest = 0;
    }
    d->count = 0;
    for (int w = count - 1; w >= 0; w--) {
        for (uint32_t unit = WORD / 10; unit; unit /= 10) {
            d->digits[d->count] = (char)('0' + words[w] / unit % 10);
            d->count += d->count || d->digits[0] != '0';
        }
    }
    d->point = d->count ? d->count + (exponent < 0 ? exponent : 0) : 1;
}

// Rounds to `kept` digits: to nearest, ties to even.
static void decimal_round(struct decimal *d, int kept) {
    if (kept >= d->count) return;
    bool up = false;
    if (kept >= 0) {
        const char *rest = &d->digits[kept];
        const bool tie = *rest == '5' && (int)strspn(rest + 1, "0") >= d->count - kept - 1;
        up = tie ? kept > 0 && rest[-1] % 2 : *rest >= '5';
    }
    d->count = kept < 0 ? 0 : kept;
    for (int i = d->count - 1; up && i >= 0; i--) {
        up = d->digits[i] == '9';
        d->digits[i] = up ? '0' : (char)(d->digits[i] + 1);
    }
    if (!up) return;
    memmove(d->digits + 1, d->digits, (size_t)d->count++); // 99 becomes 100; an empty number, 1
    d->digits[0] = '1';
    d->point++;
}

static char digit(const struct decimal *d, int i) {
    return i >= 0 && i < d->count ? d->digits[i] : '0';
}

// Writes `whole` digits, the point, and `after` digits; returns the end. If `after` is 0, the point
// is written only if `point` is true.
static char *put_digits(char *to, const struct decimal *d, int whole, int after, bool point) {
    if (whole < 1) *to++ = '0';
    for (int i = 0; i < whole; i++) *to++ = digit(d, i);
    if (after > 0 || point) *to++ = '.';
    for (int i = 0; i < after; i++) *to++ = digit(d, whole + i);
    return to;
}

// Writes a finite x >= 0 for the conversion `letter`, one of "eEfFgG". Returns the length.
// `alternative` is the flag #.
static int put_real(char *text, double x, char letter, int precision, bool alternative) {
    struct decimal d;
    const bool general = (letter | ' ') == 'g';
    precision = precision < 0 ? 6 : precision > MOST_PRECISION ? MOST_PRECISION : precision;
    if (general && precision == 0) precision = 1;
    decimal_of(x, &d);
    decimal_round(&d, (letter | ' ') == 'f' ? d.point + precision : precision + !general);
    const int exponent = d.count ? d.point - 1 : 0;
    const bool fixed = general ? exponent >= -4 && exponent < precision : (letter | ' ') == 'f';
    const int whole = fixed ? d.point : 1;
    int after = general ? precision - whole : precision;
    if (general && !alternative) {
        while (d.count && d.digits[d.count - 1] == '0') d.count--;
        after = d.count > whole ? d.count - whole : 0;
    }
    char *end = put_digits(text, &d, whole, after, alternative);
    if (!fixed)
        end += sprintf(end, "%c%c%02d", general ? letter - 2 : letter, exponent < 0 ? '-' : '+',
                       abs(exponent));
    return (int)(end - text);
}

static int put_whole(char *text, uint64_t value, unsigned base, char ten, int precision) {
    char digits[32], *at = digits + sizeof digits;
    for (; value; value /= base)
        *--at = (char)(value % base < 10 ? '0' + value % base : ten + value % base - 10);
    const int count = (int)(digits + sizeof digits - at),
              zeros = precision > count ? precision - count : 0;
    memset(text, '0', (size_t)zeros);
    memcpy(text + zeros, at, (size_t)count);
    return zeros + count;
}

// --- fields --------------------------------------------------------------------------------------

struct output {
    char *text;
    size_t room, count; // `count` may exceed `room`
};

static void put(struct output *out, const char *from, int count) {
    for (int i = 0; i < count; i++, out->count++)
        if (out->count + 1 < out->room) out->text[out->count] = from[i];
}

static void fill(struct output *out, char letter, int count) {
    for (int i = 0; i < count; i++) put(out, &letter, 1);
}

// What stands between a conversion's % and its letter, e.g. -8.3 in %-8.3f.
struct field {
    bool left, plus, space, alternative, zeros;
    int width, precision; // precision is -1 if it is not given
    int bits;             // size of an integer in bits
};

static void put_field(struct output *out, const struct field *f, const char *sign, const char *text,
                      int count) {
    const int length = (int)strlen(sign), rest = f->width - length - count;
    if (!f->left && !f->zeros) fill(out, ' ', rest);
    put(out, sign, length);
    if (!f->left && f->zeros) fill(out, '0', rest);
    put(out, text, count);
    if (f->left) fill(out, ' ', rest);
}

static const char *sign_of(const struct field *f, bool negative) {
    return negative ? "-" : f->plus ? "+" : f->space ? " " : "";
}

static void put_double(struct output *out, struct field *f, char letter, double x) {
    char text[MOST_TEXT];
    int count = 3;
    if (isfinite(x)) {
        count = put_real(text, fabs(x), letter, f->precision, f->alternative);
    } else {
        memcpy(text, letter < 'a' ? (isnan(x) ? "NAN" : "INF") : isnan(x) ? "nan" : "inf", 3);
        f->zeros = false;
    }
    put_field(out, f, sign_of(f, signbit(x)), text, count);
}

// Requires: `value` has the field's number of bits, sign-extended if the letter is d or i.
static void put_integer(struct output *out, struct field *f, char letter, uint64_t value) {
    char text[MOST_TEXT];
    const bool is_signed = letter == 'd' || letter == 'i',
               negative = is_signed && (int64_t)value < 0;
    const unsigned base = letter == 'o' ? 8 : (letter | ' ') == 'x' ? 16 : 10;
    if (f->precision >= 0) f->zeros = false;
    const int least = f->precision < 0                ? 1
                      : f->precision > MOST_PRECISION ? MOST_PRECISION
                                                      : f->precision;
    const int count =
        put_whole(text, negative ? -value : value, base, letter == 'X' ? 'A' : 'a', least);
    const char *prefix = f->alternative && base == 16 && value ? (letter == 'X' ? "0X" : "0x") : "";
    put_field(out, f, is_signed ? sign_of(f, negative) : prefix, text, count);
}

static const char *read_number(const char *at, int *number, va_list *list) {
    if (*at == '*') return *number = va_arg(*list, int), at + 1;
    for (*number = 0; *at >= '0' && *at <= '9'; at++) *number = 10 * *number + *at - '0';
    return at;
}

// Reads a field's flags, width, precision and length modifier. Returns the position of its letter.
static const char *read_field(const char *at, struct field *f, va_list *list) {
    for (; *at && strchr("-+ #0", *at); at++) {
        f->left |= *at == '-', f->plus |= *at == '+', f->space |= *at == ' ',
            f->alternative |= *at == '#', f->zeros |= *at == '0';
    }
    at = read_number(at, &f->width, list);
    if (*at == '.') at = read_number(at + 1, &f->precision, list);
    if (f->width < 0) {
        f->left = true;
        f->width = -f->width;
    }
    f->bits = 32; // int, long, size_t and pointers
    for (; *at && strchr("hljzt", *at); at++)
        f->bits = *at == 'h' ? f->bits / 2 : *at == 'j' || (*at == 'l' && at[-1] == 'l') ? 64 : 32;
    return at;
}

static uint64_t next_integer(const struct field *f, bool is_signed, va_list *list) {
    const uint64_t value = f->bits == 64 ? va_arg(*list, uint64_t) : va_arg(*list, uint32_t);
    const int above = 64 - f->bits;
    return is_signed ? (uint64_t)((int64_t)(value << above) >> above) : value << above >> above;
}

REPLACES(int, vsnprintf, char *text, size_t room, const char *format, va_list arguments) {
    struct output out = {text, room, 0};
    va_list list;
    va_copy(list, arguments);
    for (; *format; format++) {
        struct field f = {.precision = -1};
        if (*format != '%') {
            put(&out, format, 1);
            continue;
        }
        format = read_field(format + 1, &f, &list);
        if (!*format) break;
        if (strchr("eEfFgG", *format)) {
            put_double(&out, &f, *format, va_arg(list, double));
        } else if (strchr("diouxX", *format)) {
            put_integer(&out, &f, *format,
                        next_integer(&f, *format == 'd' || *format == 'i', &list));
        } else if (*format == 's') {
            const char *string = va_arg(list, const char *);
            if (!string) string = "(null)";
            put_field(
                &out, &f, "", string,
                (int)(f.precision < 0 ? strlen(string) : strnlen(string, (size_t)f.precision)));
        } else {
            const char letter = *format == 'c' ? (char)va_arg(list, int) : *format;
            put_field(&out, &f, "", &letter, 1);
        }
    }
    va_end(list);
    if (room) text[out.count < room ? out.count : room - 1] = '\0';
    return (int)out.count;
}

REPLACES(int, vfprintf, FILE *restrict file, const char *restrict format, va_list list) {
    char most[512], *text = most;
    const int count = web_vsnprintf(most, sizeof most, format, list);
    if ((size_t)count >= sizeof most) {
        text = malloc((size_t)count + 1);
        if (!text) return -1;
        web_vsnprintf(text, (size_t)count + 1, format, list);
    }
    const bool written = fwrite(text, 1, (size_t)count, file) == (size_t)count;
    if (text != most) free(text);
    return written ? count : -1;
}
