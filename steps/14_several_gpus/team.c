// Connects the processes of a run, and watches them.
#include "team.h"
#include "backend/backend.h"
#include "harness/say.h"
#include "harness/statistics.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RANKS = 64, MOST_VALUES = 16, HOST_BYTES = 256, POLL_MS = 50 };

// Names of the environment variables by which launchers tell a process its rank: Open MPI's mpirun,
// MPICH's and Intel's mpirun, torchrun (or a user's own script), and srun.
static const struct launcher {
    const char *rank, *ranks;
    const char *local; // variable with the number of the rank on its host
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"},
    {"RANK", "WORLD_SIZE", "LOCAL_RANK"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"},
};

static struct team me = {.ranks = 1, .count = 1};

// The connections; -1 where there is none. On rank 0, sockets[r] is the connection to rank r. On
// every other rank, sockets[0] is the connection to rank 0.
static int sockets[MOST_RANKS];

static struct {
    pthread_t thread;
    bool runs;
    atomic_bool leaving;
    bool (*healthy)(void);
    pthread_mutex_t lock;

    // --- the guarded section
    char what[160]; // name of the section; "" if there is none
    double since, limit_seconds;
} watch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void nap(void) {
    nanosleep(&(struct timespec){0, 20000000}, NULL);
}

// --- this process --------------------------------------------------------------------------------

// Returns the value of an environment variable; -1 if the variable is missing or is not a number
// from 0 to INT_MAX.
static int number_from(const char *name) {
    const char *text = getenv(name);
    char *end;
    if (!text || !*text) return -1;
    const long value = strtol(text, &end, 10);
    return *end || value < 0 || value > INT_MAX ? -1 : (int)value;
}

bool team_find(struct team *team, int gpus) {
    *team = (struct team){.ranks = gpus, .count = gpus};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        const struct launcher *l = &launchers[i];
        const int rank = number_from(l->rank), ranks = number_from(l->ranks),
                  local = number_from(l->local);
        if (rank < 0 || ranks < 0) continue;
        if (ranks <= 1) break;
        if (rank >= ranks || ranks > MOST_RANKS)
            return say_error(
                "%s=%d, %s=%d: expected a rank below the number of ranks, and at most %d ranks",
                l->rank, rank, l->ranks, ranks, MOST_RANKS);
        *team = (struct team){.ranks = ranks,
                              .first = rank,
                              .count = 1,
                              .device = local < 0 ? rank : local,
                              .launched = true};
        break;
    }
    return true;
}

// --- the connections -----------------------------------------------------------------------------

static bool send_all(int socket, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
        if (sent <= 0 && errno != EINTR) return false;
        if (sent > 0) at += sent, size -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int socket, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        const ssize_t got = recv(socket, at, size, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) return false;
        if (got > 0) at += got, size -= (size_t)got;
    }
    return true;
}

// Listens on a free port. Returns the socket; -1 on failure.
static int open_port(int *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
        listen(listener, MOST_RANKS) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        say_error("rank 0 cannot listen for the others: %s", strerror(errno));
        if (listener >= 0) close(listener);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return listener;
}

// Writes the file of --meet, completely or not at all.
static bool write_file(const char *path, int port, const struct team *team) {
    char fresh[PATH_MAX + 16], host[HOST_BYTES] = "localhost";
    gethostname(host, sizeof host - 1);
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(fresh, "w");
    if (!file)
        return say_error(
            "--meet %s: %s: name a file in a folder that all processes can write and read", path,
            strerror(errno));
    fprintf(file, "%s %d %d ", host, port, team->ranks);
    for (int i = 0; i < TEAM_ID_BYTES; i++) fprintf(file, "%02x", team->id[i]);
    fprintf(file, "\n");
    if (fclose(file) == 0 && rename(fresh, path) == 0) return true;
    say_error("--meet %s: %s", path, strerror(errno));
    unlink(fresh);
    return false;
}

// Reads the file of --meet. Returns false if it is missing or incomplete.
static bool read_file(const char *path, char host[HOST_BYTES], int *port, struct team *team,
                      int *ranks) {
    char id[2 * TEAM_ID_BYTES + 1] = "";
    FILE *file = fopen(path, "r");
    if (!file) return false;
    const bool whole = fscanf(file, "%255s %d %d %256s", host, port, ranks, id) == 4 &&
                       strlen(id) == 2 * TEAM_ID_BYTES;
    fclose(file);
    for (int i = 0; whole && i < TEAM_ID_BYTES; i++) {
        unsigned byte = 0;
        sscanf(&id[2 * i], "%2x", &byte);
        team->id[i] = (unsigned char)byte;
    }
    return whole;
}

