// The engine on the simulator, a test double of several devices. All devices are one simulator with
// one memory, and run one after the other. An operation runs as soon as it is put into a stream. A
// collective runs in end(), when all ranks have called it: it copies or adds on the host, and
// counts the bytes that pass from rank to rank. This engine has no clock.
#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = ENGINE_MOST_RANKS };
enum call_kind { EXCHANGE, GATHER, BROADCAST, REDUCE_SCATTER };

struct engine_call {
    enum call_kind kind;
    int group, root, target, source;
    device_pointer from, to;
    int64_t send, receive;
    bool called;
};

static struct engine_plan plan;
static int grid_cols;
static struct engine_call calls[MOST_CALLS];
static int64_t bytes_in[ENGINE_MOST_RANKS];

static enum backend_status sim_open(const struct engine_plan *wanted, struct device_info *info) {
    plan = *wanted;
    grid_cols = plan.ranks;
    memset(bytes_in, 0, sizeof bytes_in);
    if (plan.count == plan.ranks) return backend_sim.open(info);
    backend_fail("the simulator's devices must be in one process: start one, with --gpus %d",
                 plan.ranks);
    return BACKEND_FAILED;
}

static void sim_close(void) {
    backend_sim.close();
}

static int sim_devices(void) {
    return ENGINE_MOST_RANKS;
}

static bool sim_make_id(void *id) {
    memset(id, 0, ENGINE_ID_BYTES);
    return true;
}

static const char *sim_transport(void) {
    return "plain copies (test double)";
}

static bool sim_arrange(int rows, int cols, int channels) {
    grid_cols = cols;
    return true;
}

static bool sim_select(int local) {
    return true;
}

// Copies bytes to a rank. Counts them as received if they come from another rank.
static bool move(int to_rank, device_pointer to, int from_rank, device_pointer from,
                 int64_t bytes) {
    if (to_rank != from_rank) bytes_in[to_rank] += bytes;
    return bytes == 0 || backend_sim.on_device(to, from, bytes);
}

static bool sim_copy(int local, int stream, struct strip to, int from_local, struct strip from,
                     int64_t row_bytes, int64_t rows) {
    for (int64_t r = 0; r < rows; r++) {
        if (!move(local, to.at + (uint64_t)(r * to.pitch), from_local,
                  from.at + (uint64_t)(r * from.pitch), row_bytes))
            return false;
    }
    return true;
}

static bool sim_begin(void) {
    memset(calls, 0, sizeof calls);
    return true;
}

static bool call(int local, struct engine_call made) {
    if (calls[local].called) return backend_fail("rank %d called two collectives at once", local);
    calls[local] = made;
    calls[local].called = true;
    return true;
}

static bool sim_exchange(int local, device_pointer from, int64_t send, int target,
                         device_pointer to, int64_t receive, int source) {
    return call(local, (struct engine_call){.kind = EXCHANGE,
                                            .from = from,
                                            .send = send,
                                            .target = target,
                                            .to = to,
                                            .receive = receive,
                                            .source = source});
}

static bool sim_gather(int local, device_pointer all, int64_t each) {
    return call(local, (struct engine_call){.kind = GATHER, .to = all, .receive = each});
}

static bool sim_broadcast(int local, int group, int root, device_pointer from, device_pointer to,
                          int64_t count) {
    return call(local, (struct engine_call){.kind = BROADCAST,
                                            .group = group,
                                            .root = root,
                                            .from = from,
                                            .to = to,
                                            .receive = count});
}

static bool sim_reduce_scatter(int local, device_pointer from, device_pointer to, int64_t each) {
    return call(local, (struct engine_call){
                           .kind = REDUCE_SCATTER, .from = from, .to = to, .receive = each});
}

// Returns the rank that has number `number` in the group of rank `rank`.
static int member(int rank, int group, int number) {
    const int row = rank / grid_cols, col = rank % grid_cols;
    return group == 1 ? row * grid_cols + number : group == 2 ? number * grid_cols + col : number;
}

