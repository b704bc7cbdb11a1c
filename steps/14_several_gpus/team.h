// The processes of a run: one that has all GPUs of its host, or one a GPU, started by any launcher.
//
// A launcher tells each process its number and how many there are by environment variables (team.c has the table: torchrun's, Open
// MPI's, MPICH's, Slurm's). They meet by a file: rank 0 writes where it listens and NCCL's id, the others read it. From then on each
// holds a connection to rank 0. It carries the few numbers that are compared, and it is a lifeline: when a process dies, the kernel
// closes it, and a watching thread ends all the others with one line. The same thread ends a process whose GPUs do not come to an end
// in time.
#pragma once

#include <stdbool.h>

enum { TEAM_ID_BYTES = 128 };

struct team {
    int ranks, first, count; // of all processes; this process's
    int device;              // of its first rank
    bool launched;           // one rank a process
    unsigned char id[TEAM_ID_BYTES];
};

// What the launcher says; without one, a process with `gpus` ranks. Complains and returns false when that makes no sense.
bool team_find(struct team *team, int gpus);

// Meets the others by a file (NULL: none is needed where there is one process). make_id: of NCCL, called by rank 0. Complains and
// returns false, too when not all have come within `limit_seconds`.
bool team_join(struct team *team, const char *file, double limit_seconds, bool (*make_id)(void *id));

// Ends this process with one line when another one dies, when `healthy` says false (the line is backend_error()), or when a
// guarded stretch lasts longer than its limit.
bool team_watch(bool (*healthy)(void));
void team_guard(const char *what,
                double limit_seconds); // a stretch begins: "panels at 8192x8192x8192"; NULL: it is over

// The largest of each value (16 at most) over all processes, in all of them: a barrier, too. Ends this process when another is gone.
void team_largest(double *values, int count);

// At the end of a run that went well, in all processes: waits for the others; then nobody is missed any more.
void team_leave(void);
