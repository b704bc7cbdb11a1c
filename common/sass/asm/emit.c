// A cubin around code: ELF64 for machine 190 as nvcc 13.0 writes it for sm_90.
//
// Sections, in this order: names, symbols, source lines, two notes, .nv.info (registers, stack), .nv.compat, one
// .nv.info.KERNEL each (parameters, limits, exits), call graph, relocations of the lines, code, shared memory, constant
// bank 0. Left out of what nvcc writes: .debug_frame and the PTX text.
//
// With variables: their zeros, their addresses (constant bank 4) and the relocations that fill these in.
//
// Limits: no device functions, no local memory.
#include "emit.h"

#include "bytes.h"
#include "sass/isa/encoding.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MACHINE_CUDA = 190,
    FLAGS_SM90 = 0x06005a04,
    OSABI_CUDA = 0x41,
    ABI_VERSION = 8,
    API_VERSION = 0x82,
    PARAM_BASE = 0x210,
    SHARED_RESERVED = 0x400,
    TYPE_INFO = 0x70000000,
    TYPE_CALLGRAPH = 0x70000001,
    TYPE_COMPAT = 0x70000086,
    FLAG_TOOL_NOTE = 0x02000000,
    FLAG_CUDA_NOTE = 0x01000000,
    OTHER_ENTRY = 0x10,
    OTHER_RESERVED = 0xa0,
    RELOCATION_64 = 2,
    KERNEL_SECTIONS = 4,
    FIXED_SECTIONS = 12,
    VARIABLE_SECTIONS = 3,
    SEGMENTS = 5
};

// Fixed section numbers; those of kernels follow from how many there are.
enum { NAMES = 1, STRINGS, SYMBOLS, LINES, TOOL_NOTE, CUDA_NOTE, INFO, COMPAT, INFO_OF_KERNELS };

struct out_section {
    GElf_Shdr header;
    struct bytes bytes;
};

struct emitter {
    const struct assembled *kernels;
    size_t count, section_count, variable_count;
    const char *path;
    struct out_section *sections;
    struct bytes line_relocations;
    struct sass_error *error;
};

static size_t callgraph_at(const struct emitter *e) {
    return INFO_OF_KERNELS + e->count;
}

static size_t text_at(const struct emitter *e, size_t kernel) {
    return callgraph_at(e) + 2 + kernel;
}

static size_t shared_at(const struct emitter *e, size_t kernel) {
    return text_at(e, e->count) + kernel;
}

static size_t reserved_at(const struct emitter *e) {
    return shared_at(e, e->count);
}

static size_t constant_at(const struct emitter *e, size_t kernel) {
    return reserved_at(e) + 1 + (e->variable_count > 0) + kernel;
}

// With variables.
static size_t variables_at(const struct emitter *e) {
    return reserved_at(e) + 1;
}

static size_t addresses_at(const struct emitter *e) {
    return constant_at(e, e->count);
}

// Symbols: null, two notes, lines, call graph, then code and constants of each kernel; two weak ones; the kernels.
enum { SYMBOL_LINES = 3, SYMBOL_FIRST_TEXT = 5 };

static size_t constant_symbol(const struct emitter *e, size_t kernel) {
    return SYMBOL_FIRST_TEXT + e->count + kernel;
}

static size_t kernel_symbol(const struct emitter *e, size_t kernel) {
    return SYMBOL_FIRST_TEXT + 2 * e->count + 2 + kernel;
}

static size_t variable_symbol(const struct emitter *e, size_t variable) {
    return kernel_symbol(e, e->count) + variable;
}

static struct bytes *section(struct emitter *e, size_t index, const char *prefix, const char *name, GElf_Shdr header) {
    struct out_section *out = &e->sections[index];
    struct bytes *names = &e->sections[NAMES].bytes;
    out->header = header;
    out->header.sh_name = (GElf_Word)names->size;
    bytes_put_data(names, prefix, strlen(prefix));
    bytes_put_text(names, name);
    return &out->bytes;
}

