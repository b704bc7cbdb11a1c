// Reads ELF64 files. Checks every offset and size against the file before use.
#include "elf64.h"

#include <string.h>

_Static_assert(sizeof(Elf64_Ehdr) == 64 && sizeof(Elf64_Shdr) == 64 && sizeof(Elf64_Phdr) == 56 &&
                   sizeof(Elf64_Sym) == 24 && sizeof(Elf64_Rela) == 24,
               "headers as in the file");

Elf64_Shdr elf_section(const struct elf_image *elf, size_t index) {
    Elf64_Shdr section;
    memcpy(&section, elf->bytes + elf->header.e_shoff + index * sizeof section, sizeof section);
    return section;
}

const uint8_t *elf_contents(const struct elf_image *elf, const Elf64_Shdr *section) {
    if (section->sh_type == SHT_NOBITS || section->sh_type == SHT_NULL) return NULL;
    if (section->sh_offset > elf->size || section->sh_size > elf->size - section->sh_offset)
        return NULL;
    return elf->bytes + section->sh_offset;
}

const char *elf_string(const struct elf_image *elf, const Elf64_Shdr *table, uint64_t offset) {
    const char *text = (const char *)elf_contents(elf, table);
    if (!text || offset >= table->sh_size) return NULL;
    return memchr(text + offset, 0, table->sh_size - offset) ? text + offset : NULL;
}

Elf64_Sym elf_symbol(const struct elf_image *elf, const Elf64_Shdr *table, uint64_t number,
                     const char **name) {
    const uint8_t *bytes = elf_contents(elf, table);
    Elf64_Sym symbol = {0};
    *name = NULL;
    if (!bytes || number >= table->sh_size / sizeof symbol) return symbol;
    memcpy(&symbol, bytes + number * sizeof symbol, sizeof symbol);
    const Elf64_Shdr strings =
        elf_section(elf, table->sh_link < elf->section_count ? table->sh_link : 0);
    *name = elf_string(elf, &strings, symbol.st_name);
    return symbol;
}

// If e_shnum is 0, the header of section 0 has the number of sections.
bool elf_find_sections(struct elf_image *elf) {
    const Elf64_Ehdr *header = &elf->header;
    const size_t room =
        header->e_shoff <= elf->size ? (elf->size - header->e_shoff) / sizeof(Elf64_Shdr) : 0;
    elf->section_count = header->e_shnum;
    if (header->e_shoff == 0 || header->e_shentsize != sizeof(Elf64_Shdr) || room == 0)
        return false;
    const Elf64_Shdr first = elf_section(elf, 0);
    if (header->e_shnum == 0) elf->section_count = first.sh_size;
    if (elf->section_count > room) return false;
    const size_t names = header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx;
    if (names < elf->section_count) elf->names = elf_section(elf, names);
    return true;
}

bool elf_open(struct elf_image *elf, const void *bytes, size_t size) {
    static const uint8_t magic[] = {0x7f, 'E', 'L', 'F'};
    *elf = (struct elf_image){.bytes = bytes, .size = size};
    if (size < sizeof elf->header || memcmp(bytes, magic, sizeof magic) != 0) return false;
    memcpy(&elf->header, bytes, sizeof elf->header);
    return true;
}

enum { REL_BYTES = 16 };

size_t elf_relocations(const Elf64_Shdr *section) {
    return section->sh_size /
           (section->sh_type == SHT_REL ? (size_t)REL_BYTES : sizeof(Elf64_Rela));
}

Elf64_Rela elf_relocation(const struct elf_image *elf, const Elf64_Shdr *section, size_t index) {
    const bool in_place = section->sh_type == SHT_REL;
    const size_t bytes = in_place ? (size_t)REL_BYTES : sizeof(Elf64_Rela);
    const uint8_t *data = elf_contents(elf, section);
    Elf64_Rela relocation = {0};
    if (!data || index >= elf_relocations(section)) return relocation;
    memcpy(&relocation, data + index * bytes, bytes);
    if (!in_place || section->sh_info >= elf->section_count) return relocation;
    const Elf64_Shdr target = elf_section(elf, section->sh_info);
    const uint8_t *at = elf_contents(elf, &target);
    if (at && target.sh_size >= 8 && relocation.r_offset <= target.sh_size - 8)
        memcpy(&relocation.r_addend, at + relocation.r_offset, 8);
    return relocation;
}
