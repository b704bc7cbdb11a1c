// Loads NCCL, and turns its errors into messages.
#include "nccl.h"
#include "backend/backend.h"
#include "backend/symbols.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct nccl nccl;

static void *library;

static const struct symbol symbols[] = {
    {"ncclGetVersion", (void **)&nccl.get_version},
    {"ncclGetUniqueId", (void **)&nccl.get_unique_id},
    {"ncclCommInitRankConfig", (void **)&nccl.init_rank},
    {"ncclCommSplit", (void **)&nccl.split},
    {"ncclCommDestroy", (void **)&nccl.destroy},
    {"ncclCommGetAsyncError", (void **)&nccl.async_error},
    {"ncclGetErrorString", (void **)&nccl.error_string},
    {"ncclGetLastError", (void **)&nccl.last_error},
    {"ncclAllGather", (void **)&nccl.all_gather},
    {"ncclReduceScatter", (void **)&nccl.reduce_scatter},
    {"ncclBroadcast", (void **)&nccl.broadcast},
    {"ncclSend", (void **)&nccl.send},
    {"ncclRecv", (void **)&nccl.receive},
    {"ncclGroupStart", (void **)&nccl.group_start},
    {"ncclGroupEnd", (void **)&nccl.group_end},
    {NULL, NULL},
};

// A command that prints the folder of the NCCL wheel in one line; nothing if there is no wheel.
static const char WHEEL[] =
    "python3 -c 'import nvidia.nccl; print(list(nvidia.nccl.__path__)[0])' 2>/dev/null";

static void *open_in(const char *folder, const char *below) {
    char path[PATH_MAX];
    if (!folder || !*folder) return NULL;
    snprintf(path, sizeof path, "%s/%s/libnccl.so.2", folder, below);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_in_wheel(void) {
    char folder[PATH_MAX] = "";
    FILE *python = popen(WHEEL, "r");
    if (!python) return NULL;
    if (fgets(folder, sizeof folder, python)) folder[strcspn(folder, "\n")] = '\0';
    pclose(python);
    return open_in(folder, "lib");
}

static void *find_library(void) {
    const char *nccl_home = getenv("NCCL_HOME"), *cuda_home = getenv("CUDA_HOME");
    void *found = open_in(nccl_home, "lib");
    if (!found) found = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    for (int i = 0; !found && i < 2; i++)
        found = open_in(i ? "/usr/local/cuda" : cuda_home, "lib64");
    for (int i = 0; !found && i < 2; i++) found = open_in(i ? "/usr/local/cuda" : cuda_home, "lib");
    return found ? found : open_in_wheel();
}

bool nccl_load(void) {
    library = find_library();
    if (!library) {
        return backend_fail("libnccl.so.2 not found in $NCCL_HOME/lib, the library path, the "
                            "CUDA toolkit's lib64 and lib, or python3's nvidia-nccl wheel: "
                            "install NCCL (Debian and Ubuntu: libnccl2; pip: nvidia-nccl-cu13), "
                            "or run --variant copies, which does not need it");
    }
    const char *missing = missing_symbol(library, symbols);
    return !missing ||
           backend_fail("libnccl.so.2 has no %s: NCCL 2.18 or newer is needed", missing);
}

void nccl_unload(void) {
    if (library) dlclose(library);
    library = NULL;
}

int nccl_version(void) {
    int version = 0;
    if (library && nccl.get_version) nccl.get_version(&version);
    return version;
}

bool nccl_ok(int result, const char *call) {
    if (result == ncclSuccess) return true;
    const char *more = nccl.last_error(NULL);
    return backend_fail("%s: %s%s%.300s: set NCCL_DEBUG=WARN to see more", call,
                        nccl.error_string(result), more && *more ? ": " : "", more ? more : "");
}