// --- symbols ---------------------------------------------------------------------------------------------------------------

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
    bytes_put(out, GELF_ST_INFO(symbol.binding, symbol.type), 1);
    bytes_put(out, symbol.other, 1);
    bytes_put(out, symbol.section, 2);
    bytes_put(out, symbol.value, 8);
    bytes_put(out, symbol.size, 8);
}

static void put_symbols(struct emitter *e) {
    section(e, SYMBOLS, "", ".symtab",
            (GElf_Shdr){.sh_type = SHT_SYMTAB,
                        .sh_link = STRINGS,
                        .sh_entsize = 24,
                        .sh_addralign = 8,
                        .sh_info = (GElf_Word)(SYMBOL_FIRST_TEXT + 2 * e->count)});
    put_symbol(e, (struct out_symbol){"", "", STB_LOCAL, STT_NOTYPE, 0, 0, 0, 0});
    put_symbol(e, (struct out_symbol){"", ".note.nv.tkinfo", STB_LOCAL, STT_SECTION, 0, TOOL_NOTE, 0, 0});
    put_symbol(e, (struct out_symbol){"", ".note.nv.cuinfo", STB_LOCAL, STT_SECTION, 0, CUDA_NOTE, 0, 0});
    put_symbol(e, (struct out_symbol){"", ".debug_line", STB_LOCAL, STT_SECTION, 0, LINES, 0, 0});
    put_symbol(e, (struct out_symbol){"", ".nv.callgraph", STB_LOCAL, STT_SECTION, 0, callgraph_at(e), 0, 0});
    for (size_t i = 0; i < e->count; i++)
        put_symbol(e, (struct out_symbol){".text.", e->kernels[i].source->name, STB_LOCAL, STT_SECTION, 0,
                                          text_at(e, i), 0, 0});
    for (size_t i = 0; i < e->count; i++)
        put_symbol(e, (struct out_symbol){".nv.constant0.", e->kernels[i].source->name, STB_LOCAL, STT_SECTION, 0,
                                          constant_at(e, i), 0, 0});
    put_symbol(e, (struct out_symbol){"", ".nv.reservedSmem.offset0", STB_WEAK, STT_OBJECT, 0, 0, 4, 0});
    put_symbol(e, (struct out_symbol){"", "__nv_reservedSMEM_offset_0_alias", STB_WEAK, STT_NOTYPE, OTHER_RESERVED,
                                      reserved_at(e), 0, 0});
    for (size_t i = 0; i < e->count; i++)
        put_symbol(e, (struct out_symbol){"", e->kernels[i].source->name, STB_GLOBAL, STT_FUNC, OTHER_ENTRY,
                                          text_at(e, i), e->kernels[i].count * SASS_BYTES, 0});
    uint64_t at = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct program_kernel *source = e->kernels[i].source;
        for (int v = 0; v < source->variable_count; v++) {
            const uint64_t size = (uint64_t)source->variables[v].bytes;
            put_symbol(e, (struct out_symbol){"", source->variables[v].name, STB_GLOBAL, STT_OBJECT, 0, variables_at(e),
                                              size, at});
            at += variable_space(size);
        }
    }
}

// --- notes -----------------------------------------------------------------------------------------------------------------

static void put_note_head(struct bytes *out, size_t size, unsigned type) {
    bytes_put(out, 12, 4);
    bytes_put(out, size, 4);
    bytes_put(out, type, 4);
    bytes_put_data(out, "NVIDIA Corp", 12);
}

