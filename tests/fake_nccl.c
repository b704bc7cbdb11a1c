// A fake NCCL: ranks exchange data through files in a folder that the id names, whether they are in
// one process or in several. Built as libnccl.so.2, beside the fake driver (fake_cuda.c), it lets
// the tests run whole programs without a GPU.
// A call does its work before it returns; a group does its work when it ends. A call waits for ever
// for a rank that never comes, as NCCL's kernels do. Sizes must agree, and a call must be
// made on its communicator's device: in both the fake is stricter than NCCL.
//
// FAKE_NCCL in the environment chooses a fault: error (asynchronous, after five calls or groups),
// flip (reduce-scatter gives other bits each time), lose (an exchange sends only its first
// element).
#include "../steps/14_several_gpus/nccl.h"

#include <cuda.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_CALLS = 1024,
    MOST_RANKS = 64,
    INVALID_ARGUMENT = 4,
    INVALID_USAGE = 5,
    SYSTEM_ERROR = 2
};

struct ncclComm {
    char folder[100];
    int rank, ranks, calls, device;
};

enum kind { JOIN, SPLIT, GATHER, SCATTER, BROADCAST, SEND, RECEIVE };

struct call {
    enum kind kind;
    ncclComm_t comm, *made;
    const void *from;
    void *to;
    size_t count;
    int number, peer, color, key;
};

static struct call calls[MOST_CALLS];
static int call_count, depth, collectives;
static const char *trouble = "";

static int mode_is(const char *name) {
    const char *mode = getenv("FAKE_NCCL");
    return mode && strcmp(mode, name) == 0;
}

// Returns the device of the current context, by the fake driver.
static int current_device(void) {
    CUcontext context = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    CUresult (*get)(CUcontext *) = NULL;
    if (driver) *(void **)&get = dlsym(driver, "cuCtxGetCurrent");
    if (get) get(&context);
    if (driver) dlclose(driver);
    return (int)(uintptr_t)context;
}

static int fail(int code, const char *why) {
    trouble = why;
    return code;
}

static void name_of(char path[PATH_MAX], const struct call *c, int rank, int target) {
    snprintf(path, PATH_MAX, "%s/%d.%d.%d.%d", c->comm->folder, c->number,
             (int)(c->kind == RECEIVE ? SEND : c->kind), rank, target);
}

static int publish(const struct call *c, int target, const void *data, size_t bytes) {
    char path[PATH_MAX], fresh[PATH_MAX + 8];
    name_of(path, c, c->comm->rank, target);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    FILE *file = fopen(fresh, "wb");
    if (!file) return fail(SYSTEM_ERROR, "the fake's folder cannot be written");
    fwrite(data, 1, bytes, file);
    fclose(file);
    rename(fresh, path);
    return ncclSuccess;
}

// Waits until a rank's file exists, then reads `bytes` of its `whole` bytes from `offset`.
static int fetch(const struct call *c, int rank, int target, size_t offset, void *to, size_t bytes,
                 size_t whole) {
    char path[PATH_MAX];
    struct stat there;
    name_of(path, c, rank, target);
    while (stat(path, &there) != 0) usleep(1000);
    if ((size_t)there.st_size != whole)
        return fail(INVALID_ARGUMENT, "two ranks want different sizes");
    FILE *file = fopen(path, "rb");
    if (!file) return fail(SYSTEM_ERROR, "the fake's folder cannot be read");
    fseek(file, (long)offset, SEEK_SET);
    const size_t got = fread(to, 1, bytes, file);
    fclose(file);
    return got == bytes ? ncclSuccess : fail(SYSTEM_ERROR, "a part is short");
}

static int send_part(const struct call *c) {
    const int about[] = {c->color, c->key};
    switch (c->kind) {
    case JOIN:
    case SPLIT:
        return publish(c, 0, about, sizeof about);
    case GATHER:
        return publish(c, 0, c->from, 4 * c->count);
    case SCATTER:
        return publish(c, 0, c->from, 4 * c->count * (size_t)c->comm->ranks);
    case BROADCAST:
        return c->comm->rank == c->peer ? publish(c, 0, c->from, 4 * c->count) : ncclSuccess;
    case SEND:
        return publish(c, c->peer, c->from, mode_is("lose") ? 4 : 4 * c->count);
    default:
        return ncclSuccess;
    }
}

