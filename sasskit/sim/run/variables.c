// Places device variables: the sections .nv.global (zero-initialised) and .nv.global.init, and the
// relocations that put variables' addresses into constant banks and into other variables. The
// address of a function is its offset in the kernel's code (link.c).
#include "variables.h"
#include "isa/cubin.h"

#include "isa/elf64.h"
#include "system.h"

#include <stdio.h>
#include <stdlib.h>

struct variable_place {
    uint8_t *bytes; // initial contents; NULL for zeros
    uint64_t size;
    uint64_t address; // 0 if not placed yet
};

struct relocation {
    int bank; // the constant bank to fill; -1 to fill `section`
    size_t section;
    uint64_t offset;
    size_t target; // section of the symbol; 0 for a function of the driver (system_address())
    uint64_t addend;
};

struct variables {
    struct variable_place *place; // [sections]; size 0 if the section has no variables
    size_t sections;
    struct relocation *relocation;
    size_t count;
    struct sim_memory *memory; // the memory in which the variables are placed
};

static bool add(struct variables *v, struct relocation r) {
    struct relocation *more = realloc(v->relocation, (v->count + 1) * sizeof *more);
    if (!more) return false;
    v->relocation = more;
    v->relocation[v->count++] = r;
    return true;
}

bool variables_want(struct variables *v, int bank, uint64_t at, size_t section, uint64_t offset) {
    return add(v, (struct relocation){bank, 0, at, section, offset});
}

bool variables_point_to(const struct variables *v, size_t section) {
    bool found = false;
    for (size_t i = 0; i < v->count && !found; i++) found = v->relocation[i].target == section;
    return found;
}

void variables_place_code(struct variables *v, size_t section, uint64_t address) {
    if (section < v->sections) v->place[section].address = address;
}

static bool read_relocations(struct variables *v, const struct elf_image *elf,
                             const Elf64_Shdr *header, int bank, size_t target,
                             struct error *error) {
    if (header->sh_link >= elf->section_count)
        return error_fail(error, "a relocation section without symbols");
    const Elf64_Shdr symbols = elf_section(elf, header->sh_link);
    if (!elf_contents(elf, header) || !elf_contents(elf, &symbols))
        return error_fail(error, "a relocation section is cut short");
    for (size_t i = 0; i < elf_relocations(header); i++) {
        const Elf64_Rela rela = elf_relocation(elf, header, i);
        const char *name;
        const Elf64_Sym symbol = elf_symbol(elf, &symbols, rela.r_symbol, &name);
        if (rela.r_symbol >= symbols.sh_size / sizeof symbol)
            return error_fail(error, "a relocation without a symbol");
        // relocations of data are of 64-bit addresses only
        if (rela.r_type != 2 && rela.r_type != 4)
            return error_fail(error, "a relocation of type %u, which is not known here",
                              (unsigned)rela.r_type);
        const uint64_t value =
            symbol.st_shndx == SHN_UNDEF && name ? system_address(name) : symbol.st_value;
        if (!add(v, (struct relocation){bank, target, rela.r_offset, symbol.st_shndx,
                                        value + (uint64_t)rela.r_addend}))
            return error_fail(error, "not enough host memory");
    }
    return true;
}

static bool read_section(struct variables *v, const struct elf_image *elf, size_t index,
                         struct error *error) {
    const Elf64_Shdr header = elf_section(elf, index);
    const char *name = elf_string(elf, &elf->names, header.sh_name);
    int bank;
    if (!name) return error_fail(error, "a section has no name");
    const char *of = strncmp(name, ".rela.", 6) == 0  ? name + 5
                     : strncmp(name, ".rel.", 5) == 0 ? name + 4
                                                      : "";
    if (sscanf(of, ".nv.constant%d", &bank) == 1)
        return bank == 0 || read_relocations(v, elf, &header, bank, 0, error);
    if (strncmp(of, ".nv.global", 10) == 0)
        return read_relocations(v, elf, &header, -1, header.sh_info, error);
    if (strncmp(name, ".nv.global", 10) != 0 || header.sh_size == 0) return true;
    if (header.sh_size > 1ull << 34) return error_fail(error, "%s has more than 16 GiB", name);
    v->place[index].size = header.sh_size;
    if (header.sh_type == SHT_NOBITS) return true;
    const uint8_t *contents = elf_contents(elf, &header);
    if (!contents) return error_fail(error, "%s is cut short", name);
    v->place[index].bytes = malloc(header.sh_size);
    if (v->place[index].bytes) memcpy(v->place[index].bytes, contents, header.sh_size);
    return v->place[index].bytes || error_fail(error, "not enough host memory");
}

struct variables *variables_open(const struct sass_cubin *cubin, struct error *error) {
    struct variables *v = calloc(1, sizeof *v);
    struct elf_image elf;
    bool good = v && elf_open(&elf, cubin->bytes, cubin->size) && elf_find_sections(&elf);
    if (good) v->place = calloc(elf.section_count + 1, sizeof *v->place);
    if (good) v->sections = elf.section_count;
    good = (good && v->place) || error_fail(error, "the section table is cut short");
    for (size_t i = 1; good && i < elf.section_count; i++) good = read_section(v, &elf, i, error);
    if (good) return v;
    variables_close(v);
    return NULL;
}

void variables_close(struct variables *v) {
    if (!v) return;
    for (size_t i = 0; v->place && i < v->sections; i++) free(v->place[i].bytes);
    free(v->place);
    free(v->relocation);
    free(v);
}

static uint64_t value_of(const struct variables *v, const struct relocation *r) {
    return (r->target < v->sections ? v->place[r->target].address : 0) + r->addend;
}

bool variables_place(struct variables *v, struct sim_memory *memory) {
    if (v->memory == memory) return true;
    v->memory = memory;
    for (size_t i = 0; i < v->sections; i++) {
        struct variable_place *p = &v->place[i];
        if (p->size == 0) continue;
        p->address = memory_allocate_variable(memory, (int64_t)p->size);
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
        if (r->bank >= 0 || r->section >= v->sections || r->offset + 8 > v->place[r->section].size)
            continue;
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

uint64_t variables_address(const struct variables *v, size_t section) {
    return section < v->sections ? v->place[section].address : 0;
}
