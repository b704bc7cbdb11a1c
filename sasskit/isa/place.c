// Finds an instruction's text and source lines.
#include "place.h"
#include "codec.h"

#include <string.h>

static bool is_sass(const char *file) {
    const size_t length = strlen(file);
    return length >= 5 && strcmp(file + length - 5, ".sass") == 0;
}

static void print_instruction(const struct sass_kernel *kernel, uint32_t index,
                              struct code_place *place) {
    struct sass_instruction in;
    struct error error = {0};
    if (sass_decode(cubin_word(kernel, index), (uint64_t)index * SASS_BYTES, &in, &error))
        sass_print(&in, NULL, place->instruction, sizeof place->instruction);
    else
        snprintf(place->instruction, sizeof place->instruction, ".word 0x%016llx 0x%016llx",
                 (unsigned long long)cubin_word(kernel, index).low,
                 (unsigned long long)cubin_word(kernel, index).high);
}

struct code_place place_of(const struct sass_kernel *kernel, uint32_t index) {
    struct code_place place = {.known = index < kernel->count,
                               .address = index * SASS_BYTES,
                               .warp = NOBODY_KNOWN,
                               .lane = NOBODY_KNOWN};
    if (!place.known) return place;
    print_instruction(kernel, index, &place);
    const struct sass_line *line = cubin_line(kernel, index * SASS_BYTES);
    if (!line || !line->line) return place;
    if (is_sass(line->file)) {
        place.sass_file = line->file;
        place.sass_line = line->line;
        return place;
    }
    const bool elsewhere = line->own_file != line->file && line->own_line;
    place.file = elsewhere ? line->own_file : line->file;
    place.line = elsewhere ? line->own_line : line->line;
    if (elsewhere || line->call_line != line->own_line) {
        place.inlined_file = line->file;
        place.inlined_line = elsewhere ? line->line : line->call_line;
    }
    return place;
}

uint32_t place_own_line(const struct sass_kernel *kernel, uint32_t index) {
    const struct sass_line *line = cubin_line(kernel, index * SASS_BYTES);
    return !line ? 0 : line->own_line ? line->own_line : line->line;
}

bool place_is_library(const struct sass_kernel *kernel, uint32_t index) {
    const struct sass_line *line = cubin_line(kernel, index * SASS_BYTES);
    const char *file = !line ? NULL : line->own_line ? line->own_file : line->file;
    return file && *file == '/' && strstr(file, "/include/");
}