static int take_scatter(const struct call *c) {
    float *sum = c->to, *part = malloc(4 * c->count + 1);
    int result = ncclSuccess;
    for (int r = 0; result == ncclSuccess && r < c->comm->ranks; r++) {
        result = fetch(c, r, 0, 4 * c->count * (size_t)c->comm->rank, part, 4 * c->count,
                       4 * c->count * (size_t)c->comm->ranks);
        for (size_t i = 0; i < c->count; i++) sum[i] = r == 0 ? part[i] : sum[i] + part[i];
    }
    if (mode_is("flip") && c->count > 0) sum[0] *= 1 + 1e-7f * (float)(collectives % 2);
    free(part);
    return result;
}

// Makes a communicator of the ranks with the caller's colour, in the order of their keys.
static int take_split(const struct call *c) {
    struct ncclComm *made = *c->made;
    int all[MOST_RANKS][2];
    made->rank = made->ranks = 0;
    for (int r = 0; r < c->comm->ranks; r++) {
        const int result = fetch(c, r, 0, 0, all[r], sizeof all[r], sizeof all[r]);
        if (result != ncclSuccess) return result;
    }
    for (int r = 0; r < c->comm->ranks; r++) {
        if (all[r][0] != c->color) continue;
        made->ranks++;
        made->rank += all[r][1] < c->key;
    }
    snprintf(made->folder, sizeof made->folder, "%.80s/s%d.%d", c->comm->folder, c->number,
             c->color);
    mkdir(made->folder, 0777);
    return ncclSuccess;
}

static int take_part(const struct call *c) {
    int result = ncclSuccess, about[2];
    switch (c->kind) {
    case JOIN:
        for (int r = 0; result == ncclSuccess && r < c->comm->ranks; r++)
            result = fetch(c, r, 0, 0, about, sizeof about, sizeof about);
        return result;
    case SPLIT:
        return take_split(c);
    case GATHER:
        for (int r = 0; result == ncclSuccess && r < c->comm->ranks; r++)
            result = fetch(c, r, 0, 0, (char *)c->to + 4 * c->count * (size_t)r, 4 * c->count,
                           4 * c->count);
        return result;
    case SCATTER:
        return take_scatter(c);
    case BROADCAST:
        return c->comm->rank == c->peer
                   ? ncclSuccess
                   : fetch(c, c->peer, 0, 0, c->to, 4 * c->count, 4 * c->count);
    case RECEIVE:
        return fetch(c, c->peer, c->comm->rank, 0, c->to, 4 * c->count, 4 * c->count);
    default:
        return ncclSuccess;
    }
}

static int run_calls(void) {
    int result = ncclSuccess;
    for (int i = 0; i < call_count && result == ncclSuccess; i++) result = send_part(&calls[i]);
    for (int i = 0; i < call_count && result == ncclSuccess; i++) result = take_part(&calls[i]);
    call_count = 0;
    collectives++;
    return result;
}

// Collective calls are numbered here. Messages have their own numbers (numbered()), since a rank
// may send without receiving.
static int enter(struct call c) {
    if (call_count == MOST_CALLS) return fail(INVALID_USAGE, "too many calls in a group");
    if (c.comm->device != current_device())
        return fail(INVALID_USAGE, "a call on another device than its communicator's");
    c.number = c.kind == SEND || c.kind == RECEIVE ? 0 : c.comm->calls++;
    calls[call_count++] = c;
    return depth ? ncclSuccess : run_calls();
}

int ncclGetVersion(int *version) {
    *version = 21800;
    return ncclSuccess;
}

int ncclGetUniqueId(ncclUniqueId *id) {
    const char *folder = getenv("TMPDIR");
    memset(id, 0, sizeof *id);
    snprintf(id->internal, sizeof id->internal, "%.60s/fake_nccl_XXXXXX", folder ? folder : "/tmp");
    return mkdtemp(id->internal) ? ncclSuccess : fail(SYSTEM_ERROR, "no folder");
}

