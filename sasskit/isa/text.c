// Writes and reads whole kernels as text.
#include "text.h"
#include "touches.h"

#include "chip.h"
#include "encoding.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- writing -------------------------------------------------------------------------------------

// Returns true if parsing the text gives this word again. Some words are not determined by their
// text, such as those with the payload of a NaN.
static bool reads_back(const char *text, const struct sass_instruction *in, uint64_t address,
                       const struct sass_labels *labels) {
    struct sass_instruction again;
    struct sass_word word;
    struct error error = {0};
    return sass_parse(text, address, labels, &again, &error) &&
           sass_encode(&again, address, &word, &error) && word.low == in->word.low &&
           word.high == in->word.high;
}

static void write_word(FILE *out, struct sass_word word, const char *why) {
    fprintf(out, ".word 0x%016" PRIx64 " 0x%016" PRIx64 "  // %s\n", word.low, word.high, why);
}

int text_write(FILE *out, const struct sass_kernel *kernel, struct label_list *labels,
               struct error *error) {
    int unknown = 0;
    labels_of_kernel(labels, kernel);
    const struct sass_labels view = labels_view(labels);
    fprintf(out, ".kernel %s  // %d registers, %d bytes of shared memory, %zu instructions\n",
            kernel->name, kernel->registers, kernel->shared_bytes, kernel->count);
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_instruction in;
        char text[SASS_MAX_TEXT * 4], line[SASS_MAX_TEXT * 4 + 32], control[24];
        const uint64_t address = i * SASS_BYTES;
        const struct sass_word word = cubin_word(kernel, i);
        for (size_t k = 0; k < labels->count; k++) {
            if (labels->items[k].address == address) fprintf(out, "%s:\n", labels->items[k].name);
        }
        struct error why = {0};
        if (!sass_decode(word, address, &in, &why)) {
            write_word(out, word, why.message);
            if (!unknown++) *error = why;
            continue;
        }
        sass_print(&in, &view, text, sizeof text);
        sass_print_control(&in, control);
        snprintf(line, sizeof line, "%s  %s ;", control, text);
        if (reads_back(line, &in, address, &view))
            fprintf(out, "%s\n", line);
        else
            write_word(out, word, text);
    }
    return unknown;
}

// --- reading -------------------------------------------------------------------------------------

struct source {
    const char *at; // start of the next line
    int number;
    char *line; // the current line, NUL-terminated
    struct arena memory;
};

static bool next_line(struct source *source) {
    if (!*source->at) return false;
    const size_t length = strcspn(source->at, "\n");
    arena_clear(&source->memory);
    source->line = arena_text(&source->memory, source->at, length);
    if (length && source->line[length - 1] == '\r') source->line[length - 1] = 0;
    source->at += length + (source->at[length] == '\n');
    source->number++;
    return true;
}

enum line_kind { LINE_EMPTY, LINE_KERNEL, LINE_LABEL, LINE_WORD, LINE_INSTRUCTION };

// Returns true if the line begins with the word and a blank.
static bool begins_with(const char *line, const char *word) {
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == '\t');
}

// Returns the kind of a line. Sets *name and *length to the name of a kernel or label; for a .word,
// *name to the text after it.
static enum line_kind kind_of(const char *line, const char **name, size_t *length) {
    while (*line == ' ' || *line == '\t') line++;
    if (!*line || strncmp(line, "//", 2) == 0) return LINE_EMPTY;
    if (begins_with(line, ".word")) {
        *name = line + strlen(".word");
        return LINE_WORD;
    }
    const bool kernel = begins_with(line, ".kernel");
    if (kernel) line += strlen(".kernel");
    *name = line + strspn(line, " \t");
    *length = strcspn(*name, kernel ? " \t" : ": \t");
    if (kernel) return LINE_KERNEL;
    const char *rest = *name + *length;
    if (*rest != ':' || *length == 0) return LINE_INSTRUCTION;
    rest += 1 + strspn(rest + 1, " \t");
    return !*rest || strncmp(rest, "//", 2) == 0 ? LINE_LABEL : LINE_INSTRUCTION;
}

static bool fail_at(struct error *error, const struct source *source, const char *at,
                    const char *message) {
    error->line = source->number;
    error->column = (int)(at - source->line) + 1;
    return error_fail(error, "%s", message);
}

// Collects the labels of the kernel whose .kernel line was just read, up to the next .kernel.
static bool collect_labels(const struct source *start, struct label_list *labels,
                           struct error *error) {
    struct source source = {.at = start->at, .number = start->number};
    const char *name = NULL;
    size_t length = 0, address = 0;
    bool good = true;
    labels_clear(labels);
    while (good && next_line(&source)) {
        const enum line_kind kind = kind_of(source.line, &name, &length);
        uint64_t known;
        const struct sass_labels view = labels_view(labels);
        if (kind == LINE_KERNEL) break;
        if (kind == LINE_WORD || kind == LINE_INSTRUCTION) address += SASS_BYTES;
        if (kind != LINE_LABEL) continue;
        good = !view.find(labels, name, length, &known) ||
               fail_at(error, &source, name, "expected another name: this label is there already");
        if (good) labels_add(labels, name, length, address);
    }
    arena_clear(&source.memory);
    return good;
}

static bool read_word(const struct source *source, const char *text, struct sass_word *word,
                      struct error *error) {
    char *end;
    word->low = strtoull(text, &end, 16);
    if (end == text) return fail_at(error, source, text, "expected two hexadecimal words");
    const char *second = end;
    word->high = strtoull(second, &end, 16);
    if (end == second) return fail_at(error, source, second, "expected a second hexadecimal word");
    end += strspn(end, " \t");
    return !*end || strncmp(end, "//", 2) == 0 ||
           fail_at(error, source, end, "expected the end of the line");
}

