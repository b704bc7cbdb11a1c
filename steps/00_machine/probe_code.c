// Checks the machine code of a microbenchmark, because the compiler may have removed instructions
// that the microbenchmark should measure.
#include "probe_code.h"
#include "harness/say.h"

#include "isa/codec.h"
#include "isa/cubin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The instructions of one kernel.
struct listing {
    struct sass_instruction *code; // `count` instructions
    int64_t count;
    // indices of the first and the last instruction that read the clock; -1 if there is none
    int64_t first_clock, last_clock;
};

static bool reads_clock(const struct sass_instruction *in) {
    char text[SASS_MAX_TEXT];
    sass_print(in, NULL, text, sizeof text);
    return strstr(text, "SR_CLOCKLO") != NULL;
}

// Returns true if the instruction's mnemonic begins with one of the alternatives in `expect`, e.g.
// "HADD2|HFMA2". A guard and further modifiers are ignored.
static bool is_expected(const struct sass_instruction *in, const char *expect) {
    char text[SASS_MAX_TEXT];
    sass_print(in, NULL, text, sizeof text);
    const char *mnemonic = *text == '@' && strchr(text, ' ') ? strchr(text, ' ') + 1 : text;
    for (const char *at = expect; at; at = strchr(at, '|')) {
        if (*at == '|') at++;
        const size_t length = strcspn(at, "|");
        const char after = mnemonic[strnlen(mnemonic, length)];
        if (strncmp(mnemonic, at, length) == 0 && (after == '\0' || after == ' ' || after == '.'))
            return true;
    }
    return false;
}

static bool decode_kernel(const struct sass_kernel *kernel, struct listing *l,
                          struct error *error) {
    *l = (struct listing){.count = (int64_t)kernel->count, .first_clock = -1, .last_clock = -1};
    l->code = calloc(kernel->count ? kernel->count : 1, sizeof *l->code);
    if (!l->code) {
        *error = (struct error){.message = "not enough host memory"};
        return false;
    }
    for (int64_t i = 0; i < l->count; i++) {
        if (!sass_decode(cubin_word(kernel, (size_t)i), SASS_BYTES * (uint64_t)i, &l->code[i],
                         error))
            return false;
        if (!reads_clock(&l->code[i])) continue;
        if (l->first_clock < 0) l->first_clock = i;
        l->last_clock = i;
    }
    return true;
}

// Returns the index of a branch's target; -1 if the instruction is no branch.
static int64_t target_of(const struct sass_instruction *in) {
    if (in->form->opcode != SASS_BRA) return -1;
    for (int role = 0; role < SASS_ROLE_COUNT; role++) {
        if (in->operand[role].kind == SASS_TARGET) return in->operand[role].value / SASS_BYTES;
    }
    return -1;
}

// Sets *first and *last to the first and last instruction of the longest loop between the readings
// of the clock. Returns false if there is no loop.
static bool find_loop(const struct listing *l, int64_t *first, int64_t *last) {
    *first = *last = -1;
    for (int64_t i = l->first_clock; i >= 0 && i < l->last_clock; i++) {
        const int64_t target = target_of(&l->code[i]);
        if (target <= l->first_clock || target >= i || i - target <= *last - *first) continue;
        *first = target;
        *last = i;
    }
    return *first >= 0;
}

static void count_loop(const struct listing *l, int64_t first, int64_t last, const char *expect,
                       struct probe_code *c) {
    *c = (struct probe_code){.instructions = (int)(last - first + 1), .straight = true};
    for (int64_t i = first; i <= last; i++) {
        const enum sass_opcode opcode = l->code[i].form->opcode;
        c->expected += is_expected(&l->code[i], expect);
        if (i < last && (opcode == SASS_BRA || opcode == SASS_CALL || opcode == SASS_BRX))
            c->straight = false;
    }
}

// Sets *code. `code->misfit` becomes a message if the loop lacks expected instructions or has more.
static void examine(const struct probe *p, const struct listing *l, struct probe_code *code) {
    int64_t first, last;
    *code = (struct probe_code){0};
    if (p->times == 0) return; // the kernel has no loop
    if (l->first_clock != l->last_clock && find_loop(l, &first, &last))
        count_loop(l, first, last, p->expect, code);
    if (code->expected == p->times) return;
    snprintf(code->misfit, sizeof code->misfit,
             "the compiler changed %.40s: its loop has %d %.20s, expected %d; see `build/sass dis`",
             p->kernel, code->expected, p->expect, p->times);
}

bool probe_code_check(const struct probe *probe, const char *path, struct probe_code *code) {
    struct sass_cubin cubin;
    struct error error = {.message = "the cubin has no such kernel"};
    struct listing listing = {0};
    if (!cubin_open(&cubin, path, &error)) return say_error("%s", error.message);
    const struct sass_kernel *kernel = cubin_kernel(&cubin, probe->kernel);
    bool good = kernel && decode_kernel(kernel, &listing, &error);
    if (!good) say_error("%s: %s: %s", path, probe->kernel, error.message);
    if (good) examine(probe, &listing, code);
    free(listing.code);
    cubin_close(&cubin);
    return good;
}
