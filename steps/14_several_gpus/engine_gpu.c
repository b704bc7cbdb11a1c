// The engine for GPUs: the CUDA driver for kernels, streams and copies, NCCL for collectives.
//
// Stream 0 is the default stream of a device's context, in which the gpu backend launches. Stream 1
// does not synchronize with stream 0 and has the highest priority. Each group of ranks has a
// communicator, which is split off from the communicator of all ranks.
#include "backend/driver.h"
#include "backend/gpu.h"
#include "backend/nvml.h"
#include "engine.h"
#include "nccl.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { GROUPS = 3, MOST_EVENTS = 4096 };

struct rank {
    CUstream travel;
    ncclComm_t all, comms[GROUPS];
    CUevent events[MOST_EVENTS];
};

static struct engine_plan plan;
static struct rank ranks[ENGINE_MOST_RANKS]; // the ranks of this process, plan.count of them
// the grid for which `comms` were made; `rows` is 0 if there are none
static struct { int rows, cols, channels; } arranged;

// True while `comms` may be used. `joining` protects this variable, because gpu_healthy() runs in
// another thread.
static bool all_joined;
static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;

static bool select_device(int local) {
    return gpu_select(plan.device + local);
}

static CUstream stream_of(int local, int stream) {
    return stream == 0 ? NULL : ranks[local].travel;
}

// Returns true if a device can read the memory of the process's other devices; otherwise sets
// backend_error().
static bool check_peers(int local) {
    for (int other = 0; other < plan.count; other++) {
        int can = 0;
        if (other == local) continue;
        cuda(cuDeviceCanAccessPeer)(&can, plan.device + local, plan.device + other);
        if (!can) {
            return backend_fail(
                "device %d cannot read the memory of device %d (no peer access; `nvidia-smi topo "
                "-p2p r` shows which devices can): choose another --variant than copies, which "
                "needs it",
                plan.device + local, plan.device + other);
        }
    }
    return true;
}

static bool enable_peers(int local) {
    for (int other = 0; other < plan.count; other++) {
        CUcontext context = NULL;
        if (other == local) continue;
        if (!driver_did(cuDevicePrimaryCtxRetain, (&context, plan.device + other)) ||
            !select_device(local)) {
            return false;
        }
        const CUresult result = cuda(cuCtxEnablePeerAccess)(context, 0);
        cuda(cuDevicePrimaryCtxRelease)(plan.device + other);
        if (result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED &&
            !driver_ok(result, "cuCtxEnablePeerAccess"))
            return false;
    }
    return true;
}

static bool make_stream(int local) {
    int least = 0, greatest = 0;
    return select_device(local) && driver_did(cuCtxGetStreamPriorityRange, (&least, &greatest)) &&
           driver_did(cuStreamCreateWithPriority,
                      (&ranks[local].travel, CU_STREAM_NON_BLOCKING, greatest));
}

// Returns a configuration without clusters. By default, NCCL launches clusters of four blocks. Such
// a cluster starts only when one GPC has room for all four. The SMs that a product leaves free may
// lie in different GPCs, so the cluster would wait until the product ends.
static struct nccl_config config(int channels) {
    return (struct nccl_config){.size = sizeof(struct nccl_config),
                                .magic = (unsigned)NCCL_MAGIC,
                                .version = NCCL_CONFIG_VERSION,
                                .blocking = NCCL_UNDEFINED,
                                .cluster_size = 0,
                                .min_ctas = NCCL_UNDEFINED,
                                .max_ctas = channels > 0 ? channels : NCCL_UNDEFINED,
                                .net_name = NULL,
                                .split_share = NCCL_UNDEFINED,
                                .traffic_class = NCCL_UNDEFINED};
}

// begin() makes NCCL queue the calls that follow; end() makes them for all local ranks together.
static bool begin(void) {
    return nccl_ok(nccl.group_start(), "ncclGroupStart");
}

static bool end(void) {
    return nccl_ok(nccl.group_end(), "ncclGroupEnd");
}

static bool join_all(void) {
    ncclUniqueId id;
    if (plan.id) memcpy(&id, plan.id, sizeof id);
    if (!plan.id && !nccl_ok(nccl.get_unique_id(&id), "ncclGetUniqueId")) return false;
    struct nccl_config wanted = config(0);
    if (!begin()) return false;
    for (int i = 0; i < plan.count; i++) {
        if (!select_device(i) ||
            !nccl_ok(nccl.init_rank(&ranks[i].all, plan.ranks, id, plan.first + i, &wanted),
                     "ncclCommInitRankConfig"))
            return false;
    }
    return end();
}

static void leave(int local, ncclComm_t *comm) {
    if (*comm && select_device(local)) nccl.destroy(*comm);
    *comm = NULL;
}

