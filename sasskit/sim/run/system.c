// Executes the driver's functions that device code calls. By CUDA's calling convention, arguments
// and results start in R4.
//
// printf prints immediately, warp by warp, in the order of the simulation. The heap has HEAP_BYTES,
// a GPU's default size, and is emptied after each launch.
#include "system.h"

#include <stdio.h>

enum { ARGUMENT = 4, MOST_TEXT = 1024, HEAP_UNIT = 16, STEP = 16 };

enum system_function { UNKNOWN, PRINTF, MALLOC, FREE, ASSERT_FAIL };
static const char *const names[] = {
    [PRINTF] = "vprintf", [MALLOC] = "malloc", [FREE] = "free", [ASSERT_FAIL] = "__assertfail"};
enum { FUNCTIONS = sizeof names / sizeof *names };

uint64_t system_address(const char *name) {
    int i = FUNCTIONS - 1;
    while (i > UNKNOWN && strcmp(names[i], name) != 0) i--;
    return (uint64_t)SYSTEM_WINDOW << 32 | (uint64_t)i * STEP;
}

static uint64_t pair(const struct warp *w, int number, int lane) {
    return (uint64_t)w->row[number + 1][lane] << 32 | w->row[number][lane];
}

// Copies bytes from a lane's generic address. Returns false if they are in neither local nor global
// memory.
static bool read_bytes(struct warp *w, int lane, uint64_t address, void *to, uint32_t count) {
    const struct launch_state *l = w->block->launch;
    if (address >> 32 != LOCAL_WINDOW) {
        const void *from = sim_host(l->memory, address, count);
        if (from) memcpy(to, from, count);
        return from != NULL;
    }
    for (uint32_t i = 0, at = (uint32_t)address; i < count; i++, at++) {
        if (!w->local || at >= l->local_bytes) return false;
        ((uint8_t *)to)[i] =
            local_memory(w)[((size_t)(at / 4) * LANES + (size_t)lane) * 4 + at % 4];
    }
    return true;
}

static void read_text(struct warp *w, int lane, uint64_t address, char *text, size_t size) {
    size_t n = 0;
    while (n + 1 < size && read_bytes(w, lane, address + n, &text[n], 1) && text[n]) n++;
    text[n] = '\0';
}

struct printer {
    struct warp *w;
    int lane;
    uint64_t argument; // address of the next value
};

static uint64_t next_value(struct printer *p, uint32_t bytes) {
    uint64_t value = 0;
    p->argument = (p->argument + bytes - 1) / bytes * bytes;
    read_bytes(p->w, p->lane, p->argument, &value, bytes);
    p->argument += bytes;
    return value;
}

// Prints one conversion, such as "%5.2f", with its last letter at `end`. (A long has 8 bytes in
// device code.)
static void print_conversion(struct printer *p, const char *from, const char *end) {
    char format[64], text[MOST_TEXT];
    size_t n = 0;
    bool wide = strchr("p", *end) != NULL;
    for (const char *at = from; at < end && n < 48; at++) {
        if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't') {
            wide = true;
        } else if (*at == '*') {
            n += (size_t)snprintf(format + n, sizeof format - n, "%d", (int)next_value(p, 4));
        } else if (*at != 'h') {
            format[n++] = *at;
        }
    }
    const bool integer = strchr("diouxXc", *end) != NULL;
    if (integer && *end != 'c') format[n++] = 'l', format[n++] = 'l';
    format[n++] = *end;
    format[n] = '\0';
    // The format is not a literal, but print() has checked its conversion.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (*end == 'c') {
        printf(format, (int)next_value(p, 4));
    } else if (*end == 'd' || *end == 'i') {
        printf(format, wide ? (long long)next_value(p, 8) : (long long)(int32_t)next_value(p, 4));
    } else if (integer) {
        printf(format, (unsigned long long)next_value(p, wide ? 8 : 4));
    } else if (*end == 's') {
        read_text(p->w, p->lane, next_value(p, 8), text, sizeof text);
        printf(format, text);
    } else if (*end == 'p') {
        printf("0x%llx", (unsigned long long)next_value(p, 8));
    } else {
        const uint64_t bits = next_value(p, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        printf(format, value);
    }
#pragma GCC diagnostic pop
}

