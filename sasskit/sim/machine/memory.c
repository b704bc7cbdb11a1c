// Device memory: allocations at simulated addresses, each backed by host memory.
#include "memory.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <unistd.h>

#define FIRST_ADDRESS  0x7e0000000000ull
#define FIRST_VARIABLE 0x7d0000000000ull // device variables lie below the host's allocations
#define FIRST_TEXTURE  0x7e000001u       // a handle that is unlikely to be in a register by mistake
enum { GAP = 4096, MAX_FREED = 256, HOST_EXTRA = 16 };
// Allocations of at least 256 MiB are mapped, so that unused pages take no memory. Matrices with
// large row strides leave most of their pages unused.
#define MAPPED_BYTES (1ull << 28)

struct sim_memory {
    struct allocation *allocation; // [count], sorted by address
    int count, capacity;
    uint64_t next, next_variable;       // addresses of the next allocations
    struct allocation freed[MAX_FREED]; // the latest freed allocations, for messages
    int freed_count;
    struct texture *texture; // [texture_count], sorted by handle; handles are never reused
    int texture_count;
};

// Makes glibc keep freed memory for the next launch. Otherwise every launch gets new pages from the
// system, which took 3 of 15 seconds of step 15 at 33 x 70 x 65 (measured).
static void keep_freed_pages(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
#endif
}

struct sim_memory *sim_memory_open(void) {
    keep_freed_pages();
    struct sim_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    memory->next = FIRST_ADDRESS;
    memory->next_variable = FIRST_VARIABLE;
    return memory;
}

// Allocates host memory, filled with NaNs, or with zeros if it is mapped.
static bool take_host(struct allocation *a) {
    if (a->size > SIZE_MAX / 2) return false; // too large for a 32-bit host
    const size_t bytes = a->size + HOST_EXTRA;
    a->mapped = a->size >= MAPPED_BYTES;
    if (a->mapped) {
        void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        a->host = pages == MAP_FAILED ? NULL : pages;
    } else {
        a->host = malloc(bytes);
        if (a->host) memset(a->host, 0xff, a->size);
    }
    return a->host != NULL;
}

static void release_host(struct allocation *a) {
    free(a->written);
    free(a->stamps);
    a->written = NULL;
    a->stamps = NULL;
    if (a->mapped) {
        munmap(a->host, a->size + HOST_EXTRA);
    } else {
        free(a->host);
    }
}

void sim_memory_close(struct sim_memory *memory) {
    if (!memory) return;
    for (int i = 0; i < memory->count; i++) release_host(&memory->allocation[i]);
    free(memory->allocation);
    free(memory->texture);
    free(memory);
}

// Returns true if the host has this much memory. malloc() would promise more than there is, and the
// operating system would kill the process later.
static bool host_has(uint64_t bytes) {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages <= 0 || size <= 0 || bytes / (uint64_t)size < (uint64_t)pages;
}

// Allocates memory `past` bytes after *next, and moves *next past its end.
static uint64_t allocate_at(struct sim_memory *memory, uint64_t *next, int64_t bytes, int past) {
    if (memory->count == memory->capacity) {
        const int capacity = memory->capacity ? 2 * memory->capacity : 16;
        struct allocation *more = realloc(memory->allocation, (size_t)capacity * sizeof *more);
        if (!more) return 0;
        memory->allocation = more;
        memory->capacity = capacity;
    }
    struct allocation a = {.base = *next + (uint64_t)past, .size = bytes > 0 ? (uint64_t)bytes : 1};
    if (!take_host(&a)) return 0;
    int at = memory->count++;
    for (; at > 0 && memory->allocation[at - 1].base > a.base; at--)
        memory->allocation[at] = memory->allocation[at - 1];
    memory->allocation[at] = a;
    *next = (a.base + a.size + GAP + SIM_ALIGNMENT - 1) / SIM_ALIGNMENT * SIM_ALIGNMENT;
    return a.base;
}