static bool start_kernel(const struct source *source, const char *name, size_t length,
                         struct sass_cubin *cubin, struct label_list *labels,
                         struct sass_kernel **out, struct error *error) {
    for (int i = 0; i < cubin->kernel_count; i++) {
        struct sass_kernel *kernel = &cubin->kernels[i];
        if (strlen(kernel->name) != length || memcmp(kernel->name, name, length) != 0) continue;
        *out = kernel;
        labels->generation = kernel->chip->generation;
        return collect_labels(source, labels, error);
    }
    return fail_at(error, source, name, "no kernel of this name in the cubin");
}

// Stores instruction `index` in the code. After insertions, NOPs beyond the kernel's end are
// dropped; another instruction there is an error.
static bool store(const struct source *source, struct sass_kernel *kernel, size_t index,
                  struct sass_word word, uint8_t *code, struct error *error) {
    struct sass_instruction in;
    struct error ignored = {0};
    char message[200];
    if (index < kernel->count) {
        cubin_store(word, code + kernel->file_offset + index * SASS_BYTES);
        return true;
    }
    if (sass_decode(word, index * SASS_BYTES, &in, &ignored) && in.form->opcode == SASS_NOP)
        return true;
    snprintf(message, sizeof message,
             "the kernel has room for %zu instructions, this is one more: take others out",
             kernel->count);
    return fail_at(error, source, source->line, message);
}

// Fills the kernel's end with NOPs if instructions were removed.
static bool fill(struct sass_kernel *kernel, size_t index, uint8_t *code, struct error *error) {
    struct sass_instruction nop;
    if (!kernel || index >= kernel->count) return true;
    if (!sass_parse("--:-:-:Y:0  NOP ;", 0, NULL, &nop, error)) return false;
    for (; index < kernel->count; index++)
        cubin_store(nop.word, code + kernel->file_offset + index * SASS_BYTES);
    return true;
}

// Returns true if warps of the kernel take more registers while they run (setmaxnreg).
static bool takes_registers(const struct sass_kernel *kernel) {
    struct sass_instruction in;
    struct error ignored = {0};
    for (size_t i = 0; i < kernel->count; i++)
        if (sass_decode(cubin_word(kernel, i), i * SASS_BYTES, &in, &ignored) &&
            in.form->opcode == SASS_USETMAXREG)
            return true;
    return false;
}

// Rejects a register beyond the kernel's number of registers in the cubin, because a launch
// provides no more. Kernels that take more while they run may name any.
static bool check_registers(const struct source *source, const char *first,
                            const struct sass_kernel *kernel, const struct sass_instruction *in,
                            struct error *error) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    char message[160];
    const int count = sass_touches(in, touches);
    for (int i = 0; i < count; i++) {
        const int last = touches[i].first + touches[i].count - 1;
        if (touches[i].uniform || touches[i].predicate || !kernel->registers ||
            last < kernel->registers)
            continue;
        if (takes_registers(kernel)) return true;
        const char *const at = sass_register_at(first, false, touches[i].first);
        snprintf(message, sizeof message,
                 "R%d is beyond the kernel's %d registers, which stay as in the cubin", last,
                 kernel->registers);
        return fail_at(error, source, at ? at : first, message);
    }
    return true;
}

static bool read_all(struct source *source, struct sass_cubin *cubin, uint8_t *code,
                     struct label_list *labels, struct error *error) {
    struct sass_kernel *kernel = NULL;
    size_t index = 0, length = 0;
    const char *name = NULL;
    while (next_line(source)) {
        struct sass_word word = {0};
        struct sass_instruction in;
        const enum line_kind kind = kind_of(source->line, &name, &length);
        if (kind == LINE_KERNEL) {
            if (!fill(kernel, index, code, error)) return false;
            if (!start_kernel(source, name, length, cubin, labels, &kernel, error)) return false;
            index = 0;
        }
        if (kind != LINE_WORD && kind != LINE_INSTRUCTION) continue;
        if (!kernel)
            return fail_at(error, source, source->line,
                           "expected .kernel NAME before the first instruction");
        const char *const first = source->line + strspn(source->line, " \t");
        if (kind == LINE_INSTRUCTION && *first == '.')
            return fail_at(error, source, first,
                           "expected an instruction: registers, shared memory and parameters stay "
                           "as in the cubin");
        const struct sass_labels view = labels_view(labels);
        if (kind == LINE_WORD && !read_word(source, name, &word, error)) return false;
        if (kind == LINE_INSTRUCTION) {
            if (!sass_parse(source->line, index * SASS_BYTES, &view, &in, error)) {
                error->line = source->number;
                return false;
            }
            if (!check_registers(source, first, kernel, &in, error)) return false;
            word = in.word;
        }
        if (!store(source, kernel, index++, word, code, error)) return false;
    }
    return kernel ? fill(kernel, index, code, error)
                  : error_fail(error, "expected a .kernel line in it");
}

bool text_read(const char *text, struct sass_cubin *cubin, struct error *error) {
    struct source source = {.at = text};
    struct label_list labels = {0};
    uint8_t *bytes = memcpy(sass_resized(NULL, cubin->size + 1), cubin->bytes, cubin->size);
    error->line = error->column = 0;
    const bool good = read_all(&source, cubin, bytes, &labels, error);
    if (good) memcpy(cubin->bytes, bytes, cubin->size);
    labels_clear(&labels);
    arena_clear(&source.memory);
    free(bytes);
    return good;
}
