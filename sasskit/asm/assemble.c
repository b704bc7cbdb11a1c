// Assembles source text to a cubin: expands macros and names, parses the instructions, checks
// registers, fills in control fields, writes the ELF file, checks it for hazards.
#include "assemble.h"

#include "emit.h"
#include "expand.h"
#include "isa/encoding.h"
#include "isa/labels.h"
#include "isa/latency.h"
#include "lint/lint.h"
#include "names.h"
#include "schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAD = 128 / SASS_BYTES };

static bool fail_line(const struct program_line *line, size_t at, struct error *error,
                      const char *message) {
    char copy[sizeof error->message];
    snprintf(copy, sizeof copy, "%s", message); // a copy, because `message` may be error->message
    memcpy(error->message, copy, sizeof copy);
    program_place(line, at ? at : strspn(line->text, " \t"), error);
    return false;
}

// --- labels --------------------------------------------------------------------------------------

static bool add_label(const struct program_line *line, struct label_list *labels, uint64_t address,
                      struct error *error) {
    const size_t start = strspn(line->text, " \t"), length = strcspn(line->text + start, ": \t");
    const struct sass_labels view = labels_view(labels);
    uint64_t known;
    if (view.find(labels, line->text + start, length, &known))
        return fail_line(line, start, error, "expected another name: this label is there already");
    labels_add(labels, line->text + start, length, address);
    return true;
}

// Adds a kernel's labels to *labels. Sets *count to the number of its instructions.
static bool find_labels(const struct program_kernel *kernel, struct label_list *labels,
                        size_t *count, struct error *error) {
    const struct program_line *last = NULL;
    *count = 0;
    for (size_t i = 0; i < kernel->line_count; i++) {
        const struct program_line *line = &kernel->lines[i];
        last = line->kind == PROGRAM_LABEL ? line : NULL;
        if (line->kind != PROGRAM_LABEL)
            ++*count;
        else if (!add_label(line, labels, *count * SASS_BYTES, error))
            return false;
    }
    return !last || fail_line(last, strspn(last->text, " \t"), error,
                              "expected an instruction behind this label");
}

// --- instructions --------------------------------------------------------------------------------

static bool read_word(const struct program_line *line, uint64_t address,
                      enum sass_generation generation, struct sass_instruction *out,
                      struct error *error) {
    const char *text = line->text + strspn(line->text, " \t") + strlen(".word");
    char *middle, *end;
    struct sass_word word = {.generation = generation};
    word.low = strtoull(text, &middle, 16);
    word.high = strtoull(middle, &end, 16);
    if (middle == text || end == middle || end[strspn(end, " \t")])
        return fail_line(line, (size_t)(text - line->text), error,
                         "expected two hexadecimal words");
    return sass_decode(word, address, out, error) || fail_line(line, 0, error, error->message);
}

static bool has_column(const char *text) {
    text += strspn(text, " \t");
    return text[0] && text[1] && text[2] == ':';
}

static bool read_line(const struct program_line *line, uint64_t address,
                      const struct sass_labels *labels, struct sass_instruction *out,
                      struct error *error) {
    if (line->kind == PROGRAM_WORD) return read_word(line, address, labels->generation, out, error);
    if (sass_parse(line->text, address, labels, out, error)) return true;
    program_place(line, error->column > 0 ? (size_t)error->column - 1 : 0, error);
    return false;
}

// Checks that the target of a branch lies in the kernel's code, and marks it as a label.
static bool check_target(const struct assembled *kernel, size_t index, struct error *error) {
    const struct sass_instruction *in = &kernel->code[index];
    const struct sass_operand *target = &in->operand[SASS_T];
    if (!sass_has_target(in) || in->form->opcode == SASS_LEPC) return true;
    const bool inside = target->value >= 0 && target->value % SASS_BYTES == 0 &&
                        (uint64_t)target->value / SASS_BYTES < kernel->count;
    if (inside) kernel->label[target->value / SASS_BYTES] = true;
    return inside ||
           fail_line(kernel->lines[index], 0, error, "the branch leads out of the kernel's code");
}

// Rejects a write scoreboard on an instruction without a result of variable latency: a wait for it
// would not wait. Instructions of the branch unit (CBU) are not checked.
static bool check_scoreboard(const struct program_line *line, const struct sass_instruction *in,
                             struct error *error) {
    if (in->control.write_barrier >= SASS_SCOREBOARDS || sass_by_scoreboard(in) ||
        in->form->pipe == SASS_PIPE_CBU)
        return true;
    error->line = line->line;
    error->column = (int)strspn(line->text, " \t") + 6;
    return error_fail(error,
                      "expected - as the write scoreboard: %s has no result that comes late; "
                      "readers need a stall count",
                      in->form->mnemonic);
}

