// Names of branch targets: .L_x_0, .L_x_1, ... as nvdisasm numbers them (in the order of the first
// branch to each), and the names of functions.
#pragma once

#include "arena.h"
#include "codec.h"
#include "cubin.h"

struct label {
    const char *name;
    uint64_t address;
};

struct label_list {
    struct arena memory; // owns the names
    struct label *items;
    size_t count;
    int next; // number of the next label .L_x_
    enum sass_generation generation;
};

// Labels all branch targets of a kernel. Drops the labels of earlier kernels, but continues their
// numbering.
void labels_of_kernel(struct label_list *list, const struct sass_kernel *kernel);
void labels_add(struct label_list *list, const char *name, size_t length, uint64_t address);
struct sass_labels labels_view(const struct label_list *list); // for sass_print and sass_parse
void labels_clear(struct label_list *list);