static int connect_to(const char *host, int port) {
    char mine[HOST_BYTES] = "", service[16];
    struct addrinfo *found = NULL;
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    gethostname(mine, sizeof mine - 1);
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(strcmp(mine, host) == 0 ? "127.0.0.1" : host, service, &wanted, &found) != 0)
        return -1;
    int line = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (line >= 0 && connect(line, found->ai_addr, found->ai_addrlen) != 0) {
        close(line);
        line = -1;
    }
    freeaddrinfo(found);
    return line;
}

// The first message that a process sends to rank 0. Rank 0 answers with one byte, 1. The id
// distinguishes this run from others.
struct hello {
    unsigned char id[TEAM_ID_BYTES];
    int32_t rank;
};

// Accepts one connection. Keeps it if it comes from a rank of this run that is not connected yet;
// otherwise closes it.
static void accept_one(int listener, const struct team *team, int *come) {
    struct hello hello;
    const int line = accept(listener, NULL, NULL);
    const char welcome = 1;
    if (line < 0) return;
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){2, 0}, sizeof(struct timeval));
    if (!receive_all(line, &hello, sizeof hello) ||
        memcmp(hello.id, team->id, sizeof hello.id) != 0 || hello.rank < 1 ||
        hello.rank >= team->ranks || sockets[hello.rank] >= 0 || !send_all(line, &welcome, 1)) {
        close(line);
        return;
    }
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 0}, sizeof(struct timeval));
    sockets[hello.rank] = line;
    (*come)++;
}

// On rank 0: writes the file, and waits until all other ranks have connected.
static bool receive_others(struct team *team, const char *file, double limit) {
    const double end = seconds_now() + limit;
    int port, come = 1;
    const int listener = open_port(&port);
    if (listener < 0) return false;
    const bool written = write_file(file, port, team);
    while (written && come < team->ranks && seconds_now() < end) {
        struct pollfd waiting = {.fd = listener, .events = POLLIN};
        if (poll(&waiting, 1, POLL_MS) > 0) accept_one(listener, team, &come);
    }
    close(listener);
    if (written) unlink(file);
    if (!written || come == team->ranks) return written;
    return say_error(
        "only %d of %d processes connected within %.0f s: start all of them, each with --meet %s",
        come, team->ranks, limit, file);
}

// On the other ranks: waits for the file, and connects to rank 0 at the address in it. If the file
// is left from an earlier run, no rank 0 answers, and the file is read again.
static bool connect_to_first(struct team *team, const char *file, double limit) {
    const double end = seconds_now() + limit;
    char host[HOST_BYTES];
    int port, ranks;
    for (; seconds_now() < end; nap()) {
        if (!read_file(file, host, &port, team, &ranks)) continue;
        struct hello hello = {.rank = team->first};
        memcpy(hello.id, team->id, sizeof hello.id);
        char welcome = 0;
        const int line = connect_to(host, port);
        if (line < 0) continue;
        setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){2, 0}, sizeof(struct timeval));
        if (send_all(line, &hello, sizeof hello) && receive_all(line, &welcome, 1) &&
            welcome == 1) {
            setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0, 0},
                       sizeof(struct timeval));
            sockets[0] = line;
            return true;
        }
        close(line);
    }
    return say_error("rank %d did not find rank 0 by --meet %s within %.0f s: start all processes, "
                     "each with this file",
                     team->first, file, limit);
}

bool team_join(struct team *team, const char *file, double limit, bool (*make_id)(void *id)) {
    for (int i = 0; i < MOST_RANKS; i++) sockets[i] = -1;
    if (team->launched && !file) {
        return say_error("a launcher started %d processes: add --meet FILE, by which they find "
                         "each other, in a folder that all of them can read and write",
                         team->ranks);
    }
    if (team->launched && team->first == 0 && !make_id(team->id))
        return say_error("%s", backend_error());
    if (team->launched &&
        !(team->first == 0 ? receive_others : connect_to_first)(team, file, limit))
        return false;
    for (int i = 0, on = 1; i < MOST_RANKS; i++) {
        if (sockets[i] >= 0) setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    me = *team;
    return true;
}

// --- the watch -----------------------------------------------------------------------------------

// Prints one line and ends the process with both of its threads.
static _Noreturn void end_process(const char *why) {
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending)) pause(); // the other thread is ending the process
    if (me.launched) {
        say_error("rank %d of %d: %s", me.first, me.ranks, why);
    } else {
        say_error("%s", why);
    }
    fflush(stdout);
    _exit(EXIT_FAILED);
}

