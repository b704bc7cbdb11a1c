// sigaction() does nothing: the page ends a run by terminating its Worker, not by a signal.
#ifndef WASM_SIGNAL_H
#define WASM_SIGNAL_H

#include_next <signal.h>

enum { SA_RESETHAND };
struct sigaction {
    void (*sa_handler)(int);
    int sa_flags, sa_mask;
};
#define sigemptyset(set)               (void)(set)
#define sigaction(signal, action, old) (void)(action)

#endif
