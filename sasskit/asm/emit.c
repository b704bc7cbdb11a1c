// Writes assembled kernels as a cubin, an ELF64 file for machine 190 (CUDA), as nvcc 13.0 lays it
// out for the chip. Only files for sm_90 were tried on a GPU.
//
// The sections are, in this order: names of sections, names of symbols, symbols, line table, two
// notes, .nv.info (registers, stack), .nv.compat, one .nv.info.KERNEL per kernel (parameters,
// limits, exits), call graph, relocations of the line table, code, shared memory, reserved shared
// memory, constant bank 0. Unlike nvcc, sass asm writes no .debug_frame and no PTX text.
//
// A program with device variables has three more sections: .nv.global (the variables, which start
// as zeros), .nv.constant4 (the table of their addresses) and its relocations.
//
// Limits: no device functions, no local memory.
#include "emit.h"

#include "emitter.h"
#include "isa/encoding.h"

#include <stdlib.h>

// --- symbols -------------------------------------------------------------------------------------

struct out_symbol {
    const char *prefix, *name;
    unsigned binding, type, other;
    size_t section;
    uint64_t size, value;
};

static uint64_t variable_space(uint64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

static void put_symbol(struct emitter *e, struct out_symbol symbol) {
    struct bytes *strings = &e->sections[STRINGS].bytes, *out = &e->sections[SYMBOLS].bytes;
    bytes_put(out, strings->size, 4);
    bytes_put_data(strings, symbol.prefix, strlen(symbol.prefix));
    bytes_put_text(strings, symbol.name);
    bytes_put(out, symbol.binding << 4 | symbol.type, 1);
    bytes_put(out, symbol.other, 1);
    bytes_put(out, symbol.section, 2);
    bytes_put(out, symbol.value, 8);
    bytes_put(out, symbol.size, 8);
}

static void put_symbols(struct emitter *e) {
    section(e, SYMBOLS, "", ".symtab",
            (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                         .sh_link = STRINGS,
                         .sh_entsize = 24,
                         .sh_addralign = 8,
                         .sh_info = (uint32_t)(SYMBOL_FIRST_TEXT + 2 * e->count)});
    put_symbol(e, (struct out_symbol){"", "", STB_LOCAL, STT_NOTYPE, 0, 0, 0, 0});
    put_symbol(
        e, (struct out_symbol){"", ".note.nv.tkinfo", STB_LOCAL, STT_SECTION, 0, TOOL_NOTE, 0, 0});
    put_symbol(
        e, (struct out_symbol){"", ".note.nv.cuinfo", STB_LOCAL, STT_SECTION, 0, CUDA_NOTE, 0, 0});
    put_symbol(e, (struct out_symbol){"", ".debug_line", STB_LOCAL, STT_SECTION, 0, LINES, 0, 0});
    put_symbol(e, (struct out_symbol){"", ".nv.callgraph", STB_LOCAL, STT_SECTION, 0,
                                      callgraph_at(e), 0, 0});
    for (size_t i = 0; i < e->count; i++)
        put_symbol(e, (struct out_symbol){".text.", e->kernels[i].source->name, STB_LOCAL,
                                          STT_SECTION, 0, text_at(e, i), 0, 0});
    for (size_t i = 0; i < e->count; i++)
        put_symbol(e, (struct out_symbol){".nv.constant0.", e->kernels[i].source->name, STB_LOCAL,
                                          STT_SECTION, 0, constant_at(e, i), 0, 0});
    if (is_new(e)) {
        put_symbol(e, (struct out_symbol){"", ".nv.reservedSmem.offset0", STB_WEAK, STT_OBJECT, 0,
                                          0, 4, 0});
        put_symbol(e, (struct out_symbol){"", "__nv_reservedSMEM_offset_0_alias", STB_WEAK,
                                          STT_NOTYPE, OTHER_RESERVED, reserved_at(e), 0, 0});
    }
    for (size_t i = 0; i < e->count; i++)
        put_symbol(e, (struct out_symbol){"", e->kernels[i].source->name, STB_GLOBAL, STT_FUNC,
                                          OTHER_ENTRY, text_at(e, i),
                                          e->kernels[i].count * SASS_BYTES, 0});
    uint64_t at = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct program_kernel *source = e->kernels[i].source;
        for (int v = 0; v < source->variable_count; v++) {
            const uint64_t size = (uint64_t)source->variables[v].bytes;
            put_symbol(e, (struct out_symbol){"", source->variables[v].name, STB_GLOBAL, STT_OBJECT,
                                              0, variables_at(e), size, at});
            at += variable_space(size);
        }
    }
}

// --- sections ------------------------------------------------------------------------------------