static void set_joined(bool joined) {
    pthread_mutex_lock(&joining);
    all_joined = joined;
    pthread_mutex_unlock(&joining);
}

static void leave_groups(void) {
    set_joined(false);
    for (int i = 0; i < plan.count; i++) {
        for (int g = 0; g < GROUPS; g++) leave(i, &ranks[i].comms[g]);
    }
    arranged.rows = 0;
}

// Makes the communicators of group number `group`. Each has the ranks with equal `color`, in the
// order of `key`.
static bool split(int group, int cols, struct nccl_config *wanted) {
    if (!begin()) return false;
    for (int i = 0; i < plan.count; i++) {
        const int rank = plan.first + i, row = rank / cols, col = rank % cols;
        const int color = group == 0   ? 0
                          : group == 1 ? row
                                       : col,
                  key = group == 0   ? rank
                        : group == 1 ? col
                                     : row;
        if (!select_device(i) ||
            !nccl_ok(nccl.split(ranks[i].all, color, key, &ranks[i].comms[group], wanted),
                     "ncclCommSplit")) {
            return false;
        }
    }
    return end();
}

static bool gpu_arrange(int rows, int cols, int channels) {
    if (!ranks[0].all ||
        (rows == arranged.rows && cols == arranged.cols && channels == arranged.channels))
        return true;
    struct nccl_config wanted = config(channels);
    leave_groups();
    for (int group = 0; group < GROUPS; group++) {
        if (!split(group, cols, &wanted)) return false;
    }
    arranged.rows = rows;
    arranged.cols = cols;
    arranged.channels = channels;
    set_joined(true);
    return true;
}

static enum backend_status gpu_open(const struct engine_plan *wanted, struct device_info *info) {
    plan = *wanted;
    gpu_begin_with(plan.device);
    const enum backend_status status = backend_gpu.open(info);
    if (status != BACKEND_READY) return status;
    const int there = gpu_count();
    if (plan.device + plan.count > there) {
        backend_fail(
            "%d GPUs are required from device %d on, but this host shows %d: check nvidia-smi and "
            "CUDA_VISIBLE_DEVICES, or choose fewer with --gpus",
            plan.count, plan.device, there);
        return BACKEND_FAILED;
    }
    if (!gpu_alike(plan.device, plan.count)) return BACKEND_FAILED;
    for (int i = 0; i < plan.count; i++) {
        if (!make_stream(i)) return BACKEND_FAILED;
        if (plan.peers && (!check_peers(i) || !enable_peers(i))) return BACKEND_FAILED;
    }
    if (!plan.collectives || plan.ranks == 1) return BACKEND_READY;
    return nccl_load() && join_all() ? BACKEND_READY : BACKEND_FAILED;
}

static void gpu_close(void) {
    leave_groups();
    for (int i = 0; i < plan.count; i++) {
        leave(i, &ranks[i].all);
        if (!ranks[i].travel || !select_device(i)) continue;
        for (int e = 0; e < MOST_EVENTS; e++) {
            if (ranks[i].events[e]) cuda(cuEventDestroy)(ranks[i].events[e]);
        }
        cuda(cuStreamDestroy)(ranks[i].travel);
    }
    memset(ranks, 0, sizeof ranks);
    nccl_unload();
    backend_gpu.close();
}

static bool gpu_make_id(void *id) {
    return nccl_load() && nccl_ok(nccl.get_unique_id(id), "ncclGetUniqueId");
}

static const char *gpu_transport(void) {
    static char text[64];
    const int version = nccl_version();
    snprintf(text, sizeof text, "NCCL %d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    return version ? text : "copies between devices";
}

// Copies by one driver call. All devices share one address space, so an address names its device.
static bool gpu_copy(int local, int stream, struct strip to, int from_local, struct strip from,
                     int64_t row_bytes, int64_t rows) {
    const CUDA_MEMCPY2D what = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .srcDevice = from.at,
                                .srcPitch = (size_t)from.pitch,
                                .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                                .dstDevice = to.at,
                                .dstPitch = (size_t)to.pitch,
                                .WidthInBytes = (size_t)row_bytes,
                                .Height = (size_t)rows};
    if (row_bytes == 0 || rows == 0) return true;
    if (!select_device(local)) return false;
    if (from.pitch == row_bytes && to.pitch == row_bytes) {
        return driver_did(cuMemcpyDtoDAsync,
                          (to.at, from.at, (size_t)(row_bytes * rows), stream_of(local, stream)));
    }
    return driver_did(cuMemcpy2DAsync, (&what, stream_of(local, stream)));
}

static void *address(device_pointer at) {
    return (void *)(uintptr_t)at;
}

