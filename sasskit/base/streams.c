// Guards the three standard streams.
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// At exit: ends the program with status 1 if output was lost, for example on a full disk.
static void check_stdout(void) {
    errno = 0;
    const bool lost = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !lost) return;
    fprintf(stderr, "%s: standard output could not be written whole%s%s\n",
            program_invocation_short_name, errno ? ": " : "", errno ? strerror(errno) : "");
    _exit(EXIT_FAILURE);
}

// Opens each closed stream on /dev/null in the wrong direction, so that its use still fails.
static void hold_streams(void) {
    for (int stream = 0; stream < 3; stream++) {
        if (fcntl(stream, F_GETFD) >= 0) continue;
        const int file = open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
        if (file != stream) _exit(EXIT_FAILURE);
    }
}

void streams_guard(void) {
    hold_streams();
    signal(SIGXFSZ, SIG_IGN);
    atexit(check_stdout);
}
