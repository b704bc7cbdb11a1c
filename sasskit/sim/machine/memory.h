// Device memory: allocations, textures, tensor maps, windows of generic addresses.
#pragma once

#include "machine.h"

// Windows: the high word of a generic address selects the memory space.
#define SHARED_WINDOW 0x7f01u
// The bits of the low word that are the offset in shared memory. The bits above them are the
// block's rank in its cluster.
#define SHARED_OFFSET 0xffffffu
#define LOCAL_WINDOW  0x7f02u
#define SYSTEM_WINDOW 0x7f03u // has the addresses of the functions of run/system.c

struct allocation {
    uint64_t base, size;
    uint8_t *host;
    bool mapped; // true if the host allocates pages as they are first written
    bool heap;   // true if the kernel allocated it by malloc()
    // per byte: 1 if it was written; NULL unless sim_mark_unwritten() was called
    uint8_t *written;
    struct stamps *stamps; // checks/global.c; NULL if races are not checked
    // per granule (checks/global.c): upper word: 1 + linear index of the last storing block, or 0;
    // lower word: the value stored. NULL before the first store, or if overlaps are not checked
    uint64_t *owner;
};
// Like sim_allocate(), for a device variable of a kernel. It stays until sim_memory_close().
uint64_t memory_allocate_variable(struct sim_memory *memory, int64_t bytes);
// Returns allocation `index`, in address order; NULL after the last one.
struct allocation *memory_at(struct sim_memory *memory, int index);
// Returns true if sim_mark_unwritten() was called for any allocation.
bool memory_is_watched(const struct sim_memory *memory);
// Returns the allocation that contains [low, high); NULL if none does.
const struct allocation *memory_find(const struct sim_memory *memory, uint64_t low, uint64_t high);
// Returns the allocation that starts at `address`; NULL if none does.
struct allocation *memory_by_base(struct sim_memory *memory, uint64_t address);
struct texture {
    uint64_t base, texels; // device address, and number of texels
    uint32_t texel_bytes;
    bool stated; // true if the host program gave the number of values per texel
    bool open;
};
// Returns the texture of a handle; NULL if there is none. Instructions use only the handle's low
// word.
const struct texture *memory_texture(const struct sim_memory *memory, uint32_t handle);
// Decodes a map made by sim_tensor_map(), perhaps changed by tensormap.replace. Returns false and
// sets *error if the bytes are no such map, or if the driver or the simulator refuses the tensor.
bool tensor_map_read(const uint8_t map[SIM_TENSOR_MAP_BYTES], struct sim_tensor *tensor,
                     struct error *error);
// Returns the distance in bytes to the nearest allocation (positive past its end, negative before
// its start, otherwise 0); INT64_MAX if there is none. Sets *bytes to the allocation's size.
int64_t memory_overshoot(const struct sim_memory *memory, uint64_t address, uint64_t *bytes);
// Sets text to, e.g., "16 bytes before the nearest allocation, of 4096 bytes at 0x7e...".
void memory_describe(const struct sim_memory *memory, uint64_t address, char *text, size_t size);
