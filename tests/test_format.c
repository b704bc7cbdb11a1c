// The pages' printf (web/engine/format.c) prints what the C library prints. Doubles, integers,
// texts and formats are random, by SEED.
#include "helpers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Gives the pages' functions other names, since the C library's are used, too.
#define REPLACES(type, name, ...) static __attribute__((unused)) type web_##name(__VA_ARGS__)
#include "../web/engine/format.c"

enum { TRIALS = 30000, ROOM = 512 };
static uint64_t random_bits = 1;
static unsigned draw(unsigned below) {
    random_bits = random_bits * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(random_bits >> 33) % below;
}

// Returns "%", random flags, width and precision, then `length` and one of `letters`.
static const char *drawn_format(const char *flags, const char *length, const char *letters) {
    static char format[32];
    char *at = format;
    *at++ = '%';
    for (; *flags; flags++)
        if (draw(4) == 0) *at++ = *flags;
    if (draw(2)) at += sprintf(at, "%u", 1 + draw(30));
    if (draw(2)) at += sprintf(at, ".%u", draw(40));
    sprintf(at, "%s%c", length, letters[draw((unsigned)strlen(letters))]);
    return format;
}

static void same(size_t room, const char *format, ...) {
    char page[ROOM] = "", library[ROOM] = "";
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int wanted = vsnprintf(library, room, format, list),
              count = web_vsnprintf(page, room, format, again);
    va_end(again);
    va_end(list);
    if (count != wanted || strcmp(page, library) != 0)
        fail_msg("%s: '%s' instead of '%s'", format, page, library);
}

static void doubles_have_the_same_digits(void **state) {
    for (int i = 0; i < TRIALS; i++) {
        uint64_t bits = (uint64_t)draw(1u << 31) << 33 ^ (uint64_t)draw(1u << 31) << 3 ^ draw(8);
        double x = (double)draw(100000) / (1 << draw(12)); // a multiple of 2^-11: ties occur
        if (draw(2)) memcpy(&x, &bits, sizeof x);
        if (draw(8) == 0) x = draw(2) ? 0.0 : INFINITY;
        if (draw(4) == 0) x = -x;
        // The flag # is left out: glibc prints 99.6 as 1.e+02 with %#.2g, not 1.0e+02
        same(ROOM, drawn_format("-+ 0", "", "eEfFgG"), x);
    }
    same(ROOM, "%.3g %.17g %g %f", 5e-324, 0.1, 1e21, 1e22);
}

static void whole_numbers_have_the_same_digits(void **state) {
    for (int i = 0; i < TRIALS; i++) {
        const int number = (int)(draw(1u << 31) >> draw(31)) * (draw(2) ? 1 : -1);
        const char *const lengths[] = {"", "h", "hh"};
        same(ROOM, drawn_format("-+ 0", lengths[draw(3)], "di"), number);
        same(ROOM, drawn_format("-#0", lengths[draw(3)], "xX"), number);
        same(ROOM, drawn_format("-0", "", "uo"), number);
        same(ROOM, drawn_format("-+ 0", "ll", "diuxX"), (long long)number * (1ll << draw(31)));
    }
}

static void texts_are_cut_alike(void **state) {
    for (int i = 0; i < TRIALS / 10; i++) {
        same(1 + draw(40), drawn_format("-", "", "s"), "a text of some length");
        same(1 + draw(40), "%c|%%|%*.*s|%d", 'x', (int)draw(9) - 4, (int)draw(5) - 1, "abcd", i);
    }
}

int main(void) {
    const char *seed = getenv("SEED");
    random_bits = seed ? strtoull(seed, NULL, 10) : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_have_the_same_digits),
        cmocka_unit_test(whole_numbers_have_the_same_digits),
        cmocka_unit_test(texts_are_cut_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
