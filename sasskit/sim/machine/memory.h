// Device memory: allocations, textures, windows of generic addresses.
#pragma once

#include "machine.h"

// --- memory.c -----------------------------------------------------------------------------------------------------------
// Windows of generic addresses (high words).
#define SHARED_WINDOW 0x7f01u
#define SHARED_OFFSET 0xffffffu // of the low word; above it, the block's number in its cluster
#define LOCAL_WINDOW  0x7f02u
#define SYSTEM_WINDOW 0x7f03u // functions of run/system.c

// The allocation that holds [low, high), or NULL; *hint speeds the next search up.
struct allocation {
    uint64_t base, size;
    uint8_t *host;
    bool mapped;           // host memory that is taken page by page, when it is written
    bool heap;             // malloc of a kernel gave it
    uint8_t *written;      // of each byte, whether something has written it; NULL: it was before the launch
    struct stamps *stamps; // checks/global.c; NULL: races are not looked for
};
struct allocation *memory_at(struct sim_memory *memory, int index); // NULL behind the last
bool memory_is_watched(const struct sim_memory *memory);            // some of it begins unwritten
const struct allocation *memory_find(const struct sim_memory *memory, uint64_t low, uint64_t high);
struct allocation *memory_by_base(struct sim_memory *memory, uint64_t address); // NULL: none begins there
enum { TEXEL_BYTES = 16 };
struct texture {
    uint64_t base, texels;
    bool open;
};
// The texture of a handle, NULL when none ever had it. An instruction uses the handle's low word only.
const struct texture *memory_texture(const struct sim_memory *memory, uint32_t handle);
// Reads what sim_tensor_map() has made; false: it is none.
bool tensor_map_read(const uint8_t map[SIM_TENSOR_MAP_BYTES], struct sim_tensor *tensor);
// "16 bytes past the end of the allocation of 4096 bytes at 0x7e..."
void memory_describe(const struct sim_memory *memory, uint64_t address, char *text, size_t size);