// Which tool wrote the file: five offsets into the texts behind them.
static void put_tool_note(struct emitter *e) {
    static const char *const texts[] = {"", "sass asm", "assembler of this course", "", "-arch sm_90"};
    struct bytes offsets = {0}, strings = {0};
    struct bytes *out = section(e, TOOL_NOTE, "", ".note.nv.tkinfo",
                                (GElf_Shdr){.sh_type = SHT_NOTE, .sh_flags = FLAG_TOOL_NOTE, .sh_addralign = 4});
    bytes_put(&offsets, 2, 4);
    for (int i = 0; i < 5; i++) bytes_put(&offsets, bytes_put_text(&strings, texts[i]), 4);
    bytes_align(&strings, 4);
    put_note_head(out, offsets.size + strings.size, 2000);
    bytes_put_data(out, offsets.data, offsets.size);
    bytes_put_data(out, strings.data, strings.size);
    out->failed |= offsets.failed || strings.failed;
    free(offsets.data);
    free(strings.data);
}

static void put_cuda_note(struct emitter *e) {
    struct bytes *out = section(e, CUDA_NOTE, "", ".note.nv.cuinfo",
                                (GElf_Shdr){.sh_type = SHT_NOTE,
                                            .sh_flags = FLAG_CUDA_NOTE | SHF_INFO_LINK,
                                            .sh_link = TOOL_NOTE,
                                            .sh_info = COMPAT,
                                            .sh_addralign = 4});
    put_note_head(out, 8, 1000);
    bytes_put(out, 2, 2);
    bytes_put(out, 90, 2);
    bytes_put(out, API_VERSION, 4);
}

