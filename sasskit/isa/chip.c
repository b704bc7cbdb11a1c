// The table of architectures.
//
// Sources. Words of constant bank 0: those that code of nvcc 13.0 reads. Limits: the CUDA C++
// Programming Guide, "Compute Capabilities". The 1 KB that the system reserves: the occupancy
// calculator. Distances (distances.def) and register banks: measured on an H200. On other chips,
// distances are those that ptxas keeps, which are upper bounds. Huerta et al. (2025) found two
// banks on an RTX A6000, too.
#include "chip.h"

#include <stdio.h>

static const struct sass_bank0 ampere = {
    .block_dim = 0x0,
    .grid_dim = 0xc,
    .shared_window = 0x18,
    .local_window = 0x20,
    .stack = 0x28,
    .dynamic_shared = 0x2c,
    .parameters = 0x40,
    .constants = 0x50,
    .workspace = 0x8c,
    .reserved_shared = 0x114,
    .descriptor = 0x118,
    .reserved_end = 0x120,
    .reserved_one = 0x124,
    .clustered = SASS_NOT_THERE,
    .cluster = SASS_NOT_THERE,
    .cluster_inverse = SASS_NOT_THERE,
    .cluster_grid = SASS_NOT_THERE,
    .cluster_size = SASS_NOT_THERE,
    .param_base = 0x160,
};
static const struct sass_bank0 hopper = {
    .block_dim = 0x0,
    .grid_dim = 0xc,
    .shared_window = SASS_NOT_THERE,
    .local_window = 0x20,
    .stack = 0x28,
    .dynamic_shared = 0x2c,
    .workspace = 0x44,
    .constants = 0xd0,
    .reserved_shared = 0x114,
    .reserved_end = SASS_NOT_THERE,
    .reserved_one = SASS_NOT_THERE,
    .clustered = 0x140,
    .cluster = 0x144,
    .cluster_inverse = 0x150,
    .cluster_grid = 0x15c,
    .cluster_size = 0x188,
    .parameters = 0x198,
    .descriptor = 0x208,
    .param_base = 0x210,
};
static const struct sass_bank0 blackwell = {
    .constants = 0x120,
    .reserved_shared = 0x16c,
    .reserved_end = SASS_NOT_THERE,
    .reserved_one = SASS_NOT_THERE,
    .workspace = 0x254,
    .cluster = 0x2a0,
    .dynamic_shared = 0x2ac,
    .cluster_inverse = 0x2b0,
    .cluster_grid = 0x2c0,
    .cluster_size = 0x2cc,
    .local_window = 0x2f8,
    .parameters = 0x348,
    .descriptor = 0x358,
    .block_dim = 0x360,
    .clustered = 0x36c,
    .grid_dim = 0x370,
    .stack = 0x37c,
    .shared_window = SASS_NOT_THERE,
    .param_base = 0x380,
};

#define MEASURED      "measured on an H200"
#define KEPT_BY_PTXAS "those that ptxas 13.0 keeps; not measured"
#define AMPERE(n, generation_) \
    .capability = n, .name = "sm_" #n, .generation = generation_, .bank0 = &ampere, \
    .latencies = KEPT_BY_PTXAS
#define BLACKWELL(n, generation_) \
    .capability = n, .name = "sm_" #n, .generation = generation_, .bank0 = &blackwell, \
    .shared_reserved = 0x400, .latencies = KEPT_BY_PTXAS
#define SM(most, warps_, blocks_, shared, block, system) \
    .most_sms = most, .warps = warps_, .blocks = blocks_, .shared_kbytes = shared, \
    .block_kbytes = block, .system_shared = system

// most_sms counts the SMs of the full chip, by NVIDIA's white papers. The rows' chips are TU102,
// GA100, GA102, GA10B, (no data), AD102, GH100, GB100 (both dies), GB300, (no data), GB202, GB10.
static const struct sass_chip chips[] = {
    {.capability = 75,
     .name = "sm_75",
     .generation = SASS_TURING,
     .bank0 = &ampere,
     SM(72, 32, 16, 64, 64, 0),
     .runs = true,
     .knows_banks = true,
     .fma_cycles = 2,
     .latencies = KEPT_BY_PTXAS},
    {AMPERE(80, SASS_AMPERE), SM(128, 64, 32, 164, 163, 1024), .runs = true, .knows_banks = true,
     .fma_cycles = 2},
    {AMPERE(86, SASS_AMPERE), SM(84, 48, 16, 100, 99, 1024), .runs = true, .knows_banks = true},
    {AMPERE(87, SASS_AMPERE), SM(16, 48, 16, 164, 163, 1024), .runs = true, .knows_banks = true},
    {AMPERE(88, SASS_AMPERE)},
    {AMPERE(89, SASS_ADA), SM(144, 48, 24, 100, 99, 1024), .runs = true, .knows_banks = true},
    {.capability = 90,
     .name = "sm_90",
     .generation = SASS_HOPPER,
     .bank0 = &hopper,
     .shared_reserved = 0x400,
     SM(144, 64, 32, 228, 227, 1024),
     .runs = true,
     .tried = true,
     .knows_banks = true,
     .latencies = MEASURED},
    {BLACKWELL(100, SASS_BLACKWELL), SM(160, 64, 32, 228, 227, 1024), .runs = true,
     .knows_banks = true},
    {BLACKWELL(103, SASS_BLACKWELL_103), SM(160, 64, 32, 228, 227, 1024), .runs = true,
     .knows_banks = true},
    {BLACKWELL(110, SASS_BLACKWELL_103)},
    {BLACKWELL(120, SASS_BLACKWELL_120), SM(192, 48, 24, 100, 99, 1024), .runs = true,
     .knows_banks = true},
    {BLACKWELL(121, SASS_BLACKWELL_120), SM(48, 48, 24, 100, 99, 1024), .runs = true,
     .knows_banks = true},
};
enum { CHIPS = sizeof chips / sizeof *chips };
_Static_assert(CHIPS * sizeof "sm_100, " <= SASS_CHIP_NAMES, "room for all names");

const struct sass_chip *sass_chip(int capability) {
    for (int i = 0; i < CHIPS; i++) {
        if (chips[i].capability == capability) return &chips[i];
    }
    return NULL;
}

const char *sass_chip_names(bool that_run, char names[SASS_CHIP_NAMES]) {
    int n = 0;
    for (int i = 0; i < CHIPS; i++) {
        if (chips[i].runs || !that_run)
            n += snprintf(names + n, SASS_CHIP_NAMES - (size_t)n, "%s%s", n ? ", " : "",
                          chips[i].name);
    }
    return names;
}