static bool read_kernel(struct assembled *kernel, const struct label_list *labels,
                        struct error *error) {
    const struct program_kernel *source = kernel->source;
    const struct sass_labels view = labels_view(labels);
    size_t at = 0;
    for (size_t i = 0; i < source->line_count; i++) {
        const struct program_line *line = &source->lines[i];
        if (line->kind == PROGRAM_LABEL) {
            kernel->label[at] = true;
            continue;
        }
        if (!read_line(line, at * SASS_BYTES, &view, &kernel->code[at], error)) return false;
        if (line->kind == PROGRAM_INSTRUCTION && has_column(line->text) &&
            !check_scoreboard(line, &kernel->code[at], error))
            return false;
        kernel->automatic[at] = line->kind == PROGRAM_INSTRUCTION && !has_column(line->text);
        kernel->lines[at++] = line;
    }
    return true;
}

static bool append(struct assembled *kernel, const char *text, struct error *error) {
    const size_t at = kernel->count;
    const struct sass_labels none = {.generation = kernel->chip->generation};
    if (!sass_parse(text, at * SASS_BYTES, &none, &kernel->code[at], error)) return false;
    kernel->count++;
    return true;
}

// Checks that the code ends with EXIT or a branch. Appends what nvcc appends: a branch to itself,
// unless the code ends with one, then NOPs up to a multiple of 128 bytes.
static bool finish_code(struct assembled *kernel, struct error *error) {
    size_t last = kernel->count;
    char text[64];
    while (last && kernel->code[last - 1].form->opcode == SASS_NOP) last--;
    const struct sass_instruction *in = last ? &kernel->code[last - 1] : NULL;
    const enum sass_opcode opcode = in ? in->form->opcode : SASS_NOP;
    const bool branch = opcode == SASS_BRA || opcode == SASS_BRX || opcode == SASS_RET;
    if (!in || !sass_always(in) || (opcode != SASS_EXIT && !branch)) {
        if (last)
            return fail_line(kernel->lines[last - 1], 0, error,
                             "the kernel runs on behind its last instruction: expected EXIT");
        error->line = kernel->source->line;
        return error_fail(error, "kernel %s has no instructions: expected EXIT at least",
                          kernel->source->name);
    }
    const bool itself =
        opcode == SASS_BRA && in->operand[SASS_T].value == (int64_t)(last - 1) * SASS_BYTES;
    snprintf(text, sizeof text, "--:-:-:Y:0  BRA 0x%zx", kernel->count * SASS_BYTES);
    if (!itself && !append(kernel, text, error)) return false;
    while (kernel->count % PAD) {
        if (!append(kernel, "--:-:-:Y:0  NOP", error)) return false;
    }
    return true;
}

// --- registers -----------------------------------------------------------------------------------

static bool check_touch(const struct assembled *kernel, size_t index,
                        const struct sass_touch *touch, int *highest, struct error *error) {
    char message[160];
    const int last = touch->first + touch->count - 1, align = touch->count > 2 ? 4 : touch->count;
    const char *letters = touch->uniform ? "UR" : "R";
    const struct program_line *line = kernel->lines[index];
    const char *named = sass_register_at(line->text, touch->uniform, touch->first);
    const size_t column = named ? (size_t)(named - line->text) : 0;
    const bool width_free = kernel->code[index].form->opcode == SASS_CALL;
    if (touch->predicate) return true;
    if (touch->first % align && !width_free) {
        snprintf(message, sizeof message, "%d registers from %s%d: expected a multiple of %d, %s%d",
                 touch->count, letters, touch->first, align, letters, touch->first / align * align);
        return fail_line(line, column, error, message);
    }
    if (touch->uniform) return true;
    if (last > *highest) *highest = last;
    const int given = kernel->source->registers ? kernel->source->registers : MAX_REGISTERS;
    if (last < given - SPARE_REGISTERS) return true;
    snprintf(message, sizeof message,
             "R%d is beyond .registers %d, of which the GPU keeps two: expected at most R%d, %s",
             last, given, given - SPARE_REGISTERS - 1,
             last + SPARE_REGISTERS < MAX_REGISTERS ? "or more registers"
                                                    : "so use fewer at a time");
    return fail_line(line, column, error, message);
}

static bool check_registers(struct assembled *kernel, struct error *error) {
    int highest = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_touch touches[SASS_MAX_TOUCHES];
        const int count = sass_touches(&kernel->code[i], touches);
        const struct sass_instruction *in = &kernel->code[i];
        if (!kernel->lines[i]) continue;
        for (int k = 0; k < count; k++) {
            if (!check_touch(kernel, i, &touches[k], &highest, error)) return false;
        }
        if (in->form->opcode == SASS_BAR && in->operand[SASS_A].kind == SASS_INTEGER) {
            const int barriers = (int)in->operand[SASS_A].value + 1;
            if (barriers > kernel->barriers) kernel->barriers = barriers;
        } else if (in->form->opcode == SASS_BAR) {
            kernel->barriers = 16;
        }
    }
    kernel->registers =
        kernel->source->registers ? kernel->source->registers : highest + 1 + SPARE_REGISTERS;
    return true;
}

