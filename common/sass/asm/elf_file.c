// Sections one behind the other, their table and the segments, by libelf.
#include "elf_file.h"

#include "sass/isa/encoding.h"

#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MACHINE_CUDA = 190, FLAGS_SM90 = 0x06005a04, OSABI_CUDA = 0x41, ABI_VERSION = 8, SEGMENTS = 5 };

static bool elf_failed(struct emitter *e) {
    return sass_fail(e->error, "libelf: %s", elf_errmsg(-1));
}

// Places the sections one behind the other and hands them to libelf. Returns the end, 0 on an error.
static uint64_t write_sections(struct emitter *e, Elf *elf) {
    uint64_t at = 64;
    for (size_t i = 1; i < e->section_count; i++) {
        struct out_section *out = &e->sections[i];
        Elf_Scn *scn = elf_newscn(elf);
        Elf_Data *data = scn ? elf_newdata(scn) : NULL;
        const uint64_t align = out->header.sh_addralign ? out->header.sh_addralign : 1;
        const bool empty = out->header.sh_type == SHT_NOBITS;
        if (!data) return elf_failed(e);
        if (!empty) at = (at + align - 1) / align * align;
        out->header.sh_offset = at;
        if (!empty) out->header.sh_size = out->bytes.size;
        *data = (Elf_Data){.d_buf = empty ? NULL : out->bytes.data,
                           .d_type = ELF_T_BYTE,
                           .d_version = EV_CURRENT,
                           .d_size = out->header.sh_size,
                           .d_align = 1};
        if (!gelf_update_shdr(scn, &out->header)) return elf_failed(e);
        if (!empty) at += out->bytes.size;
    }
    return (at + 7) / 8 * 8;
}

// Bytes of the sections first to last - 1, in the file and in memory.
static GElf_Phdr segment(const struct emitter *e, size_t first, size_t last, unsigned flags) {
    const GElf_Shdr *start = &e->sections[first].header;
    GElf_Phdr out = {.p_type = PT_LOAD, .p_offset = start->sh_offset, .p_flags = flags, .p_align = 8};
    for (size_t i = first; i < last; i++) {
        const GElf_Shdr *header = &e->sections[i].header;
        if (header->sh_type != SHT_NOBITS) out.p_filesz = header->sh_offset + header->sh_size - start->sh_offset;
        out.p_memsz = header->sh_type == SHT_NOBITS ? out.p_memsz + header->sh_size : out.p_filesz;
    }
    return out;
}

static bool write_segments(struct emitter *e, Elf *elf, uint64_t headers) {
    const size_t text = text_at(e, 0), shared = shared_at(e, 0), constant = constant_at(e, 0);
    GElf_Phdr segments[SEGMENTS] = {
        {.p_type = PT_PHDR,
         .p_offset = headers,
         .p_filesz = SEGMENTS * 56,
         .p_memsz = SEGMENTS * 56,
         .p_flags = PF_R,
         .p_align = 8},
        {.p_type = PT_LOAD,
         .p_offset = headers,
         .p_filesz = SEGMENTS * 56,
         .p_memsz = SEGMENTS * 56,
         .p_flags = PF_R,
         .p_align = 8},
        segment(e, text, shared, PF_R | PF_X),
        segment(e, shared, constant, PF_R | PF_W),
        segment(e, constant, constant_at(e, e->count) + (e->variable_count > 0), PF_R),
    };
    for (int i = 0; i < SEGMENTS; i++) {
        if (!gelf_update_phdr(elf, i, &segments[i])) return elf_failed(e);
    }
    return true;
}

static bool write_elf(struct emitter *e, Elf *elf) {
    GElf_Ehdr header;
    elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
    if (!gelf_newehdr(elf, ELFCLASS64) || !gelf_newphdr(elf, SEGMENTS)) return elf_failed(e);
    const uint64_t end = write_sections(e, elf);
    if (!end || !gelf_getehdr(elf, &header)) return elf_failed(e);
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_OSABI] = OSABI_CUDA;
    header.e_ident[EI_ABIVERSION] = ABI_VERSION;
    header.e_type = ET_EXEC;
    header.e_machine = MACHINE_CUDA;
    header.e_version = EV_CURRENT;
    header.e_flags = FLAGS_SM90;
    header.e_shstrndx = NAMES;
    header.e_shoff = end;
    header.e_phoff = end + 64 * e->section_count;
    if (!gelf_update_ehdr(elf, &header) || !write_segments(e, elf, header.e_phoff)) return false;
    return elf_update(elf, ELF_C_WRITE) >= 0 || elf_failed(e);
}

static uint8_t *read_back(struct emitter *e, int file, size_t *size) {
    const off_t end = lseek(file, 0, SEEK_END);
    uint8_t *bytes = end > 0 ? malloc((size_t)end) : NULL;
    if (bytes && pread(file, bytes, (size_t)end, 0) == end) {
        *size = (size_t)end;
        return bytes;
    }
    free(bytes);
    sass_fail(e->error, "the cubin cannot be read back from a temporary file");
    return NULL;
}

uint8_t *write_file(struct emitter *e, size_t *size) {
    FILE *file = tmpfile(); // libelf writes to files only
    uint8_t *bytes = NULL;
    elf_version(EV_CURRENT);
    Elf *elf = file ? elf_begin(fileno(file), ELF_C_WRITE, NULL) : NULL;
    if (!elf)
        sass_fail(e->error, "no temporary file for the cubin: is there room in the directory for such files?");
    else if (write_elf(e, elf))
        bytes = read_back(e, fileno(file), size);
    if (elf) elf_end(elf);
    if (file) fclose(file);
    return bytes;
}
