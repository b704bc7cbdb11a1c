// The part of little-endian ELF64 that cubins use (TIS ELF 1.2). Names and values are those of
// <elf.h>, which not every system has. Headers are copied from the file as they are, so the host
// must be little-endian, as everywhere in the project.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t e_ident[16];
    uint16_t e_type, e_machine;
    uint32_t e_version;
    uint64_t e_entry, e_phoff, e_shoff;
    uint32_t e_flags;
    uint16_t e_ehsize, e_phentsize, e_phnum, e_shentsize, e_shnum, e_shstrndx;
} Elf64_Ehdr;

typedef struct {
    uint32_t sh_name, sh_type;
    uint64_t sh_flags, sh_addr, sh_offset, sh_size;
    uint32_t sh_link, sh_info;
    uint64_t sh_addralign, sh_entsize;
} Elf64_Shdr;

typedef struct {
    uint32_t p_type, p_flags;
    uint64_t p_offset, p_vaddr, p_paddr, p_filesz, p_memsz, p_align;
} Elf64_Phdr;

typedef struct {
    uint32_t st_name;
    uint8_t st_info, st_other;
    uint16_t st_shndx;
    uint64_t st_value, st_size;
} Elf64_Sym;

typedef struct {
    uint64_t r_offset;
    uint32_t r_type, r_symbol; // lower half and upper half of r_info
    int64_t r_addend;
} Elf64_Rela;

enum { EI_CLASS = 4, EI_DATA, EI_VERSION, EI_OSABI, EI_ABIVERSION };
enum { ELFCLASS64 = 2, ELFDATA2LSB = 1, EV_CURRENT = 1, ET_EXEC = 2 };
enum { SHN_UNDEF, SHN_LORESERVE = 0xff00, SHN_XINDEX = 0xffff };
enum {
    SHT_NULL,
    SHT_PROGBITS,
    SHT_SYMTAB,
    SHT_STRTAB,
    SHT_RELA,
    SHT_NOTE = 7,
    SHT_NOBITS,
    SHT_REL
};
enum { SHF_WRITE = 1, SHF_ALLOC = 2, SHF_EXECINSTR = 4, SHF_INFO_LINK = 0x40 };
enum { STB_LOCAL, STB_GLOBAL, STB_WEAK };
enum { STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_SECTION };
enum { PT_LOAD = 1, PT_PHDR = 6, PF_X = 1, PF_W = 2, PF_R = 4 };

// What cubins add to ELF: the machine, attribute sections, and the attributes that are read or
// written here (cuobjdump -elf prints their names). An attribute is a byte for its format, a byte
// for its id, and the value. An INFO_BYTES value begins with its size in two bytes.
enum { MACHINE_CUDA = 190, TYPE_INFO = 0x70000000, OTHER_ENTRY = 0x10 };
enum { INFO_NOTHING = 1, INFO_BYTE, INFO_SHORT, INFO_BYTES };
enum {
    INFO_MAX_THREADS = 0x05,
    INFO_PARAM_CBANK = 0x0a,
    INFO_FRAME_SIZE = 0x11,
    INFO_MIN_STACK_SIZE = 0x12,
    INFO_KPARAM_INFO = 0x17,
    INFO_CBANK_PARAM_SIZE = 0x19,
    INFO_MAXREG_COUNT = 0x1b,
    INFO_EXIT_OFFSETS = 0x1c,
    INFO_REGCOUNT = 0x2f,
    INFO_SW2861232_WAR = 0x35,
    INFO_SW_WAR = 0x36,
    INFO_CUDA_API_VERSION = 0x37,
    INFO_CTA_PER_CLUSTER = 0x3d,
    INFO_NUM_BARRIERS = 0x4c,
    INFO_SPARSE_MASK = 0x50,
    INFO_ANNOTATIONS = 0x55,
    INFO_MERCURY_VERSION = 0x5f
};

// An ELF file in memory; the caller owns the bytes.
struct elf_image {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
    size_t section_count;
    Elf64_Shdr names; // header of the section that has the sections' names
};

// Returns true if the bytes are an ELF file with a complete header; any machine and class will do.
bool elf_open(struct elf_image *elf, const void *bytes, size_t size);

// Finds the sections and their names. Returns false if the section table is missing or incomplete.
// The names may be missing although it returns true.
bool elf_find_sections(struct elf_image *elf);

// Requires: index < section_count.
Elf64_Shdr elf_section(const struct elf_image *elf, size_t index);

// Returns the bytes of a section; NULL if they are not in the file, or not completely.
const uint8_t *elf_contents(const struct elf_image *elf, const Elf64_Shdr *section);

// elf_relocations() counts the relocations of a section (SHT_RELA or, before sm_90, SHT_REL).
// elf_relocation() returns one of them. The addend of an SHT_REL relocation is the 64-bit value
// that the relocation will replace.
size_t elf_relocations(const Elf64_Shdr *section);
Elf64_Rela elf_relocation(const struct elf_image *elf, const Elf64_Shdr *section, size_t index);

// Returns symbol `number` of a table, all zeros if there is none. Sets *name to the symbol's name,
// or to NULL if it has none.
Elf64_Sym elf_symbol(const struct elf_image *elf, const Elf64_Shdr *table, uint64_t number,
                     const char **name);

// Returns the string at `offset` of a string table; NULL if the table does not contain its end.
const char *elf_string(const struct elf_image *elf, const Elf64_Shdr *table, uint64_t offset);
