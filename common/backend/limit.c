// A time limit by SIGALRM: only a signal interrupts a call that blocks in the driver.
#include "limit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 300, FAILED = 1 };

static char message[256];

static void over(int signal) {
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit(FAILED);
}

void limit_begin(const char *what) {
    static unsigned seconds;
    if (!seconds) {
        const char *text = getenv("SGEMM_LIMIT");
        const int given = text ? atoi(text) : SECONDS;
        seconds = given > 0 ? (unsigned)given : SECONDS;
        signal(SIGALRM, over);
    }
    snprintf(message, sizeof message,
             "%.150s did not end on the GPU within %u s: SGEMM_LIMIT=SECONDS allows more time\n",
             what, seconds);
    alarm(seconds);
}

void limit_end(void) {
    alarm(0);
}
