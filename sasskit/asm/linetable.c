// Writes .debug_line, a DWARF 2 table that gives instructions their source lines.
#include "emitter.h"

#include <stdlib.h>

static void put_leb(struct bytes *out, int64_t value, bool is_signed) {
    for (bool more = true; more;) {
        const unsigned byte = (unsigned)value & 0x7f;
        value >>= 7;
        more = is_signed ? !((value == 0 && !(byte & 0x40)) || (value == -1 && byte & 0x40))
                         : value != 0;
        bytes_put(out, byte | (more ? 0x80 : 0), 1);
    }
}

enum { LINE_COPY = 1, LINE_ADVANCE_PC, LINE_ADVANCE_LINE, FIRST_SPECIAL = 10 };

// Writes one kernel's part of the table: a row for each instruction whose source line differs from
// that of the instruction before it.
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

void put_lines(struct emitter *e) {
    struct bytes *out = section(e, LINES, "", ".debug_line",
                                (Elf64_Shdr){.sh_type = SHT_PROGBITS, .sh_addralign = 1});
    struct bytes names = {0};
    bytes_put(&names, 0, 1); // ends the list of directories, which is empty
    bytes_put_text(&names, e->path);
    bytes_put(&names, 0, 3); // directory, time and length of the file: unknown
    bytes_put(&names, 0, 1); // ends the list of files
    bytes_put(out, 0, 4);    // length of the line table, set at the end
    bytes_put(out, 2, 2);
    bytes_put(out, 5 + FIRST_SPECIAL - 1 + names.size, 4);
    bytes_put_data(out, (const uint8_t[]){1, 1, 0xfb, 14, FIRST_SPECIAL, 0, 1, 1, 1, 1, 0, 0, 0, 1},
                   14);
    bytes_put_data(out, names.data, names.size);
    free(names.data);
    for (size_t i = 0; i < e->count; i++) put_line_program(e, out, i);
    for (int i = 0; i < 4; i++) out->data[i] = (uint8_t)((out->size - 4) >> (8 * i));
    struct bytes *relocations = section(e, callgraph_at(e) + 1, "", ".rela.debug_line",
                                        (Elf64_Shdr){.sh_type = SHT_RELA,
                                                     .sh_flags = SHF_INFO_LINK,
                                                     .sh_link = SYMBOLS,
                                                     .sh_info = LINES,
                                                     .sh_entsize = 24,
                                                     .sh_addralign = 8});
    bytes_put_data(relocations, e->line_relocations.data, e->line_relocations.size);
}
