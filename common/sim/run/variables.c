// Device variables: sections .nv.global (zeros) and .nv.global.init, and relocations in constant banks and in the variables
// themselves that want their addresses. A function's address is its offset in the kernel's code.
#include "variables.h"
#include "sass/isa/elf64.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_SECTIONS = 1024 }; // a kernel has three or more

struct place {
    uint8_t *bytes; // initial contents; NULL for zeros
    uint64_t size;
    uint64_t address; // 0 until it is placed
};

struct relocation {
    int bank;       // constant bank, or -1: section `section`
    size_t section; // that holds it
    uint64_t offset;
    size_t target; // section of the symbol; 0 for an absolute value
    uint64_t addend;
};

struct variables {
    struct place place[MAX_SECTIONS]; // by section number; size 0: none
    struct relocation *relocation;
    size_t count;
    struct sim_memory *memory; // where they have been placed
};

static bool add(struct variables *v, struct relocation r) {
    struct relocation *more = realloc(v->relocation, (v->count + 1) * sizeof *more);
    if (!more) return false;
    v->relocation = more;
    v->relocation[v->count++] = r;
    return true;
}

static bool read_relocations(struct variables *v, const struct elf_image *elf, const Elf64_Shdr *header, int bank,
                             size_t target) {
    if (header->sh_link >= elf->section_count) return false;
    const Elf64_Shdr symbols = elf_section(elf, header->sh_link);
    const uint8_t *data = elf_contents(elf, header), *table = elf_contents(elf, &symbols);
    if (!data || !table) return false;
    for (size_t i = 0; i < header->sh_size / sizeof(Elf64_Rela); i++) {
        Elf64_Rela rela;
        Elf64_Sym symbol;
        memcpy(&rela, data + i * sizeof rela, sizeof rela);
        if (rela.r_symbol >= symbols.sh_size / sizeof symbol) return false;
        memcpy(&symbol, table + rela.r_symbol * sizeof symbol, sizeof symbol);
        if (rela.r_type != 2 && rela.r_type != 4) return false; // 64-bit addresses; no others were seen outside code
        if (!add(v, (struct relocation){bank, target, rela.r_offset, symbol.st_shndx,
                                        symbol.st_value + (uint64_t)rela.r_addend}))
            return false;
    }
    return true;
}

static bool read_section(struct variables *v, const struct elf_image *elf, size_t index) {
    const Elf64_Shdr header = elf_section(elf, index);
    const char *name = elf_string(elf, &elf->names, header.sh_name);
    int bank;
    if (!name) return false;
    if (sscanf(name, ".rela.nv.constant%d", &bank) == 1) return bank == 0 || read_relocations(v, elf, &header, bank, 0);
    if (strncmp(name, ".rela.nv.global", 15) == 0) return read_relocations(v, elf, &header, -1, header.sh_info);
    if (strncmp(name, ".nv.global", 10) != 0 || header.sh_size == 0 || header.sh_size > 1ull << 34) return true;
    if (index >= MAX_SECTIONS) return false;
    v->place[index].size = header.sh_size;
    if (header.sh_type == SHT_NOBITS) return true;
    const uint8_t *contents = elf_contents(elf, &header);
    v->place[index].bytes = contents ? malloc(header.sh_size) : NULL;
    if (v->place[index].bytes) memcpy(v->place[index].bytes, contents, header.sh_size);
    return v->place[index].bytes != NULL;
}

struct variables *variables_open(const struct sass_cubin *cubin, bool *failed) {
    struct variables *v = calloc(1, sizeof *v);
    struct elf_image elf;
    *failed = !v || !elf_open(&elf, cubin->bytes, cubin->size) || !elf_find_sections(&elf);
    for (size_t i = 1; !*failed && i < elf.section_count; i++) *failed = !read_section(v, &elf, i);
    if (!*failed) return v;
    variables_close(v);
    return NULL;
}

void variables_close(struct variables *v) {
    if (!v) return;
    for (int i = 0; i < MAX_SECTIONS; i++) free(v->place[i].bytes);
    free(v->relocation);
    free(v);
}

static uint64_t value_of(const struct variables *v, const struct relocation *r) {
    return (r->target < MAX_SECTIONS ? v->place[r->target].address : 0) + r->addend;
}

bool variables_place(struct variables *v, struct sim_memory *memory) {
    if (v->memory == memory) return true;
    v->memory = memory;
    for (int i = 0; i < MAX_SECTIONS; i++) {
        struct place *p = &v->place[i];
        if (p->size == 0) continue;
        p->address = sim_allocate(memory, (int64_t)p->size);
        uint8_t *host = p->address ? sim_host(memory, p->address, (int64_t)p->size) : NULL;
        if (!host) return false;
        if (p->bytes) {
            memcpy(host, p->bytes, p->size);
        } else {
            memset(host, 0, p->size);
        }
    }
    for (size_t i = 0; i < v->count; i++) {
        const struct relocation *r = &v->relocation[i];
        if (r->bank >= 0 || r->section >= MAX_SECTIONS || r->offset + 8 > v->place[r->section].size) continue;
        const uint64_t value = value_of(v, r);
        memcpy(sim_host(memory, v->place[r->section].address + r->offset, 8), &value, 8);
    }
    return true;
}

void variables_relocate(const struct variables *v, int bank, uint8_t *bytes, uint32_t size) {
    for (size_t i = 0; i < v->count; i++) {
        const struct relocation *r = &v->relocation[i];
        const uint64_t value = value_of(v, r);
        if (r->bank == bank && r->offset + 8 <= size) memcpy(bytes + r->offset, &value, 8);
    }
}
