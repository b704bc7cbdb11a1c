// Writes the ELF file: header, sections one after the other, section table, segment table.
#include "emitter.h"

#include "isa/encoding.h"

enum { FLAGS = 0x06000004, OSABI_CUDA = 0x41, ABI_VERSION = 8, SEGMENTS = 5 };

// Sets each section's offset and size. Returns the offset of the section table.
static uint64_t place_sections(struct emitter *e) {
    uint64_t at = sizeof(Elf64_Ehdr);
    for (size_t i = 1; i < e->section_count; i++) {
        struct out_section *out = &e->sections[i];
        const uint64_t align = out->header.sh_addralign ? out->header.sh_addralign : 1;
        const bool empty = out->header.sh_type == SHT_NOBITS;
        if (!empty) at = (at + align - 1) / align * align;
        out->header.sh_offset = at;
        if (empty) continue;
        out->header.sh_size = out->bytes.size;
        at += out->bytes.size;
    }
    return (at + 7) / 8 * 8;
}

// Returns the header of a segment that consists of sections `first` to `last` - 1.
static Elf64_Phdr segment(const struct emitter *e, size_t first, size_t last, unsigned flags) {
    const Elf64_Shdr *start = &e->sections[first].header;
    Elf64_Phdr out = {
        .p_type = PT_LOAD, .p_offset = start->sh_offset, .p_flags = flags, .p_align = 8};
    for (size_t i = first; i < last; i++) {
        const Elf64_Shdr *header = &e->sections[i].header;
        if (header->sh_type != SHT_NOBITS)
            out.p_filesz = header->sh_offset + header->sh_size - start->sh_offset;
        out.p_memsz = header->sh_type == SHT_NOBITS ? out.p_memsz + header->sh_size : out.p_filesz;
    }
    return out;
}

static void put_segments(const struct emitter *e, uint64_t headers, struct bytes *out) {
    const size_t text = text_at(e, 0), shared = shared_at(e, 0), constant = constant_at(e, 0);
    const Elf64_Phdr table = {.p_type = PT_LOAD,
                              .p_offset = headers,
                              .p_filesz = SEGMENTS * sizeof table,
                              .p_memsz = SEGMENTS * sizeof table,
                              .p_flags = PF_R,
                              .p_align = 8};
    Elf64_Phdr segments[SEGMENTS] = {
        table,
        table,
        segment(e, text, shared, PF_R | PF_X),
        segment(e, shared, constant, PF_R | PF_W),
        segment(e, constant, constant_at(e, e->count) + (e->variable_count > 0), PF_R),
    };
    segments[0].p_type = PT_PHDR;
    bytes_put_data(out, segments, sizeof segments);
}

uint8_t *write_file(struct emitter *e, size_t *size) {
    struct bytes out = {0};
    const uint64_t end = place_sections(e), segments = end + sizeof(Elf64_Shdr) * e->section_count;
    const Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
                                           OSABI_CUDA, ABI_VERSION},
                               .e_type = ET_EXEC,
                               .e_machine = MACHINE_CUDA,
                               .e_version = EV_CURRENT,
                               .e_phoff = segments,
                               .e_shoff = end,
                               .e_flags = FLAGS | (uint32_t)e->chip->capability << 8,
                               .e_ehsize = sizeof(Elf64_Ehdr),
                               .e_phentsize = sizeof(Elf64_Phdr),
                               .e_phnum = SEGMENTS,
                               .e_shentsize = sizeof(Elf64_Shdr),
                               .e_shnum = (uint16_t)e->section_count,
                               .e_shstrndx = NAMES};
    if (e->section_count >= SHN_LORESERVE)
        return error_fail(e->error, "too many kernels for one cubin"), NULL;
    bytes_put_data(&out, &header, sizeof header);
    for (size_t i = 1; i < e->section_count; i++) {
        const struct out_section *section = &e->sections[i];
        if (section->header.sh_type == SHT_NOBITS) continue;
        while (out.size < section->header.sh_offset) bytes_put(&out, 0, 1);
        bytes_put_data(&out, section->bytes.data, section->bytes.size);
    }
    bytes_align(&out, 8);
    for (size_t i = 0; i < e->section_count; i++)
        bytes_put_data(&out, &e->sections[i].header, sizeof(Elf64_Shdr));
    put_segments(e, segments, &out);
    *size = out.size;
    return out.data;
}