// Copies what rank c->source sends. If this rank receives anything, fails if c->source does not
// send to it, or sends another number of floats.
static bool do_exchange(int rank, const struct engine_call *c) {
    if (c->receive == 0) return true;
    const struct engine_call *from = &calls[c->source];
    if (from->target != rank || from->send != c->receive) {
        return backend_fail(
            "rank %d receives %lld floats from rank %d, but that sends %lld to rank %d", rank,
            (long long)c->receive, c->source, (long long)from->send, from->target);
    }
    return move(rank, c->to, c->source, from->from, 4 * c->receive);
}

static bool do_gather(int rank, const struct engine_call *c) {
    for (int r = 0; r < plan.ranks; r++) {
        const uint64_t offset = (uint64_t)(4 * c->receive * r);
        if (calls[r].receive != c->receive)
            return backend_fail("ranks %d and %d gather shares of different sizes", r, rank);
        if (r != rank && !move(rank, c->to + offset, r, calls[r].to + offset, 4 * c->receive))
            return false;
    }
    return true;
}

static bool do_broadcast(int rank, const struct engine_call *c) {
    const int root = member(rank, c->group, c->root);
    if (calls[root].receive != c->receive || calls[root].root != c->root)
        return backend_fail("ranks %d and %d call a broadcast with different sizes or roots", rank,
                            root);
    return root == rank || move(rank, c->to, root, calls[root].from, 4 * c->receive);
}

// Adds up the ranks' parts in the order of the ranks, on the host.
static bool do_reduce_scatter(int rank, const struct engine_call *c) {
    const int64_t bytes = 4 * c->receive;
    float *sum = calloc((size_t)c->receive + 1, sizeof *sum), *part = malloc((size_t)bytes + 1);
    bool done = (sum && part) || backend_fail("not enough host memory");
    for (int r = 0; done && r < plan.ranks; r++) {
        done = bytes == 0 ||
               backend_sim.to_host(part, calls[r].from + (uint64_t)(bytes * rank), bytes);
        for (int64_t i = 0; done && i < c->receive; i++)
            sum[i] = r == 0 ? part[i] : sum[i] + part[i];
        if (r != rank) bytes_in[rank] += bytes;
    }
    done = done && (bytes == 0 || backend_sim.to_device(c->to, sum, bytes));
    free(sum);
    free(part);
    return done;
}

static bool sim_end(void) {
    static bool (*const run[])(int, const struct engine_call *) = {do_exchange, do_gather,
                                                                   do_broadcast, do_reduce_scatter};
    for (int r = 0; r < plan.ranks; r++) {
        if (!calls[r].called || calls[r].kind != calls[0].kind)
            return backend_fail("rank %d and rank 0 call different collectives", r);
    }
    for (int r = 0; r < plan.ranks; r++) {
        if (!run[calls[r].kind](r, &calls[r])) return false;
    }
    return true;
}

static bool sim_event(int local, int stream, int number) {
    return true;
}

static bool sim_elapsed(int local, int from, int to, double *milliseconds) {
    *milliseconds = NAN;
    return true;
}

static bool sim_nothing(void) {
    return true;
}

static int64_t sim_received(int local) {
    return bytes_in[local];
}

const struct gpu_engine engine_sim = {.name = "sim",
                                      .backend = &backend_sim,
                                      .open = sim_open,
                                      .close = sim_close,
                                      .devices = sim_devices,
                                      .make_id = sim_make_id,
                                      .transport = sim_transport,
                                      .arrange = sim_arrange,
                                      .select = sim_select,
                                      .copy = sim_copy,
                                      .begin = sim_begin,
                                      .exchange = sim_exchange,
                                      .gather = sim_gather,
                                      .broadcast = sim_broadcast,
                                      .reduce_scatter = sim_reduce_scatter,
                                      .end = sim_end,
                                      .mark = sim_event,
                                      .wait = sim_event,
                                      .elapsed = sim_elapsed,
                                      .finish = sim_nothing,
                                      .healthy = sim_nothing,
                                      .received = sim_received};
