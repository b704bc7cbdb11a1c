// Shows the progress of a running launch: on a terminal as a line that is updated, otherwise as one
// line on stderr if the launch will take long.
#include "progress.h"

#include <time.h>
#include <unistd.h>

enum { FIRST_AFTER_MS = 2000, EVERY_MS = 500, LONG_S = 600 };

static uint64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_begin(struct launch_state *l, bool shows) {
    l->started_ms = now_ms();
    l->shown_ms = shows ? l->started_ms + FIRST_AFTER_MS - EVERY_MS : UINT64_MAX;
}

bool progress_is_long(const struct launch_state *l) {
    return now_ms() - l->started_ms >= FIRST_AFTER_MS;
}

// Called by every host thread; the first one that finds the line due prints it.
void progress_show(struct launch_state *l) {
    uint64_t shown = __atomic_load_n(&l->shown_ms, __ATOMIC_RELAXED);
    if (shown == UINT64_MAX) return;
    const uint64_t now = now_ms();
    if (now < shown + EVERY_MS || !__atomic_compare_exchange_n(&l->shown_ms, &shown, now, false,
                                                               __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    const double seconds = (double)(now - l->started_ms) / 1000;
    const uint64_t ended = __atomic_load_n(&l->ended, __ATOMIC_RELAXED);
    const double left = ended ? seconds * (double)(l->blocks - ended) / (double)ended : 0;
    if (!isatty(STDERR_FILENO)) {
        if (!ended) return;
        if (left > LONG_S)
            fprintf(stderr,
                    "%s: %llu of %llu blocks in %.0f s, about %.0f minutes to go; Ctrl-C ends it\n",
                    l->program->kernel->name, (unsigned long long)ended,
                    (unsigned long long)l->blocks, seconds, left / 60);
        __atomic_store_n(&l->shown_ms, UINT64_MAX, __ATOMIC_RELAXED);
        return;
    }
    fprintf(stderr, "\r%s: %llu of %llu blocks in %.0f s", l->program->kernel->name,
            (unsigned long long)ended, (unsigned long long)l->blocks, seconds);
    if (ended) fprintf(stderr, ", %.1f a second, %.0f s left   ", (double)ended / seconds, left);
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
