// While a launch runs: a line on the terminal that says how far it is.
#include "machine.h"

#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER_MS = 2000, EVERY_MS = 500 };

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_begin(struct launch_state *l, bool shows) {
    l->started_ms = now_ms();
    l->shown_ms = shows && isatty(STDERR_FILENO) ? l->started_ms + FIRST_AFTER_MS - EVERY_MS : UINT64_MAX;
}

bool progress_is_long(const struct launch_state *l) {
    return now_ms() - l->started_ms >= FIRST_AFTER_MS;
}

// Any host thread; the first that finds it due.
void progress_show(struct launch_state *l) {
    uint64_t shown = __atomic_load_n(&l->shown_ms, __ATOMIC_RELAXED);
    if (shown == UINT64_MAX) return;
    const uint64_t now = now_ms();
    if (now < shown + EVERY_MS ||
        !__atomic_compare_exchange_n(&l->shown_ms, &shown, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    const double seconds = (double)(now - l->started_ms) / 1000;
    const uint64_t ended = __atomic_load_n(&l->ended, __ATOMIC_RELAXED);
    fprintf(stderr, "\r%s: %llu of %llu blocks in %.0f s", l->program->kernel->name, (unsigned long long)ended,
            (unsigned long long)l->blocks, seconds);
    if (ended)
        fprintf(stderr, ", %.1f a second, %.0f s left   ", (double)ended / seconds,
                seconds * (double)(l->blocks - ended) / (double)ended);
    fflush(stderr);
    l->line_shown = true;
}

void progress_clear(struct launch_state *l) {
    if (l->line_shown) fprintf(stderr, "\r%*s\r", 100, "");
    l->line_shown = false;
}
void progress_end(struct launch_state *l) {
    progress_clear(l);
}
