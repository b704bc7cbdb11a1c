// Shared by the files that write a cubin: its sections in file order, and their numbers.
#pragma once

#include "assembled.h"
#include "bytes.h"
#include "isa/elf64.h"

#include <string.h>

enum {
    API_VERSION = 0x82,
    TYPE_CALLGRAPH = 0x70000001,
    TYPE_COMPAT = 0x70000086,
    FLAG_TOOL_NOTE = 0x02000000,
    FLAG_CUDA_NOTE = 0x01000000,
    OTHER_RESERVED = 0xa0,
    RELOCATION_64 = 2,
    KERNEL_SECTIONS = 4,
    FIXED_SECTIONS = 12,
    VARIABLE_SECTIONS = 3
};

// Numbers of the first sections, equal in every cubin. From INFO_OF_KERNELS on, there is one
// section per kernel. The functions below return the numbers of the sections behind these.
enum { NAMES = 1, STRINGS, SYMBOLS, LINES, TOOL_NOTE, CUDA_NOTE, INFO, COMPAT, INFO_OF_KERNELS };

struct out_section {
    Elf64_Shdr header;
    struct bytes bytes;
};

struct emitter {
    const struct assembled *kernels;
    const struct sass_chip *chip;
    size_t count, section_count, variable_count;
    const char *path;
    struct out_section *sections;
    struct bytes line_relocations;
    struct error *error;
};

static inline size_t callgraph_at(const struct emitter *e) {
    return INFO_OF_KERNELS + e->count;
}

static inline size_t text_at(const struct emitter *e, size_t kernel) {
    return callgraph_at(e) + 2 + kernel;
}

static inline size_t shared_at(const struct emitter *e, size_t kernel) {
    return text_at(e, e->count) + kernel;
}

static inline size_t reserved_at(const struct emitter *e) {
    return shared_at(e, e->count);
}

static inline size_t constant_at(const struct emitter *e, size_t kernel) {
    return reserved_at(e) + 1 + (e->variable_count > 0) + kernel;
}

// variables_at() and addresses_at() require that the program has variables.
static inline size_t variables_at(const struct emitter *e) {
    return reserved_at(e) + 1;
}

static inline size_t addresses_at(const struct emitter *e) {
    return constant_at(e, e->count);
}

// Returns true for Hopper and newer chips, for which nvcc writes .nv.compat and
// .nv.shared.reserved.0. For older chips these two sections stay empty.
static inline bool is_new(const struct emitter *e) {
    return !sass_before_hopper(e->chip->generation);
}

// The order of the symbols: null; sections (two notes, line table, call graph, code of each kernel,
// constants of each kernel); two weak symbols if is_new(); kernels; variables.
enum { SYMBOL_LINES = 3, SYMBOL_FIRST_TEXT = 5 };

static inline size_t constant_symbol(const struct emitter *e, size_t kernel) {
    return SYMBOL_FIRST_TEXT + e->count + kernel;
}

static inline size_t kernel_symbol(const struct emitter *e, size_t kernel) {
    return SYMBOL_FIRST_TEXT + 2 * e->count + (is_new(e) ? 2 : 0) + kernel;
}

static inline size_t variable_symbol(const struct emitter *e, size_t variable) {
    return kernel_symbol(e, e->count) + variable;
}

// Starts section number `index`. Returns the byte array to which its contents are appended.
static inline struct bytes *section(struct emitter *e, size_t index, const char *prefix,
                                    const char *name, Elf64_Shdr header) {
    struct out_section *out = &e->sections[index];
    struct bytes *names = &e->sections[NAMES].bytes;
    out->header = header;
    out->header.sh_name = (uint32_t)names->size;
    bytes_put_data(names, prefix, strlen(prefix));
    bytes_put_text(names, name);
    return &out->bytes;
}

// --- attributes.c: each function writes the section that its comment names -----------------------
void put_tool_note(struct emitter *e); // .note.nv.tkinfo: tool that wrote the file
void put_cuda_note(struct emitter *e); // .note.nv.cuinfo: CUDA version
void put_compat(struct emitter *e);    // .nv.compat
// .nv.info: registers and stack of each kernel
void put_info(struct emitter *e);
void put_kernel_info(struct emitter *e, size_t index); // .nv.info.KERNEL: parameters, limits, exits
void put_callgraph(struct emitter *e);                 // .nv.callgraph

void put_lines(struct emitter *e); // linetable.c: .debug_line and its relocations
// Returns the bytes of the whole file (elf_file.c), which the caller frees; NULL after setting the
// error.
uint8_t *write_file(struct emitter *e, size_t *size);