// Copied from what nvcc 13.0 writes for sm_90; the meaning of these attributes is not documented.
static void put_compat(struct emitter *e) {
    static const uint8_t data[] = {2, 9, 0, 0, 2, 2, 1, 0,  2, 5, 5, 0, 3, 7, 1, 1, 2, 3,
                                   0, 0, 2, 6, 1, 0, 4, 11, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    bytes_put_data(section(e, COMPAT, "", ".nv.compat", (GElf_Shdr){.sh_type = TYPE_COMPAT, .sh_addralign = 4}), data,
                   sizeof data);
}

// --- attributes ------------------------------------------------------------------------------------------------------------

enum {
    MAX_THREADS = 0x05,
    PARAM_CBANK = 0x0a,
    FRAME_SIZE = 0x11,
    MIN_STACK_SIZE = 0x12,
    KPARAM_INFO = 0x17,
    CBANK_PARAM_SIZE = 0x19,
    MAXREG_COUNT = 0x1b,
    EXIT_OFFSETS = 0x1c,
    REGCOUNT = 0x2f,
    SW_WAR = 0x36,
    CUDA_API_VERSION = 0x37,
    NUM_BARRIERS = 0x4c,
    SPARSE_MASK = 0x50,
    MERCURY_VERSION = 0x5f
};

static void put_head(struct bytes *out, unsigned id, size_t size) {
    bytes_put(out, 4, 1);
    bytes_put(out, id, 1);
    bytes_put(out, size, 2);
}

static void put_words(struct bytes *out, unsigned id, size_t count, const uint64_t *words) {
    put_head(out, id, 4 * count);
    for (size_t i = 0; i < count; i++) bytes_put(out, words[i], 4);
}

static void put_short(struct bytes *out, unsigned format, unsigned id, unsigned value) {
    bytes_put(out, format, 1);
    bytes_put(out, id, 1);
    bytes_put(out, value, 2);
}

static void put_info(struct emitter *e) {
    struct bytes *out =
        section(e, INFO, "", ".nv.info", (GElf_Shdr){.sh_type = TYPE_INFO, .sh_link = SYMBOLS, .sh_addralign = 4});
    for (size_t i = 0; i < e->count; i++) {
        const uint64_t symbol = kernel_symbol(e, i);
        put_words(out, REGCOUNT, 2, (uint64_t[]){symbol, (uint64_t)e->kernels[i].registers});
        put_words(out, FRAME_SIZE, 2, (uint64_t[]){symbol, 0});
    }
    for (size_t i = 0; i < e->count; i++) put_words(out, MIN_STACK_SIZE, 2, (uint64_t[]){kernel_symbol(e, i), 0});
}

static void put_parameters(struct bytes *out, const struct program_kernel *kernel) {
    for (int i = kernel->parameter_count; i > 0; i--) {
        const struct program_parameter *parameter = &kernel->parameters[i - 1];
        put_head(out, KPARAM_INFO, 12);
        bytes_put(out, 0, 4);
        bytes_put(out, (uint64_t)i - 1, 2);
        bytes_put(out, (uint64_t)parameter->offset, 2);
        bytes_put(out, (uint64_t)parameter->size << 18 | 0x1f000, 4);
    }
}

static void put_exits(struct bytes *out, const struct assembled *kernel) {
    size_t count = 0;
    for (size_t i = 0; i < kernel->count; i++) count += kernel->code[i].form->opcode == SASS_EXIT;
    put_head(out, EXIT_OFFSETS, 4 * count);
    for (size_t i = 0; i < kernel->count; i++) {
        if (kernel->code[i].form->opcode == SASS_EXIT) bytes_put(out, i * SASS_BYTES, 4);
    }
}

static void put_kernel_info(struct emitter *e, size_t index) {
    const struct assembled *kernel = &e->kernels[index];
    const struct program_kernel *source = kernel->source;
    const unsigned size = (unsigned)source->parameter_bytes;
    struct bytes *out = section(e, INFO_OF_KERNELS + index, ".nv.info.", source->name,
                                (GElf_Shdr){.sh_type = TYPE_INFO,
                                            .sh_flags = SHF_INFO_LINK,
                                            .sh_link = SYMBOLS,
                                            .sh_info = (GElf_Word)text_at(e, index),
                                            .sh_addralign = 4});
    put_words(out, CUDA_API_VERSION, 1, (uint64_t[]){API_VERSION});
    put_parameters(out, source);
    put_short(out, 3, SPARSE_MASK, 0);
    put_short(out, 3, MAXREG_COUNT, 0xff);
    if (kernel->barriers) put_short(out, 2, NUM_BARRIERS, (unsigned)kernel->barriers);
    put_short(out, 3, MERCURY_VERSION, 0x0101);
    put_exits(out, kernel);
    if (source->threads) put_words(out, MAX_THREADS, 3, (uint64_t[]){(uint64_t)source->threads, 1, 1});
    put_short(out, 3, CBANK_PARAM_SIZE, size);
    put_words(out, PARAM_CBANK, 2, (uint64_t[]){constant_symbol(e, index), PARAM_BASE | (uint64_t)size << 16});
    put_words(out, SW_WAR, 1, (uint64_t[]){8});
}

static void put_callgraph(struct emitter *e) {
    struct bytes *out =
        section(e, callgraph_at(e), "", ".nv.callgraph",
                (GElf_Shdr){.sh_type = TYPE_CALLGRAPH, .sh_link = SYMBOLS, .sh_entsize = 8, .sh_addralign = 4});
    for (unsigned i = 1; i <= 4; i++) {
        bytes_put(out, 0, 4);
        bytes_put(out, 0 - (uint64_t)i, 4);
    }
}

// --- source lines ------------------------------------------------------------------------------------------------------------

static void put_leb(struct bytes *out, int64_t value, bool is_signed) {
    for (bool more = true; more;) {
        const unsigned byte = (unsigned)value & 0x7f;
        value >>= 7;
        more = is_signed ? !((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40)) : value != 0;
        bytes_put(out, byte | (more ? 0x80 : 0), 1);
    }
}

enum { LINE_COPY = 1, LINE_ADVANCE_PC, LINE_ADVANCE_LINE, FIRST_SPECIAL = 10 };

// One DWARF 2 line program: each instruction that comes from another line than the one before it.
static void put_line_program(struct emitter *e, struct bytes *out, size_t index) {
    const struct assembled *kernel = &e->kernels[index];
    int64_t line = 1;
    size_t at = 0;
    bytes_put_data(out, (const uint8_t[]){0, 9, 2}, 3);
    bytes_put(&e->line_relocations, out->size, 8);
    bytes_put(&e->line_relocations, RELOCATION_64 | (uint64_t)kernel_symbol(e, index) << 32, 8);
    bytes_put(&e->line_relocations, 0, 8);
    bytes_put(out, 0, 8);
    for (size_t i = 0; i < kernel->count; i++) {
        if (!kernel->lines[i] || (i && kernel->lines[i]->line == line)) continue;
        bytes_put(out, LINE_ADVANCE_LINE, 1);
        put_leb(out, kernel->lines[i]->line - line, true);
        bytes_put(out, LINE_ADVANCE_PC, 1);
        put_leb(out, (int64_t)((i - at) * SASS_BYTES), false);
        bytes_put(out, LINE_COPY, 1);
        line = kernel->lines[i]->line;
        at = i;
    }
    bytes_put(out, LINE_ADVANCE_PC, 1);
    put_leb(out, (int64_t)((kernel->count - at) * SASS_BYTES), false);
    bytes_put_data(out, (const uint8_t[]){0, 1, 1}, 3);
}

static void put_lines(struct emitter *e) {
    struct bytes *out = section(e, LINES, "", ".debug_line", (GElf_Shdr){.sh_type = SHT_PROGBITS, .sh_addralign = 1});
    struct bytes names = {0};
    bytes_put(&names, 0, 1); // no directories
    bytes_put_text(&names, e->path);
    bytes_put(&names, 0, 3); // directory, time, length
    bytes_put(&names, 0, 1);
    bytes_put(out, 0, 4); // length, below
    bytes_put(out, 2, 2);
    bytes_put(out, 5 + FIRST_SPECIAL - 1 + names.size, 4);
    bytes_put_data(out, (const uint8_t[]){1, 1, 0xfb, 14, FIRST_SPECIAL, 0, 1, 1, 1, 1, 0, 0, 0, 1}, 14);
    bytes_put_data(out, names.data, names.size);
    out->failed |= names.failed;
    free(names.data);
    for (size_t i = 0; i < e->count; i++) put_line_program(e, out, i);
    for (int i = 0; !out->failed && i < 4; i++) out->data[i] = (uint8_t)((out->size - 4) >> (8 * i));
    struct bytes *relocations = section(e, callgraph_at(e) + 1, "", ".rela.debug_line",
                                        (GElf_Shdr){.sh_type = SHT_RELA,
                                                    .sh_flags = SHF_INFO_LINK,
                                                    .sh_link = SYMBOLS,
                                                    .sh_info = LINES,
                                                    .sh_entsize = 24,
                                                    .sh_addralign = 8});
    bytes_put_data(relocations, e->line_relocations.data, e->line_relocations.size);
    relocations->failed |= e->line_relocations.failed;
}

// --- code, shared memory, constants ----------------------------------------------------------------------------------------

static void put_code(struct emitter *e, size_t index) {
    const struct assembled *kernel = &e->kernels[index];
    struct bytes *out = section(e, text_at(e, index), ".text.", kernel->source->name,
                                (GElf_Shdr){.sh_type = SHT_PROGBITS,
                                            .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                            .sh_link = SYMBOLS,
                                            .sh_info = (GElf_Word)kernel_symbol(e, index),
                                            .sh_addralign = 128});
    for (size_t i = 0; i < kernel->count; i++) {
        bytes_put(out, kernel->code[i].word.low, 8);
        bytes_put(out, kernel->code[i].word.high, 8);
    }
}

static void put_memory(struct emitter *e, size_t index) {
    const struct program_kernel *source = e->kernels[index].source;
    const GElf_Word text = (GElf_Word)text_at(e, index);
    section(e, shared_at(e, index), ".nv.shared.", source->name,
            (GElf_Shdr){.sh_type = SHT_NOBITS,
                        .sh_flags = SHF_WRITE | SHF_ALLOC | SHF_INFO_LINK,
                        .sh_info = text,
                        .sh_size = (GElf_Xword)(SHARED_RESERVED + source->shared_bytes),
                        .sh_addralign = 16});
    struct bytes *out = section(
        e, constant_at(e, index), ".nv.constant0.", source->name,
        (GElf_Shdr){
            .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_INFO_LINK, .sh_info = text, .sh_addralign = 4});
    for (int i = 0; i < PARAM_BASE + source->parameter_bytes; i++) bytes_put(out, 0, 1);
}

// The variables, where the code finds their addresses, and what writes these there.
static void put_variables(struct emitter *e) {
    uint64_t size = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct program_kernel *source = e->kernels[i].source;
        for (int v = 0; v < source->variable_count; v++) size += variable_space((uint64_t)source->variables[v].bytes);
    }
    section(e, variables_at(e), "", ".nv.global",
            (GElf_Shdr){.sh_type = SHT_NOBITS, .sh_flags = SHF_WRITE | SHF_ALLOC, .sh_size = size, .sh_addralign = 16});
    struct bytes *addresses = section(e, addresses_at(e), "", ".nv.constant4",
                                      (GElf_Shdr){.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_addralign = 8});
    struct bytes *relocations = section(e, addresses_at(e) + 1, "", ".rela.nv.constant4",
                                        (GElf_Shdr){.sh_type = SHT_RELA,
                                                    .sh_flags = SHF_INFO_LINK,
                                                    .sh_link = SYMBOLS,
                                                    .sh_info = (GElf_Word)addresses_at(e),
                                                    .sh_entsize = 24,
                                                    .sh_addralign = 8});
    for (size_t i = 0; i < e->variable_count; i++) {
        bytes_put(relocations, addresses->size, 8);
        bytes_put(relocations, RELOCATION_64 | (uint64_t)variable_symbol(e, i) << 32, 8);
        bytes_put(relocations, 0, 8);
        bytes_put(addresses, 0, 8);
    }
}

