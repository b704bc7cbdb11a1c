// Finds a program's cubins and opens its backend.
#include "start.h"
#include "say.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cubin_folder(char *path, size_t size) {
    char self[PATH_MAX] = "./ladder";
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) self[length] = '\0';
    snprintf(path, size, "%s/cubin", dirname(self));
}

bool find_kernels(char *path, size_t size, const struct device_info *info) {
    char folder[PATH_MAX + 16];
    const int capability = info->compute_capability;
    cubin_folder(path, size);
    for (int c = capability; c >= capability / 10 * 10; c--) {
        snprintf(folder, sizeof folder, "%s/sm_%d", path, c);
        if (access(folder, R_OK) == 0) return true;
    }
    return say_error("no kernels for sm_%d in %s: build them with `make ARCH=sm_%d`", capability,
                     path, capability);
}

int open_backend(const char *name, struct device_info *info, const struct backend **backend) {
    const bool timed = strcmp(name, "timed") == 0, automatic = timed || strcmp(name, "auto") == 0;
    *backend = automatic ? backends[0] : backend_find(name);
    enum backend_status status = (*backend)->open(info);
    if (automatic && status == BACKEND_ABSENT) {
        say_error("No NVIDIA GPU here: %s (--backend gpu says why)",
                  timed ? "predicting times by a model" : "counting on the simulator");
        *backend = backend_find(timed ? "model" : "sim");
        status = (*backend)->open(info);
    }
    if (status == BACKEND_READY) return EXIT_GOOD;
    say_error("%s", backend_error());
    (*backend)->close();
    return status == BACKEND_ABSENT ? EXIT_SKIPPED : EXIT_USAGE;
}

bool check_stamp(const struct device_info *info) {
    char folder[PATH_MAX], path[PATH_MAX + 32], line[256] = "", expected[256];
    cubin_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/doctor.sm_%d", dirname(folder), info->compute_capability);
    FILE *file = fopen(path, "r");
    if (file && !fgets(line, sizeof line, file)) line[0] = '\0';
    if (file) fclose(file);
    line[strcspn(line, "\n")] = '\0';
    snprintf(expected, sizeof expected, "%s, %s", info->name, info->driver);
    return strcmp(line, expected) == 0 || say_error("--untried: %s: expected the stamp of %s, "
                                                    "found %s: run `make doctor` on this GPU first",
                                                    path, expected, *line ? line : "none");
}