static void put_code(struct emitter *e, size_t index) {
    const struct assembled *kernel = &e->kernels[index];
    struct bytes *out =
        section(e, text_at(e, index), ".text.", kernel->source->name,
                (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                             .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                             .sh_link = SYMBOLS,
                             .sh_info = (uint32_t)(kernel_symbol(e, index) |
                                                   (is_new(e) ? 0 : kernel->registers << 24)),
                             .sh_addralign = 128});
    for (size_t i = 0; i < kernel->count; i++) {
        bytes_put(out, kernel->code[i].word.low, 8);
        bytes_put(out, kernel->code[i].word.high, 8);
    }
}

static void put_memory(struct emitter *e, size_t index) {
    const struct program_kernel *source = e->kernels[index].source;
    const uint32_t text = (uint32_t)text_at(e, index);
    section(e, shared_at(e, index), ".nv.shared.", source->name,
            (Elf64_Shdr){.sh_type = SHT_NOBITS,
                         .sh_flags = SHF_WRITE | SHF_ALLOC | SHF_INFO_LINK,
                         .sh_info = text,
                         .sh_size = (uint64_t)(e->chip->shared_reserved + source->shared_bytes),
                         .sh_addralign = 16});
    struct bytes *out = section(e, constant_at(e, index), ".nv.constant0.", source->name,
                                (Elf64_Shdr){.sh_type = SHT_PROGBITS,
                                             .sh_flags = SHF_ALLOC | SHF_INFO_LINK,
                                             .sh_info = text,
                                             .sh_addralign = 4});
    for (int i = 0; i < e->chip->bank0->param_base + source->parameter_bytes; i++)
        bytes_put(out, 0, 1);
}

static void put_variables(struct emitter *e) {
    uint64_t size = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct program_kernel *source = e->kernels[i].source;
        for (int v = 0; v < source->variable_count; v++)
            size += variable_space((uint64_t)source->variables[v].bytes);
    }
    section(e, variables_at(e), "", ".nv.global",
            (Elf64_Shdr){.sh_type = SHT_NOBITS,
                         .sh_flags = SHF_WRITE | SHF_ALLOC,
                         .sh_size = size,
                         .sh_addralign = 16});
    struct bytes *addresses =
        section(e, addresses_at(e), "", ".nv.constant4",
                (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_addralign = 8});
    struct bytes *relocations = section(e, addresses_at(e) + 1, "", ".rela.nv.constant4",
                                        (Elf64_Shdr){.sh_type = SHT_RELA,
                                                     .sh_flags = SHF_INFO_LINK,
                                                     .sh_link = SYMBOLS,
                                                     .sh_info = (uint32_t)addresses_at(e),
                                                     .sh_entsize = 24,
                                                     .sh_addralign = 8});
    for (size_t i = 0; i < e->variable_count; i++) {
        bytes_put(relocations, addresses->size, 8);
        bytes_put(relocations, RELOCATION_64 | (uint64_t)variable_symbol(e, i) << 32, 8);
        bytes_put(relocations, 0, 8);
        bytes_put(addresses, 0, 8);
    }
}

static void put_sections(struct emitter *e) {
    section(e, NAMES, "", "", (Elf64_Shdr){0}); // the empty name of section 0 comes first
    section(e, NAMES, "", ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1});
    section(e, STRINGS, "", ".strtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1});
    put_symbols(e);
    put_tool_note(e);
    put_cuda_note(e);
    put_info(e);
    if (is_new(e)) put_compat(e);
    for (size_t i = 0; i < e->count; i++) put_kernel_info(e, i);
    put_callgraph(e);
    put_lines(e);
    for (size_t i = 0; i < e->count; i++) put_code(e, i);
    for (size_t i = 0; i < e->count; i++) put_memory(e, i);
    if (is_new(e))
        section(e, reserved_at(e), "", ".nv.shared.reserved.0",
                (Elf64_Shdr){
                    .sh_type = SHT_NOBITS, .sh_flags = SHF_WRITE | SHF_ALLOC, .sh_addralign = 1});
    if (e->variable_count) put_variables(e);
}

uint8_t *emit_cubin(const struct assembled *kernels, size_t count, const char *path, size_t *size,
                    struct error *error) {
    struct emitter e = {
        .kernels = kernels, .chip = kernels->chip, .count = count, .path = path, .error = error};
    struct arena memory = {0};
    for (size_t i = 0; i < count; i++)
        e.variable_count += (size_t)kernels[i].source->variable_count;
    e.section_count =
        FIXED_SECTIONS + KERNEL_SECTIONS * count + (e.variable_count ? VARIABLE_SECTIONS : 0);
    ARENA_NEW(&memory, e.sections, e.section_count);
    put_sections(&e);
    uint8_t *bytes = write_file(&e, size);
    for (size_t i = 0; i < e.section_count; i++) free(e.sections[i].bytes.data);
    arena_clear(&memory);
    free(e.line_relocations.data);
    return bytes;
}
