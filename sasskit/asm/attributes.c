// Writes the sections that describe a cubin and its kernels: notes, attributes, call graph.
#include "emitter.h"

#include <stdio.h>
#include <stdlib.h>

// --- notes and compatibility ---------------------------------------------------------------------

static void put_note_head(struct bytes *out, size_t size, unsigned type) {
    bytes_put(out, 12, 4);
    bytes_put(out, size, 4);
    bytes_put(out, type, 4);
    bytes_put_data(out, "NVIDIA Corp", 12);
}

// The note consists of the number 2, the offsets of five texts, and these texts.
void put_tool_note(struct emitter *e) {
    char arch[16];
    const char *const texts[] = {"", "sass asm", "assembler of this course", "", arch};
    snprintf(arch, sizeof arch, "-arch %s", e->chip->name);
    struct bytes offsets = {0}, strings = {0};
    struct bytes *out =
        section(e, TOOL_NOTE, "", ".note.nv.tkinfo",
                (Elf64_Shdr){.sh_type = SHT_NOTE, .sh_flags = FLAG_TOOL_NOTE, .sh_addralign = 4});
    bytes_put(&offsets, 2, 4);
    for (int i = 0; i < 5; i++) bytes_put(&offsets, bytes_put_text(&strings, texts[i]), 4);
    bytes_align(&strings, 4);
    put_note_head(out, offsets.size + strings.size, 2000);
    bytes_put_data(out, offsets.data, offsets.size);
    bytes_put_data(out, strings.data, strings.size);
    free(offsets.data);
    free(strings.data);
}

void put_cuda_note(struct emitter *e) {
    struct bytes *out =
        section(e, CUDA_NOTE, "", ".note.nv.cuinfo",
                (Elf64_Shdr){.sh_type = SHT_NOTE,
                             .sh_flags = FLAG_CUDA_NOTE | (is_new(e) ? SHF_INFO_LINK : 0),
                             .sh_link = TOOL_NOTE,
                             .sh_info = is_new(e) ? COMPAT : 0,
                             .sh_addralign = 4});
    put_note_head(out, 8, 1000);
    bytes_put(out, 2, 2);
    bytes_put(out, (uint64_t)e->chip->capability, 2);
    bytes_put(out, API_VERSION, 4);
}

// Writes the bytes of section .nv.compat as nvcc 13.0 does for sm_90; their meaning is
// undocumented.
void put_compat(struct emitter *e) {
    static const uint8_t data[] = {2, 9, 0, 0, 2, 2, 1, 0,  2, 5, 5, 0, 3, 7, 1, 1, 2, 3,
                                   0, 0, 2, 6, 1, 0, 4, 11, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    bytes_put_data(section(e, COMPAT, "", ".nv.compat",
                           (Elf64_Shdr){.sh_type = TYPE_COMPAT, .sh_addralign = 4}),
                   data, sizeof data);
}

// --- attributes ----------------------------------------------------------------------------------

static void put_head(struct bytes *out, unsigned id, size_t size) {
    bytes_put(out, INFO_BYTES, 1);
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

void put_info(struct emitter *e) {
    struct bytes *out =
        section(e, INFO, "", ".nv.info",
                (Elf64_Shdr){.sh_type = TYPE_INFO, .sh_link = SYMBOLS, .sh_addralign = 4});
    for (size_t i = 0; i < e->count; i++) {
        const uint64_t symbol = kernel_symbol(e, i);
        put_words(out, INFO_REGCOUNT, 2, (uint64_t[]){symbol, (uint64_t)e->kernels[i].registers});
        put_words(out, INFO_FRAME_SIZE, 2, (uint64_t[]){symbol, 0});
    }
    for (size_t i = 0; i < e->count; i++)
        put_words(out, INFO_MIN_STACK_SIZE, 2, (uint64_t[]){kernel_symbol(e, i), 0});
}

static void put_parameters(struct bytes *out, const struct program_kernel *kernel) {
    for (int i = kernel->parameter_count; i > 0; i--) {
        const struct program_parameter *parameter = &kernel->parameters[i - 1];
        put_head(out, INFO_KPARAM_INFO, 12);
        bytes_put(out, 0, 4);
        bytes_put(out, (uint64_t)i - 1, 2);
        bytes_put(out, (uint64_t)parameter->offset, 2);
        bytes_put(out, (uint64_t)parameter->size << 18 | 0x1f000, 4);
    }
}

static void put_exits(struct bytes *out, const struct assembled *kernel) {
    size_t count = 0;
    for (size_t i = 0; i < kernel->count; i++) count += kernel->code[i].form->opcode == SASS_EXIT;
    put_head(out, INFO_EXIT_OFFSETS, 4 * count);
    for (size_t i = 0; i < kernel->count; i++) {
        if (kernel->code[i].form->opcode == SASS_EXIT) bytes_put(out, i * SASS_BYTES, 4);
    }
}

void put_kernel_info(struct emitter *e, size_t index) {
    const struct assembled *kernel = &e->kernels[index];
    const struct program_kernel *source = kernel->source;
    const unsigned size = (unsigned)source->parameter_bytes;
    struct bytes *out = section(e, INFO_OF_KERNELS + index, ".nv.info.", source->name,
                                (Elf64_Shdr){.sh_type = TYPE_INFO,
                                             .sh_flags = SHF_INFO_LINK,
                                             .sh_link = SYMBOLS,
                                             .sh_info = (uint32_t)text_at(e, index),
                                             .sh_addralign = 4});
    put_words(out, INFO_CUDA_API_VERSION, 1, (uint64_t[]){API_VERSION});
    put_parameters(out, source);
    if (is_new(e))
        put_short(out, INFO_SHORT, INFO_SPARSE_MASK, 0);
    else
        put_short(out, INFO_NOTHING, INFO_SW2861232_WAR, 0);
    put_short(out, INFO_SHORT, INFO_MAXREG_COUNT, 0xff);
    if (kernel->barriers) put_short(out, INFO_BYTE, INFO_NUM_BARRIERS, (unsigned)kernel->barriers);
    put_short(out, INFO_SHORT, INFO_MERCURY_VERSION, is_new(e) ? 0x0101 : 0);
    put_exits(out, kernel);
    if (source->threads)
        put_words(out, INFO_MAX_THREADS, 3, (uint64_t[]){(uint64_t)source->threads, 1, 1});
    put_short(out, INFO_SHORT, INFO_CBANK_PARAM_SIZE, size);
    put_words(out, INFO_PARAM_CBANK, 2,
              (uint64_t[]){constant_symbol(e, index),
                           (uint64_t)e->chip->bank0->param_base | (uint64_t)size << 16});
    if (is_new(e)) put_words(out, INFO_SW_WAR, 1, (uint64_t[]){8});
}

void put_callgraph(struct emitter *e) {
    struct bytes *out = section(
        e, callgraph_at(e), "", ".nv.callgraph",
        (Elf64_Shdr){
            .sh_type = TYPE_CALLGRAPH, .sh_link = SYMBOLS, .sh_entsize = 8, .sh_addralign = 4});
    for (unsigned i = 1; i <= 4; i++) {
        bytes_put(out, 0, 4);
        bytes_put(out, 0 - (uint64_t)i, 4);
    }
}