static bool gpu_exchange(int local, device_pointer from, int64_t send, int target,
                         device_pointer to, int64_t receive, int source) {
    const struct rank *r = &ranks[local];
    return select_device(local) &&
           (send == 0 || nccl_ok(nccl.send(address(from), (size_t)send, ncclFloat, target,
                                           r->comms[0], r->travel),
                                 "ncclSend")) &&
           (receive == 0 || nccl_ok(nccl.receive(address(to), (size_t)receive, ncclFloat, source,
                                                 r->comms[0], r->travel),
                                    "ncclRecv"));
}

static bool gpu_gather(int local, device_pointer all, int64_t each) {
    const struct rank *r = &ranks[local];
    const device_pointer mine = all + (uint64_t)(4 * each * (plan.first + local));
    return select_device(local) &&
           nccl_ok(nccl.all_gather(address(mine), address(all), (size_t)each, ncclFloat,
                                   r->comms[0], r->travel),
                   "ncclAllGather");
}

static bool gpu_broadcast(int local, int group, int root, device_pointer from, device_pointer to,
                          int64_t count) {
    const struct rank *r = &ranks[local];
    return select_device(local) &&
           nccl_ok(nccl.broadcast(address(from), address(to), (size_t)count, ncclFloat, root,
                                  r->comms[group], r->travel),
                   "ncclBroadcast");
}

static bool gpu_reduce_scatter(int local, device_pointer from, device_pointer to, int64_t each) {
    const struct rank *r = &ranks[local];
    return select_device(local) &&
           nccl_ok(nccl.reduce_scatter(address(from), address(to), (size_t)each, ncclFloat, ncclSum,
                                       r->comms[0], r->travel),
                   "ncclReduceScatter");
}

static bool make_event(int local, int number) {
    if (number < 0 || number >= MOST_EVENTS) {
        return backend_fail("the schedule needs more than %d events: choose a larger --panel",
                            MOST_EVENTS);
    }
    CUevent *event = &ranks[local].events[number];
    return select_device(local) && (*event || driver_did(cuEventCreate, (event, CU_EVENT_DEFAULT)));
}

static bool gpu_mark(int local, int stream, int number) {
    return make_event(local, number) &&
           driver_did(cuEventRecord, (ranks[local].events[number], stream_of(local, stream)));
}

static bool gpu_wait(int local, int stream, int number) {
    return make_event(local, number) &&
           driver_did(cuStreamWaitEvent,
                      (stream_of(local, stream), ranks[local].events[number], 0));
}

static bool gpu_elapsed(int local, int from, int to, double *milliseconds) {
    float value = 0;
    const struct rank *r = &ranks[local];
    if (!select_device(local) ||
        !driver_did(cuEventElapsedTime, (&value, r->events[from], r->events[to]))) {
        return false;
    }
    *milliseconds = value;
    return true;
}

static bool is_healthy(ncclComm_t comm) {
    int error = ncclSuccess;
    const int result = nccl.async_error(comm, &error);
    if (result != ncclSuccess) return nccl_ok(result, "ncclCommGetAsyncError");
    return error == ncclInProgress || nccl_ok(error, "NCCL's communication between the GPUs");
}

static bool gpu_healthy(void) {
    bool healthy = true;
    pthread_mutex_lock(&joining);
    for (int i = 0; all_joined && healthy && i < plan.count * GROUPS; i++)
        healthy = is_healthy(ranks[i / GROUPS].comms[i % GROUPS]);
    pthread_mutex_unlock(&joining);
    return healthy;
}

static bool gpu_finish(void) {
    for (int i = 0; i < plan.count; i++) {
        if (!select_device(i) || !driver_did(cuStreamSynchronize, (ranks[i].travel)) ||
            !driver_did(cuCtxSynchronize, ())) {
            return false;
        }
    }
    return gpu_healthy();
}

static int64_t gpu_received(int local) {
    char bus_id[32];
    if (cuda(cuDeviceGetPCIBusId)(bus_id, sizeof bus_id, plan.device + local) != CUDA_SUCCESS)
        return -1;
    return nvml_received(bus_id);
}

const struct gpu_engine engine_gpu = {.name = "gpu",
                                      .backend = &backend_gpu,
                                      .open = gpu_open,
                                      .close = gpu_close,
                                      .devices = gpu_count,
                                      .make_id = gpu_make_id,
                                      .transport = gpu_transport,
                                      .arrange = gpu_arrange,
                                      .select = select_device,
                                      .copy = gpu_copy,
                                      .begin = begin,
                                      .exchange = gpu_exchange,
                                      .gather = gpu_gather,
                                      .broadcast = gpu_broadcast,
                                      .reduce_scatter = gpu_reduce_scatter,
                                      .end = end,
                                      .mark = gpu_mark,
                                      .wait = gpu_wait,
                                      .elapsed = gpu_elapsed,
                                      .finish = gpu_finish,
                                      .healthy = gpu_healthy,
                                      .received = gpu_received};