static bool put_sections(struct emitter *e) {
    section(e, NAMES, "", "", (GElf_Shdr){0}); // the empty name, at 0
    section(e, NAMES, "", ".shstrtab", (GElf_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1});
    section(e, STRINGS, "", ".strtab", (GElf_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1});
    put_symbols(e);
    put_tool_note(e);
    put_cuda_note(e);
    put_info(e);
    put_compat(e);
    for (size_t i = 0; i < e->count; i++) put_kernel_info(e, i);
    put_callgraph(e);
    put_lines(e);
    for (size_t i = 0; i < e->count; i++) put_code(e, i);
    for (size_t i = 0; i < e->count; i++) put_memory(e, i);
    section(e, reserved_at(e), "", ".nv.shared.reserved.0",
            (GElf_Shdr){.sh_type = SHT_NOBITS, .sh_flags = SHF_WRITE | SHF_ALLOC, .sh_addralign = 1});
    if (e->variable_count) put_variables(e);
    for (size_t i = 1; i < e->section_count; i++) {
        if (e->sections[i].bytes.failed) return sass_fail(e->error, "out of memory");
    }
    return true;
}

// --- the file ----------------------------------------------------------------------------------------------------------------

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

static uint8_t *write_file(struct emitter *e, size_t *size) {
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

uint8_t *emit_cubin(const struct assembled *kernels, size_t count, const char *path, size_t *size,
                    struct sass_error *error) {
    struct emitter e = {.kernels = kernels, .count = count, .path = path, .error = error};
    uint8_t *bytes = NULL;
    for (size_t i = 0; i < count; i++) e.variable_count += (size_t)kernels[i].source->variable_count;
    e.section_count = FIXED_SECTIONS + KERNEL_SECTIONS * count + (e.variable_count ? VARIABLE_SECTIONS : 0);
    e.sections = calloc(e.section_count, sizeof *e.sections);
    if (!e.sections)
        sass_fail(error, "out of memory");
    else if (put_sections(&e))
        bytes = write_file(&e, size);
    for (size_t i = 0; e.sections && i < e.section_count; i++) free(e.sections[i].bytes.data);
    free(e.sections);
    free(e.line_relocations.data);
    return bytes;
}