uint64_t sim_allocate(struct sim_memory *memory, int64_t bytes) {
    return bytes < 0 || !host_has((uint64_t)bytes) ? 0 : sim_allocate_past(memory, bytes, 0);
}

uint64_t sim_allocate_past(struct sim_memory *memory, int64_t bytes, int past) {
    return bytes < 0 ? 0 : allocate_at(memory, &memory->next, bytes, past);
}

uint64_t memory_allocate_variable(struct sim_memory *memory, int64_t bytes) {
    return bytes < 0 || !host_has((uint64_t)bytes)
               ? 0
               : allocate_at(memory, &memory->next_variable, bytes, 0);
}

uint64_t sim_allocated(const struct sim_memory *memory) {
    uint64_t bytes = 0;
    for (int i = 0; i < memory->count; i++) bytes += memory->allocation[i].size;
    return bytes;
}

uint64_t sim_allocation(const struct sim_memory *memory, uint64_t address, uint64_t *bytes) {
    const struct allocation *a = memory_find(memory, address, address);
    *bytes = a ? a->size : 0;
    return a ? a->base : 0;
}

struct allocation *memory_by_base(struct sim_memory *memory, uint64_t address) {
    const struct allocation *a = memory_find(memory, address, address);
    return a && a->base == address ? &memory->allocation[a - memory->allocation] : NULL;
}

bool sim_release(struct sim_memory *memory, uint64_t address) {
    struct allocation *a = memory_by_base(memory, address);
    if (!a) return false;
    release_host(a);
    memory->freed[memory->freed_count++ % MAX_FREED] = *a;
    memory->count--;
    memmove(a, a + 1, (size_t)(&memory->allocation[memory->count] - a) * sizeof *a);
    // When only device variables are left, addresses start again from the first, so that a launch
    // can be repeated exactly: the model's times depend on addresses.
    const bool only_variables =
        memory->count == 0 || memory->allocation[memory->count - 1].base < FIRST_ADDRESS;
    if (only_variables) memory->next = FIRST_ADDRESS;
    return true;
}

const struct allocation *memory_find(const struct sim_memory *memory, uint64_t low, uint64_t high) {
    int first = 0, last = memory->count - 1;
    while (first <= last) {
        const int middle = (first + last) / 2;
        const struct allocation *a = &memory->allocation[middle];
        if (low < a->base) {
            last = middle - 1;
        } else if (low >= a->base + a->size) {
            first = middle + 1;
        } else {
            return high >= low && high <= a->base + a->size ? a : NULL;
        }
    }
    return NULL;
}

struct allocation *memory_at(struct sim_memory *memory, int index) {
    return index < memory->count ? &memory->allocation[index] : NULL;
}
bool sim_mark_unwritten(struct sim_memory *memory, uint64_t address) {
    struct allocation *a = memory_by_base(memory, address);
    if (a && !a->written) a->written = calloc(1, a->size);
    return a && a->written;
}
int64_t sim_unwritten(const struct sim_memory *memory, uint64_t address, int64_t elements,
                      int element_bytes, int64_t *first) {
    const struct allocation *a =
        memory_find(memory, address, address + (uint64_t)elements * (uint64_t)element_bytes);
    int64_t count = 0;
    for (int64_t i = 0; a && a->written && i < elements; i++) {
        const uint8_t *written = a->written + (address - a->base) + i * element_bytes;
        if (memchr(written, 1, (size_t)element_bytes)) continue;
        if (!count++) *first = i;
    }
    return count;
}
bool memory_is_watched(const struct sim_memory *memory) {
    bool watched = false;
    for (int i = 0; i < memory->count; i++) watched |= memory->allocation[i].written != NULL;
    return watched;
}

void *sim_host(const struct sim_memory *memory, uint64_t address, int64_t bytes) {
    const struct allocation *a =
        bytes >= 0 ? memory_find(memory, address, address + (uint64_t)bytes) : NULL;
    return a ? a->host + (address - a->base) : NULL;
}