static int config_is_wrong(const struct nccl_config *config) {
    return config->size != sizeof *config || config->magic != 0xcafebeef ||
           config->version != NCCL_CONFIG_VERSION;
}

int ncclCommInitRankConfig(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                           struct nccl_config *config) {
    if (config_is_wrong(config)) return fail(INVALID_ARGUMENT, "a configuration of no version");
    *comm = calloc(1, sizeof **comm);
    **comm = (struct ncclComm){.rank = rank, .ranks = ranks, .device = current_device()};
    snprintf((*comm)->folder, sizeof(*comm)->folder, "%.99s", id.internal);
    return enter((struct call){.kind = JOIN, .comm = *comm});
}

int ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *part,
                  struct nccl_config *config) {
    if (config_is_wrong(config)) return fail(INVALID_ARGUMENT, "a configuration of no version");
    *part = calloc(1, sizeof **part);
    (*part)->device = current_device();
    return enter(
        (struct call){.kind = SPLIT, .comm = comm, .made = part, .color = color, .key = key});
}

int ncclCommDestroy(ncclComm_t comm) {
    free(comm);
    return ncclSuccess;
}

int ncclCommGetAsyncError(ncclComm_t comm, int *error) {
    *error = ncclSuccess;
    if (mode_is("error") && collectives > 4) *error = fail(SYSTEM_ERROR, "the fake's link is down");
    return ncclSuccess;
}

const char *ncclGetErrorString(int result) {
    return result == INVALID_ARGUMENT ? "invalid argument"
           : result == INVALID_USAGE  ? "invalid usage"
                                      : "unhandled system error";
}

const char *ncclGetLastError(ncclComm_t comm) {
    return trouble;
}

int ncclAllGather(const void *from, void *to, size_t each, int type, ncclComm_t comm,
                  void *stream) {
    return enter(
        (struct call){.kind = GATHER, .comm = comm, .from = from, .to = to, .count = each});
}

int ncclReduceScatter(const void *from, void *to, size_t each, int type, int op, ncclComm_t comm,
                      void *stream) {
    return enter(
        (struct call){.kind = SCATTER, .comm = comm, .from = from, .to = to, .count = each});
}

int ncclBroadcast(const void *from, void *to, size_t count, int type, int root, ncclComm_t comm,
                  void *stream) {
    return enter((struct call){
        .kind = BROADCAST, .comm = comm, .from = from, .to = to, .count = count, .peer = root});
}

// Numbers the messages from one rank to another; sender and receiver both count them.
static int numbered(struct call c, int from, int to) {
    static struct {
        char folder[100];
        int from, to, count[2];
    } pairs[4096];
    for (int i = 0; i < 4096; i++) {
        if (!pairs[i].folder[0]) {
            snprintf(pairs[i].folder, sizeof pairs[i].folder, "%s", c.comm->folder);
            pairs[i].from = from;
            pairs[i].to = to;
        }
        if (strcmp(pairs[i].folder, c.comm->folder) != 0 || pairs[i].from != from ||
            pairs[i].to != to)
            continue;
        const int result = enter(c);
        if (call_count > 0)
            calls[call_count - 1].number = 1000000 + pairs[i].count[c.kind == SEND]++;
        return result;
    }
    return fail(INVALID_USAGE, "too many pairs");
}

int ncclSend(const void *from, size_t count, int type, int peer, ncclComm_t comm, void *stream) {
    if (!depth) return fail(INVALID_USAGE, "the fake sends within groups only");
    return numbered(
        (struct call){.kind = SEND, .comm = comm, .from = from, .count = count, .peer = peer},
        comm->rank, peer);
}

int ncclRecv(void *to, size_t count, int type, int peer, ncclComm_t comm, void *stream) {
    if (!depth) return fail(INVALID_USAGE, "the fake receives within groups only");
    return numbered(
        (struct call){.kind = RECEIVE, .comm = comm, .to = to, .count = count, .peer = peer}, peer,
        comm->rank);
}

int ncclGroupStart(void) {
    depth++;
    return ncclSuccess;
}

int ncclGroupEnd(void) {
    return --depth ? ncclSuccess : run_calls();
}
