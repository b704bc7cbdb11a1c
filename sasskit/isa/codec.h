// Decoding, encoding, printing and parsing of instructions.
#pragma once

#include "base/error.h"
#include "instruction.h"

// sass_decode() decodes a word; sass_encode() encodes an instruction. `address` is the
// instruction's byte offset in the kernel's code, to which the target in a branch is relative.
bool sass_decode(struct sass_word word, uint64_t address, struct sass_instruction *out,
                 struct error *error);
bool sass_encode(const struct sass_instruction *instruction, uint64_t address,
                 struct sass_word *out, struct error *error);

// Returns true if the instruction has a branch target in the kernel's own code. Returns false for
// an absolute address and for the offset of a BRX.
bool sass_has_target(const struct sass_instruction *instruction);

struct near;
// The names of branch targets. name() writes the label of a code address, or returns false if the
// address is to be printed as a number. find() sets the address of a label, or returns false.
struct sass_labels {
    bool (*name)(const void *context, uint64_t address, char *text, size_t size);
    bool (*find)(const void *context, const char *name, size_t length, uint64_t *address);
    const void *context;
    enum sass_generation generation;
    void (*offer)(const void *context, struct near *near); // offers all labels (base/near.h)
};

// Prints an instruction like nvdisasm, without the control column and the final " ;". `labels` may
// be NULL. Returns the length.
int sass_print(const struct sass_instruction *instruction, const struct sass_labels *labels,
               char *text, size_t size);
// Prints the control column (wait:read:write:yield:stall), for example "--:-:1:-:4". Before sm_90,
// NVIDIA's text omits the descriptor of an address, so it follows here: "--:-:1:-:4:UR8". A
// descriptor with a cache policy is in both the text and the column.
void sass_print_control(const struct sass_instruction *instruction, char text[24]);

// Parses a line: an instruction, perhaps after a control column. On an error, sets error->column.
bool sass_parse(const char *line, uint64_t address, const struct sass_labels *labels,
                struct sass_instruction *out, struct error *error);

// Returns true if the text begins with an instruction of sm_90, perhaps without its modifiers.
bool sass_is_mnemonic(const char *text);

// Returns the position at which a line names a register, as R41 or UR41; NULL if it does not.
const char *sass_register_at(const char *line, bool uniform, int number);

// Returns true and sets *error if the line is text of nvdisasm, cuobjdump or CuAssembler.
bool sass_is_foreign(const char *line, struct error *error);