uint64_t sim_texture_open(struct sim_memory *memory, uint64_t address, int64_t texels, int values) {
    const uint32_t texel_bytes = 4u * (uint32_t)(values ? values : 4);
    if (texels <= 0 || address % SIM_ALIGNMENT != 0 ||
        !sim_host(memory, address, texels * texel_bytes))
        return 0;
    struct texture *more =
        realloc(memory->texture, ((size_t)memory->texture_count + 1) * sizeof *more);
    if (!more) return 0;
    memory->texture = more;
    memory->texture[memory->texture_count] =
        (struct texture){address, (uint64_t)texels, texel_bytes, values != 0, true};
    return FIRST_TEXTURE + (uint64_t)memory->texture_count++;
}

const struct texture *memory_texture(const struct sim_memory *memory, uint32_t handle) {
    const uint32_t index = handle - FIRST_TEXTURE;
    return index < (uint32_t)memory->texture_count ? &memory->texture[index] : NULL;
}

void sim_texture_close(struct sim_memory *memory, uint64_t handle) {
    const uint64_t index = handle - FIRST_TEXTURE;
    if (index < (uint64_t)memory->texture_count) memory->texture[index].open = false;
}

int64_t memory_overshoot(const struct sim_memory *memory, uint64_t address, uint64_t *bytes) {
    int64_t best = INT64_MAX;
    for (int i = 0; i < memory->count; i++) {
        const struct allocation *a = &memory->allocation[i];
        const int64_t past = address < a->base             ? (int64_t)(address - a->base)
                             : address < a->base + a->size ? 0
                                                           : (int64_t)(address - a->base - a->size);
        if (best != INT64_MAX && llabs(past) >= llabs(best)) continue;
        best = past;
        *bytes = a->size;
    }
    return best;
}

// Returns true if the memory of a freed allocation, or the gap before it, has been allocated again.
static bool is_reused(const struct sim_memory *memory, const struct allocation *freed) {
    for (int i = 0; i < memory->count; i++) {
        const struct allocation *a = &memory->allocation[i];
        if (a->base < freed->base + freed->size && freed->base < a->base + a->size + GAP)
            return true;
    }
    return false;
}

void memory_describe(const struct sim_memory *memory, uint64_t address, char *text, size_t size) {
    const struct allocation *nearest = NULL;
    uint64_t distance = UINT64_MAX;
    bool before = false;
    for (int i = 0; i < memory->count; i++) {
        const struct allocation *a = &memory->allocation[i];
        const uint64_t end = a->base + a->size;
        const uint64_t away = address < a->base ? a->base - address
                              : address >= end  ? address - end
                                                : 0;
        if (away < distance) distance = away, nearest = a, before = address < a->base;
    }
    for (int i = 0; i < memory->freed_count && i < MAX_FREED; i++) {
        const struct allocation *a = &memory->freed[i];
        if (address < a->base || address >= a->base + a->size || distance == 0 ||
            is_reused(memory, a))
            continue;
        snprintf(text, size, "inside the allocation of %llu bytes at 0x%llx, which was freed",
                 (unsigned long long)a->size, (unsigned long long)a->base);
        return;
    }
    if (!nearest) {
        snprintf(text, size, "nothing is allocated");
    } else if (distance == 0 && address < nearest->base + nearest->size) {
        snprintf(text, size, "reaches past the end of the allocation of %llu bytes at 0x%llx",
                 (unsigned long long)nearest->size, (unsigned long long)nearest->base);
    } else if (distance == 0) {
        snprintf(text, size,
                 "right behind the end of the nearest allocation, of %llu bytes at 0x%llx",
                 (unsigned long long)nearest->size, (unsigned long long)nearest->base);
    } else {
        snprintf(text, size, "%llu bytes %s the nearest allocation, of %llu bytes at 0x%llx",
                 (unsigned long long)distance, before ? "before" : "past the end of",
                 (unsigned long long)nearest->size, (unsigned long long)nearest->base);
    }
}