static bool encode_kernel(struct assembled *kernel, struct error *error) {
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_instruction *in = &kernel->code[i];
        if (!sass_encode(in, i * SASS_BYTES, &in->word, error))
            return fail_line(kernel->lines[i], 0, error, error->message);
    }
    return true;
}

// --- lint ----------------------------------------------------------------------------------------

struct hazards {
    const struct assembled *kernel;
    struct error *error;
    int count;
};

static void keep_hazard(void *context, size_t index, const char *message) {
    struct hazards *hazards = context;
    const struct program_line *line = hazards->kernel->lines[index];
    if (hazards->count++) return;
    error_fail(hazards->error, "%.250s", message);
    if (line) program_place(line, strspn(line->text, " \t"), hazards->error);
}

// Checks all kernels for hazards (sasskit/lint); the first hazard becomes *error.
static bool lint_program(const struct assembled *kernels, size_t count, const uint8_t *bytes,
                         size_t size, const char *path, struct error *error) {
    struct sass_cubin cubin;
    struct error inner = {0};
    struct hazards hazards = {NULL, error, 0};
    if (!cubin_open_memory(&cubin, path, bytes, size, error)) return false;
    for (size_t i = 0; i < count && !hazards.count; i++) {
        const struct sass_kernel *kernel = cubin_kernel(&cubin, kernels[i].source->name);
        hazards.kernel = &kernels[i];
        const struct lint_options options = {
            .guesses = true, .found = keep_hazard, .context = &hazards};
        if (kernel) lint_kernel(&options, kernel, &inner);
    }
    cubin_close(&cubin);
    const size_t used = strlen(error->message);
    if (hazards.count > 1)
        snprintf(error->message + used, sizeof error->message - used, "; %d hazards in all",
                 hazards.count);
    return !hazards.count;
}

// Rejects stall counts 0 and above 11 if bit 109 is set (- in the text): nvcc never writes them so,
// and NVIDIA's disassembler refuses them.
static bool check_columns(const struct assembled *kernel, struct error *error) {
    for (size_t i = 0; i < kernel->count; i++) {
        const struct sass_control control = kernel->code[i].control;
        if (kernel->lines[i] && control.yield && (control.stall == 0 || control.stall > 11))
            return fail_line(kernel->lines[i], 0, error,
                             "stall 0 and c to f are illegal with -: expected Y before them");
    }
    return true;
}

// --- one kernel; the whole file ------------------------------------------------------------------

static bool assemble_kernel(const struct program_kernel *source, const struct sass_chip *chip,
                            struct assembled *kernel, struct error *error) {
    struct label_list labels = {.generation = chip->generation};
    bool good = find_labels(source, &labels, &kernel->count, error);
    const size_t room = kernel->count + 2 * PAD;
    kernel->source = source;
    kernel->chip = chip;
    ARENA_NEW(&kernel->memory, kernel->code, room);
    ARENA_NEW(&kernel->memory, kernel->lines, room);
    ARENA_NEW(&kernel->memory, kernel->automatic, room);
    ARENA_NEW(&kernel->memory, kernel->label, room);
    good = good && read_kernel(kernel, &labels, error) && finish_code(kernel, error);
    for (size_t i = 0; good && i < kernel->count; i++) good = check_target(kernel, i, error);
    labels_clear(&labels);
    return good && check_registers(kernel, error) && schedule(kernel, error) &&
           encode_kernel(kernel, error);
}

static uint8_t *assemble_program(const struct asm_program *program,
                                 const struct assemble_options *options, size_t *size,
                                 struct error *error) {
    struct arena memory = {0};
    struct assembled *kernels;
    uint8_t *bytes = NULL;
    bool good = true;
    ARENA_NEW(&memory, kernels, program->kernel_count);
    for (size_t i = 0; good && i < program->kernel_count; i++) {
        good = assemble_kernel(&program->kernels[i], program->chip, &kernels[i], error);
    }
    for (size_t i = 0; good && options->lint && i < program->kernel_count; i++)
        good = check_columns(&kernels[i], error);
    if (good) bytes = emit_cubin(kernels, program->kernel_count, options->path, size, error);
    if (bytes && options->lint &&
        !lint_program(kernels, program->kernel_count, bytes, *size, options->path, error)) {
        free(bytes);
        bytes = NULL;
    }
    for (size_t i = 0; i < program->kernel_count; i++) arena_clear(&kernels[i].memory);
    arena_clear(&memory);
    return bytes;
}

uint8_t *assemble(const char *source, const struct assemble_options *options, size_t *size,
                  struct error *error) {
    struct asm_program program = {.chip = options->chip ? options->chip : sass_chip(90)};
    if (!program_expand(source, options->defines, options->define_count, &program, error))
        return NULL;
    error->line = error->column = 0;
    uint8_t *bytes = assemble_program(&program, options, size, error);
    program_clear(&program);
    return bytes;
}