// Ends the process if another process has closed its connection.
static void check_connections(void) {
    struct pollfd lines[MOST_RANKS];
    int ranks[MOST_RANKS], count = 0;
    char why[64];
    for (int i = 0; i < MOST_RANKS; i++) {
        if (sockets[i] < 0) continue;
        lines[count] = (struct pollfd){.fd = sockets[i], .events = POLLRDHUP};
        ranks[count++] = i;
    }
    if (poll(lines, (nfds_t)count, POLL_MS) <= 0) return;
    for (int i = 0; i < count; i++) {
        if (!(lines[i].revents & (POLLRDHUP | POLLHUP | POLLERR)) || atomic_load(&watch.leaving))
            continue;
        snprintf(why, sizeof why, "rank %d ended before its work was done: see what it printed",
                 ranks[i]);
        end_process(why);
    }
}

// Ends the process if the guarded section takes too long.
static void check_clock(void) {
    char why[320];
    pthread_mutex_lock(&watch.lock);
    const double seconds = seconds_now() - watch.since;
    const bool late = watch.what[0] && seconds > watch.limit_seconds;
    if (late) {
        snprintf(why, sizeof why,
                 "%s did not finish in %.0f s: a GPU or a rank hangs, or --limit is too short",
                 watch.what, watch.limit_seconds);
    }
    pthread_mutex_unlock(&watch.lock);
    if (late) end_process(why);
}

static void *keep_watch(void *nothing) {
    while (!atomic_load(&watch.leaving)) {
        check_connections();
        check_clock();
        pthread_mutex_lock(&watch.lock);
        const bool guarded = watch.what[0] != '\0';
        pthread_mutex_unlock(&watch.lock);
        if (guarded && watch.healthy && !watch.healthy()) end_process(backend_error());
    }
    return nothing;
}

bool team_watch(bool (*healthy)(void)) {
    watch.healthy = healthy;
    watch.runs = pthread_create(&watch.thread, NULL, keep_watch, NULL) == 0;
    return watch.runs || say_error("the thread that watches the run could not be started");
}

void team_guard(const char *what, double limit_seconds) {
    pthread_mutex_lock(&watch.lock);
    watch.limit_seconds = limit_seconds;
    snprintf(watch.what, sizeof watch.what, "%s", what ? what : "");
    watch.since = seconds_now();
    pthread_mutex_unlock(&watch.lock);
}

// --- numbers -------------------------------------------------------------------------------------

static void keep_largest(double *values, const double *others, int count) {
    for (int i = 0; i < count; i++) values[i] = others[i] > values[i] ? others[i] : values[i];
}

void team_largest(double *values, int count) {
    double theirs[MOST_VALUES];
    const size_t bytes = (size_t)count * sizeof *values;
    bool done = true;
    if (!me.launched) return;
    if (me.first > 0) {
        done = send_all(sockets[0], values, bytes) && receive_all(sockets[0], values, bytes);
    } else {
        for (int r = 1; done && r < me.ranks; r++) {
            done = receive_all(sockets[r], theirs, bytes);
            if (done) keep_largest(values, theirs, count);
        }
        for (int r = 1; done && r < me.ranks; r++) done = send_all(sockets[r], values, bytes);
    }
    if (!done) end_process("another rank ended before its work was done: see what it printed");
}

void team_leave(void) {
    double barrier = 0;
    // The barrier ensures that all processes have set `leaving` before one closes its connections.
    atomic_store(&watch.leaving, true);
    team_largest(&barrier, 1);
    if (watch.runs) pthread_join(watch.thread, NULL);
    watch.runs = false;
    for (int i = 0; i < MOST_RANKS; i++) {
        if (me.launched && sockets[i] >= 0) close(sockets[i]);
        sockets[i] = -1;
    }
}