static void print(struct warp *w, int lane) {
    struct printer p = {w, lane, pair(w, ARGUMENT + 2, lane)};
    char format[MOST_TEXT];
    read_text(w, lane, pair(w, ARGUMENT, lane), format, sizeof format);
    for (const char *at = format; *at; at++) {
        const char *end = at + 1 + strspn(at + 1, "0123456789+-# .*hljzt");
        if (*at == '%' && at[1] == '%') {
            putchar(*++at);
        } else if (*at == '%' && *end && strchr("diouxXcspeEfFgGaA", *end)) {
            print_conversion(&p, at, end);
            at = end;
        } else {
            putchar(*at);
        }
    }
    w->row[ARGUMENT][lane] = (uint32_t)strlen(format);
}

// Executes malloc(). Every call makes an allocation, so that accesses past its end are found.
static void allocate(struct warp *w, int lane) {
    struct launch_state *l = w->block->launch;
    const uint64_t bytes = pair(w, ARGUMENT, lane);
    const uint64_t room = HEAP_BYTES - l->heap_used,
                   taken = (bytes + HEAP_UNIT - 1) / HEAP_UNIT * HEAP_UNIT;
    const uint64_t address =
        bytes <= room && taken <= room ? sim_allocate(l->memory, (int64_t)bytes) : 0;
    struct allocation *a = address ? memory_by_base(l->memory, address) : NULL;
    if (a) {
        a->heap = true;
        l->heap_used += taken;
        global_watch(l, a);
    }
    w->row[ARGUMENT][lane] = (uint32_t)address;
    w->row[ARGUMENT + 1][lane] = (uint32_t)(address >> 32);
}

static void release(struct launch_state *l, const struct allocation *a) {
    l->heap_used -= (a->size + HEAP_UNIT - 1) / HEAP_UNIT * HEAP_UNIT;
    sim_release(l->memory, a->base);
}

static void give_back(struct warp *w, uint32_t index, int lane) {
    struct launch_state *l = w->block->launch;
    const uint64_t address = pair(w, ARGUMENT, lane);
    const struct allocation *a = memory_find(l->memory, address, address);
    char where[192];
    if (a && a->heap && a->base == address) {
        release(l, a);
    } else if (a) {
        evidence_about(w, "global", address, 0, "frees")->facts = FACT_FREED;
        checks_report(
            w, REPORT_ADDRESS, index, lane, false,
            "frees 0x%llx, which malloc did not return: byte %llu of an allocation of %llu",
            (unsigned long long)address, (unsigned long long)(address - a->base),
            (unsigned long long)a->size);
    } else if (address) {
        memory_describe(l->memory, address, where, sizeof where);
        evidence_about(w, "global", address, 0, "frees")->facts = FACT_FREED;
        checks_report(w, REPORT_ADDRESS, index, lane, false, "frees 0x%llx: %s",
                      (unsigned long long)address, where);
    }
}

void system_release_heap(struct launch_state *l) {
    const struct allocation *a;
    for (int i = 0; (a = memory_at(l->memory, i)) != NULL;) {
        if (a->heap) {
            release(l, a);
        } else {
            i++;
        }
    }
}

static void fail_assertion(struct warp *w, uint32_t index, int lane) {
    char message[128], file[128], function[128];
    read_text(w, lane, pair(w, ARGUMENT, lane), message, sizeof message);
    read_text(w, lane, pair(w, ARGUMENT + 2, lane), file, sizeof file);
    read_text(w, lane, pair(w, ARGUMENT + 6, lane), function, sizeof function);
    checks_report(w, REPORT_TRAP, index, lane, true, "assertion `%s` failed in %s, %s:%u", message,
                  function, file, w->row[ARGUMENT + 4][lane]);
}

void system_call(struct warp *w, uint32_t index, uint32_t address, uint32_t mask) {
    const uint32_t function = address / STEP;
    w->acted = true;
    for (uint32_t rest = mask; rest && !w->block->launch->stop; rest &= rest - 1) {
        const int lane = first_lane(rest);
        if (function == PRINTF) print(w, lane);
        if (function == MALLOC) allocate(w, lane);
        if (function == FREE) give_back(w, index, lane);
        if (function == ASSERT_FAIL) fail_assertion(w, index, lane);
        if (function == UNKNOWN || function >= FUNCTIONS)
            checks_report(w, REPORT_UNKNOWN, index, lane, true,
                          "calls a function that is not in the cubin");
    }
}
