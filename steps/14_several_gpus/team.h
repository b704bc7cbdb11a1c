// The processes of a run: one with all GPUs of its host, or one per GPU, started by any launcher.
//
// A launcher tells each process its rank and the number of ranks by environment variables. team.c
// knows those of torchrun, Open MPI, MPICH and Slurm. The processes find each other by a file: rank
// 0 writes its address and NCCL's id to the file, and the other ranks read it and connect to rank
// 0. Over these connections they exchange a few numbers, e.g. times, and find the largest. If a
// process dies, the operating system closes its connection. A thread of rank 0 notices this and
// ends its own process with one line; the threads of the other ranks notice that in turn. Such a
// thread also ends its process if the GPUs do not finish in time.
#pragma once

#include <stdbool.h>

enum { TEAM_ID_BYTES = 128 };

struct team {
    int ranks;                       // number of ranks of all processes
    int first, count;                // first rank and number of ranks of this process
    int device;                      // device of rank `first`
    bool launched;                   // true if a launcher started one process per rank
    unsigned char id[TEAM_ID_BYTES]; // NCCL's id of the run
};

// Sets *team to what the launcher says; without a launcher, to one process with `gpus` ranks.
// Complains and returns false if the rank or the number of ranks is out of range.
bool team_find(struct team *team, int gpus);

// Connects the processes by `file`, which may be NULL if there is only one process. Rank 0 calls
// make_id() for NCCL's id. Complains and returns false if a process is missing after
// `limit_seconds`.
bool team_join(struct team *team, const char *file, double limit_seconds,
               bool (*make_id)(void *id));

// Starts the thread that watches. It ends this process with one line if another process dies, if
// `healthy` returns false (the line is backend_error()), or if a guarded section takes too long.
bool team_watch(bool (*healthy)(void));

// Begins a guarded section: the process is ended if the section takes longer than `limit_seconds`.
// Messages name it by `what`, e.g. "panels at 8192x8192x8192". If `what` is NULL, ends the section.
void team_guard(const char *what, double limit_seconds);

// Sets each of the values, at most 16, to the largest over all processes. So this is a barrier,
// too. Ends this process if another process is gone.
void team_largest(double *values, int count);

// Waits for all processes at the end of a successful run. After that, a process may end, and the
// others do not regard it as dead.
void team_leave(void);
