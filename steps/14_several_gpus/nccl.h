// NCCL 2.18 or newer, loaded at run time. CUDA toolkits do not include its header, so this one
// declares what the lesson uses, as in NCCL's API reference
// (https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ncclComm *ncclComm_t;

typedef struct {
    char internal[128];
} ncclUniqueId;

enum { ncclSuccess = 0, ncclInProgress = 7, ncclFloat = 7, ncclSum = 0 };

// The configuration as of version 2.18. Newer libraries accept it by its size and version.
struct nccl_config {
    size_t size;
    unsigned magic, version;
    int blocking, cluster_size, min_ctas, max_ctas;
    const char *net_name;
    int split_share;
    int traffic_class; // exists since 2.25; in 2.18 these bytes are padding
};
enum { NCCL_UNDEFINED = INT32_MIN, NCCL_MAGIC = (int)0xcafebeef, NCCL_CONFIG_VERSION = 21800 };

struct nccl {
    int (*get_version)(int *version);
    int (*get_unique_id)(ncclUniqueId *id);
    int (*init_rank)(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank,
                     struct nccl_config *config);
    int (*split)(ncclComm_t comm, int color, int key, ncclComm_t *part, struct nccl_config *config);
    int (*destroy)(ncclComm_t comm);
    int (*async_error)(ncclComm_t comm, int *error);
    const char *(*error_string)(int result);
    const char *(*last_error)(ncclComm_t comm);
    int (*all_gather)(const void *from, void *to, size_t each, int type, ncclComm_t comm,
                      void *stream);
    int (*reduce_scatter)(const void *from, void *to, size_t each, int type, int op,
                          ncclComm_t comm, void *stream);
    int (*broadcast)(const void *from, void *to, size_t count, int type, int root, ncclComm_t comm,
                     void *stream);
    int (*send)(const void *from, size_t count, int type, int peer, ncclComm_t comm, void *stream);
    int (*receive)(void *to, size_t count, int type, int peer, ncclComm_t comm, void *stream);
    int (*group_start)(void);
    int (*group_end)(void);
};

extern struct nccl nccl;

// Loads libnccl.so.2 from the first of these places that has it: $NCCL_HOME/lib; the library path;
// lib64, then lib, of $CUDA_HOME and /usr/local/cuda; the wheel nvidia-nccl-cu13 (or -cu12) of the
// python3 on PATH. Returns false with backend_error() if none of them has it.
bool nccl_load(void);
void nccl_unload(void);
int nccl_version(void); // Returns the version, 22809 for 2.28.9; 0 if NCCL is not loaded.

// Returns true if `result` is success; otherwise sets backend_error() to the call, NCCL's message
// and what to do.
bool nccl_ok(int result, const char *call);
