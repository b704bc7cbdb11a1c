// Ends the run at Ctrl-C.
#include "interrupt.h"
#include "../backend/backend.h"

#include <signal.h>
#include <stddef.h>

static void note(int signal_number) {
    backend_stop = 1;
}

void interrupt_install(void) {
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_seen(void) {
    return backend_stop != 0;
}
