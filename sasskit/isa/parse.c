// Parses text to an instruction: tries each row with the mnemonic. If all fail, the error is that
// of the row that matched the most text. A take_...() function skips its text, or returns false.
#include "base/near.h"
#include "codec.h"
#include "encoding.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *line, *at;
    const struct sass_labels *labels;
    struct error *error;
    enum sass_generation generation;
    int descriptor; // number of the uniform register in the control column; -1 if there is none
    bool bfloats;   // true if halves are BF16
    // the encoding whose modifier `refused_from` or a later one is the latest error; NULL if the
    // error is another
    const struct encoding *refused;
    int refused_from;
};

static bool is_foreign_letter(char c) {
    return (unsigned char)c >= 0x80;
}

// Records an error, unless an error further right in the line is recorded already. Of several at
// one place the message names up to JOINED characters.
static bool expected(struct reader *reader, const char *what) {
    enum { JOINED = 150 };
    struct error *error = reader->error;
    const int column = (int)(reader->at - reader->line) + 1;
    const size_t used = strlen(error->message);
    if (column == error->column && !strchr(error->message, ':')) {
        if (!strstr(error->message, what) && used + strlen(what) < JOINED)
            snprintf(error->message + used, sizeof error->message - used, " or %s", what);
    } else if (column > error->column) {
        error->column = column;
        reader->refused = NULL;
        error_fail(error, "expected %s%s", what,
                   is_foreign_letter(*reader->at) ? ": this character is not ASCII" : "");
    }
    return false;
}

static bool refuse_modifier(struct reader *reader, const struct encoding *encoding, int from) {
    expected(reader, "a modifier");
    if (reader->at - reader->line + 1 == reader->error->column) {
        reader->refused = encoding;
        reader->refused_from = from;
    }
    return false;
}

static bool at_end(const struct reader *reader) {
    return *reader->at == 0 || *reader->at == ';' || strncmp(reader->at, "//", 2) == 0;
}

static void skip_blanks(struct reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t') reader->at++;
}

static bool take(struct reader *reader, const char *text) {
    const size_t length = strlen(text);
    if (strncmp(reader->at, text, length) != 0) return false;
    reader->at += length;
    return true;
}

static bool word_end(char c) {
    return !isalnum((unsigned char)c) && c != '_';
}

// Takes `text` if it is a whole word: R1 is taken from "R1,", but not from "R12".
static bool take_word(struct reader *reader, const char *text) {
    const size_t length = strlen(text);
    return strncmp(reader->at, text, length) == 0 && word_end(reader->at[length]) &&
           take(reader, text);
}

// Takes a prefix and a number below `last_number` (R12), or the prefix and the letter `last` (RZ),
// which stands for last_number. If `last` is 0, last_number itself is the largest number.
static bool take_numbered(struct reader *reader, const char *prefix, char last,
                          unsigned last_number, uint8_t *number) {
    const char *at = reader->at;
    const size_t length = strlen(prefix);
    if (strncmp(at, prefix, length) != 0) return false;
    at += length;
    unsigned value = last_number, digits = 0;
    if (last && *at == last) {
        at++;
    } else {
        for (value = 0; isdigit((unsigned char)*at) && digits < 4; digits++)
            value = value * 10 + (unsigned)(*at++ - '0');
        if (!digits || value >= last_number + !last) return false;
    }
    if (!word_end(*at)) return false;
    reader->at = at;
    *number = (uint8_t)value;
    return true;
}

static bool take_register(struct reader *reader, uint8_t *number) {
    return take_numbered(reader, "R", 'Z', SASS_RZ, number);
}

static bool take_uniform(struct reader *reader, uint8_t *number) {
    return take_numbered(reader, "UR", 'Z', SASS_URZ, number);
}

static bool take_integer(struct reader *reader, int64_t *value) {
    const char *at = reader->at;
    const bool negative = *at == '-';
    if (negative) at++;
    if (!isdigit((unsigned char)*at)) return false;
    char *end;
    const uint64_t size = strtoull(at, &end, strncmp(at, "0x", 2) == 0 ? 16 : 10);
    *value = (int64_t)(negative ? -size : size);
    reader->at = end;
    return true;
}

static bool take_double(struct reader *reader, double *value, int *special) {
    static const char *const names[] = {"+INF", "-INF", "+QNAN", "-QNAN", "+SNAN", "-SNAN"};
    *special = -1;
    for (int i = 0; i < 6; i++) {
        if (take_word(reader, names[i])) {
            *special = i;
            return true;
        }
    }
    const char *at = reader->at + (*reader->at == '-');
    if (!isdigit((unsigned char)*at)) return false;
    char *end;
    *value = strtod(reader->at, &end);
    reader->at = end;
    return true;
}

static uint64_t special_bits(int special, int exponent_bits, int fraction_bits) {
    const uint64_t exponent = ((UINT64_C(1) << exponent_bits) - 1) << fraction_bits;
    const uint64_t fraction = special < 2   ? 0
                              : special < 4 ? UINT64_C(1) << (fraction_bits - 1)
                                            : 1;
    return (uint64_t)(special & 1) << (exponent_bits + fraction_bits) | exponent | fraction;
}

static bool is_hexadecimal(const char *text) {
    text += *text == '-' || *text == '+';
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
           !memchr(text, 'p', strcspn(text, " ,;"));
}

// Rejects a hexadecimal number where a floating-point number is expected. The message names the
// number that has these bits.
static bool refuse_bits(struct reader *reader, const char *start) {
    char what[120];
    float number;
    const uint32_t bits = (uint32_t)strtoull(start + (*start == '-' || *start == '+'), NULL, 16);
    memcpy(&number, &bits, sizeof number);
    reader->at = start + 1; // one column to the right: drops the caller's vaguer error
    snprintf(what, sizeof what, "a number, not its bits: 0x%x are the bits of %.9g", bits,
             (double)number);
    expected(reader, what);
    reader->at = start;
    return false;
}

static bool take_float_bits(struct reader *reader, uint64_t *bits) {
    double value;
    int special;
    const char *start = reader->at;
    if (!take_double(reader, &value, &special)) return false;
    const float narrow = (float)value;
    if (is_hexadecimal(start)) return refuse_bits(reader, start);
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    *bits = special >= 0 ? special_bits(special, 8, 23) : narrow_bits;
    return true;
}

static bool take_double_bits(struct reader *reader, uint64_t *bits) {
    double value;
    int special;
    if (!take_double(reader, &value, &special)) return false;
    memcpy(bits, &value, sizeof value);
    // An instruction has only the upper 32 bits of a double. sass dis prints 20 digits, so the
    // lower 32 bits of its numbers are 0 again. An SNaN's lowest bit moves to the upper 32 bits.
    if (special >= 0)
        *bits = special_bits(special, 11, 52) | (special >= 4 ? UINT64_C(1) << 32 : 0);
    if (special >= 4) *bits &= ~UINT64_C(1);
    return true;
}

static bool take_half_bits(struct reader *reader, uint64_t *bits) {
    double value;
    int special, exponent;
    if (!take_double(reader, &value, &special)) return false;
    if (special >= 0) {
        *bits = reader->bfloats ? special_bits(special, 8, 7) : special_bits(special, 5, 10);
        return true;
    }
    if (reader->bfloats) {
        const float narrow = (float)value;
        uint32_t whole;
        memcpy(&whole, &narrow, sizeof whole);
        *bits = whole >> 16;
        return !(whole & 0xffff) || expected(reader, "a number that fits a BF16");
    }
    frexp(value, &exponent);
    exponent = exponent + 14 < 1 ? 1 : exponent + 14;
    const double scaled = ldexp(fabs(value), 25 - exponent);
    if (!(scaled <= 2047) || scaled != rint(scaled) || exponent > 30)
        return expected(reader, "a number that fits a half");
    const unsigned fraction = (unsigned)scaled;
    *bits = (signbit(value) ? 0x8000U : 0) |
            (fraction >= 1024 ? (unsigned)exponent << 10 | (fraction & 0x3ff) : fraction);
    return true;
}

static bool take_halves(struct reader *reader, int64_t *value) {
    uint64_t high, low;
    if (!take_half_bits(reader, &high)) return false;
    skip_blanks(reader);
    if (!take(reader, ",")) return expected(reader, "a comma and the low half");
    skip_blanks(reader);
    if (!take_half_bits(reader, &low)) return false;
    *value = (int64_t)(high << 16 | low);
    return true;
}

// Takes the + of an address, and blanks around it. A minus sign belongs to the offset.
static bool take_plus(struct reader *reader) {
    const char *const start = reader->at;
    skip_blanks(reader);
    if (*reader->at != '-' && !take(reader, "+")) {
        reader->at = start;
        return false;
    }
    skip_blanks(reader);
    return true;
}

// Takes an address such as desc[UR4][R2.64+0x10]: perhaps a descriptor, then in brackets a
// register, a uniform register and an offset, joined by +.
static bool take_address(struct reader *reader, const struct slot *slot,
                         struct sass_operand *operand) {
    operand->has_base = slot->field.width > 0;
    operand->number = SASS_RZ;
    operand->uniform = operand->descriptor = SASS_URZ;
    operand->has_descriptor = slot->descriptor;
    operand->has_uniform = slot->uniform_field.width && !slot->descriptor;
    operand->unsigned32 = slot->wide_bit;
    if (slot->descriptor && reader->descriptor >= 0 && *reader->at == '[') {
        operand->descriptor = (uint8_t)reader->descriptor;
    } else if (slot->descriptor) {
        if (!take(reader, "desc[")) return expected(reader, "desc[UR..][...]");
        if (!take_uniform(reader, &operand->descriptor))
            return expected(reader, "a uniform register");
        if (!take(reader, "]")) return expected(reader, "]");
        // the descriptor has a cache policy if both the control column and the text name it
        operand->policy = slot->policy_bit && reader->descriptor >= 0;
    }
    if (!take(reader, "[")) return expected(reader, "an address in brackets, [R2+0x10]");
    bool uniform = false, more = true;
    if (operand->has_base && take_register(reader, &operand->number)) {
        operand->wide = slot->wide_bit && take_word(reader, ".64");
        if (slot->wide_bit && !operand->wide && !take_word(reader, ".U32"))
            return expected(reader, ".64 or .U32");
        operand->unsigned32 = slot->wide_bit && !operand->wide;
        if (slot->scale.width) {
            operand->scale = take_word(reader, ".X4")    ? SASS_SCALE_4
                             : take_word(reader, ".X8")  ? SASS_SCALE_8
                             : take_word(reader, ".X16") ? SASS_SCALE_16
                                                         : SASS_SCALE_1;
        }
        more = take_plus(reader);
    } else if (slot->wide_bit) {
        if (reader->generation != SASS_TURING) return expected(reader, "a base register");
        operand->wide = true;
        operand->unsigned32 = false;
    }
    if (more && operand->has_uniform) {
        uniform = take_uniform(reader, &operand->uniform);
        if (uniform) more = take_plus(reader);
    }
    if (operand->has_uniform && !uniform) return expected(reader, "a uniform register");
    if (more && !take_integer(reader, &operand->value))
        return expected(reader, "a register or an offset");
    return take(reader, "]") || expected(reader, "]");
}

static bool take_constant(struct reader *reader, const struct slot *slot,
                          struct sass_operand *operand) {
    int64_t bank;
    operand->number = SASS_RZ;
    operand->has_base = slot->field.width > 0;
    if (!take(reader, "c[") || !take_integer(reader, &bank))
        return expected(reader, "a constant, c[bank][offset]");
    if (bank < 0 || bank > 31) return expected(reader, "a bank from 0 to 31");
    operand->bank = (uint8_t)bank;
    if (!take(reader, "][") && !take(reader, "] [")) return expected(reader, "][");
    bool more = true;
    operand->uniform = SASS_URZ;
    operand->has_uniform = slot->uniform_field.width > 0;
    if (operand->has_base && take_register(reader, &operand->number)) more = take(reader, "+");
    if (operand->has_uniform) {
        const bool there = take_uniform(reader, &operand->uniform);
        if (!there && !sass_is_blackwell(reader->generation))
            return expected(reader, "a uniform register");
        more = !there || take(reader, "+");
    }
    if (more && !take_integer(reader, &operand->value)) return expected(reader, "an offset");
    return take(reader, "]") || expected(reader, "]");
}

static bool take_set(struct reader *reader, int64_t *set) {
    if (!take(reader, "{")) return false;
    do {
        if (*reader->at < '0' || *reader->at > '5')
            return expected(reader, "a scoreboard number, 0 to 5");
        *set |= INT64_C(1) << (*reader->at++ - '0');
    } while (take(reader, ","));
    return take(reader, "}") || expected(reader, "}");
}

static bool take_target(struct reader *reader, int64_t *value) {
    const bool quoted = *reader->at == '`';
    const char *const start = reader->at + (quoted ? 2 : 0);
    const char *end = quoted ? strchr(reader->at, ')') : start + strcspn(start, " \t,;");
    uint64_t address;
    if (!quoted) {
        if (take_integer(reader, value)) return true;
        struct reader behind = {.at = end};
        skip_blanks(&behind);
        if ((word_end(*start) && *start != '.') || !at_end(&behind))
            return expected(reader, "a branch target");
        // a last operand that is a word: a label, not one of the operands that may precede it
        if (reader->error->column == start - reader->line + 1) reader->error->column = 0;
    } else if (reader->at[1] != '(' || !end) {
        reader->at += strlen(reader->at); // to the right of other forms' errors
        return expected(reader, "a label between `( and ), as in `(LOOP)");
    }
    const struct sass_labels *labels = reader->labels;
    if (!quoted || !labels ||
        !labels->find(labels->context, start, (size_t)(end - start), &address)) {
        struct near near = {.word = start, .length = (size_t)(end - start)};
        char what[120];
        if (labels) labels->offer(labels->context, &near);
        snprintf(what, sizeof what,
                 near.best ? "a label that exists: did you mean %s%.80s%s?"
                           : "a label that exists: it stands on a line of its own, NAME:",
                 quoted ? "" : "`(", near.best ? near.best : "", quoted ? "" : ")");
        reader->at = start;
        return expected(reader, what);
    }
    *value = (int64_t)address;
    reader->at = end + 1;
    return true;
}

static bool take_special(struct reader *reader, uint8_t *number) {
    size_t length = 0;
    while (!word_end(reader->at[length]) || reader->at[length] == '.') length++;
    const int found = special_number(reader->at, length);
    if (found < 0) return false;
    *number = (uint8_t)found;
    reader->at += length;
    return true;
}

static bool take_convergence(struct reader *reader, const struct slot *slot, uint8_t *number) {
    for (unsigned i = 16; i < 1U << slot->field.width; i++) {
        if (take_word(reader, convergence_name(i))) {
            *number = (uint8_t)i;
            return true;
        }
    }
    return take_numbered(reader, "B", 0, 15, number);
}

static bool take_value(struct reader *reader, const struct slot *slot,
                       struct sass_operand *operand) {
    uint64_t bits = 0;
    switch ((enum sass_kind)slot->kind) {
    case SASS_NONE:
        return true;
    case SASS_REGISTER:
        return take_register(reader, &operand->number) ||
               expected(reader,
                        isdigit((unsigned char)*reader->at) || strncmp(reader->at, "c[", 2) == 0
                            ? "a register here: MOV puts a number or constant into one"
                        : *reader->at == 'R' && isdigit((unsigned char)reader->at[1])
                            ? "a register up to R254"
                            : "a register");
    case SASS_UNIFORM_REGISTER:
        return take_uniform(reader, &operand->number) || expected(reader, "a uniform register");
    case SASS_PREDICATE:
        return take_numbered(reader, "P", 'T', SASS_PT, &operand->number) ||
               expected(reader, "a predicate (P0 to P6, PT)");
    case SASS_UNIFORM_PREDICATE:
        return take_numbered(reader, "UP", 'T', SASS_PT, &operand->number) ||
               expected(reader, "a uniform predicate");
    case SASS_INTEGER:
        if (!take_integer(reader, &operand->value)) return expected(reader, "a number");
        if (slot->field.width == 32 && operand->value < 0 && operand->value >= INT32_MIN)
            operand->value &= UINT32_MAX;
        if (slot->field.width == 33) operand->value &= (INT64_C(1) << 33) - 1;
        return true;
    case SASS_FLOAT:
        if (!take_float_bits(reader, &bits)) return expected(reader, "a floating-point number");
        operand->value = (int64_t)bits;
        return true;
    case SASS_DOUBLE:
        if (!take_double_bits(reader, &bits)) return expected(reader, "a floating-point number");
        operand->value = (int64_t)bits;
        return true;
    case SASS_HALF2:
        return take_halves(reader, &operand->value) || expected(reader, "two halves");
    case SASS_CONSTANT:
        return take_constant(reader, slot, operand);
    case SASS_ADDRESS:
        return take_address(reader, slot, operand);
    case SASS_SPECIAL:
        return take_special(reader, &operand->number) || expected(reader, "a special register");
    case SASS_CONVERGENCE:
        return take_convergence(reader, slot, &operand->number) ||
               expected(reader, "a convergence register, B0 to B15");
    case SASS_SCOREBOARD:
        return take_numbered(reader, "SB", 0, 5, &operand->number) ||
               expected(reader, "SB0 to SB5");
    case SASS_SET:
        return take_set(reader, &operand->value) || expected(reader, "a set of scoreboards, {1,0}");
    case SASS_TARGET:
        return take_target(reader, &operand->value);
    case SASS_PREDICATES:
        return take_word(reader, slot->uniform ? "UPR" : "PR") ||
               expected(reader, slot->uniform ? "UPR" : "PR");
    case SASS_NAME:
        while (!take_word(reader, slot->select_names[operand->number])) {
            if (++operand->number == 1U << slot->field.width)
                return expected(reader, slot->select_names[0]);
        }
        return true;
    case SASS_DESCRIPTOR: {
        const char *name = slot->marks[0].bit || slot->marks[1].bit ? "gdesc[" : "desc[";
        return (take(reader, name) && take_uniform(reader, &operand->number) &&
                take(reader, "]")) ||
               expected(reader, name[0] == 'g' ? "gdesc[UR..]" : "desc[UR..]");
    }
    case SASS_GROUP:
        return take_numbered(reader, "gsb", 0, 6, &operand->number) || expected(reader, "gsb0");
    }
    return false;
}

static bool take_select(struct reader *reader, const struct slot *slot,
                        struct sass_operand *operand) {
    if (!slot->select.width || *reader->at != '.') return true;
    const char *start = reader->at++;
    for (unsigned i = 0; i < 1U << slot->select.width; i++) {
        const char *name = slot->select_names[i];
        if (name[0] != '?' && name[0] != '-' && take_word(reader, name)) {
            operand->select = (uint8_t)i;
            return true;
        }
    }
    reader->at = start;
    return true;
}

static void take_marks(struct reader *reader, const struct slot *slot,
                       struct sass_operand *operand) {
    for (int i = 0; i < MAX_MARKS; i++) {
        const char *start = reader->at;
        if (!slot->marks[i].bit || !take(reader, ".")) continue;
        if (take_word(reader, slot->marks[i].name))
            operand->marks |= (uint8_t)(1 << i);
        else
            reader->at = start;
    }
}

static bool take_operand(struct reader *reader, const struct slot *slot,
                         struct sass_operand *operand) {
    const bool predicate = slot->kind == SASS_PREDICATE || slot->kind == SASS_UNIFORM_PREDICATE;
    *operand = (struct sass_operand){.kind = slot->kind};
    if (slot->negate) operand->negate = take(reader, predicate ? "!" : "-");
    if (slot->invert) operand->invert = take(reader, "~");
    if (slot->absolute) operand->absolute = take(reader, "|");
    if (!take_value(reader, slot, operand)) return false;
    if (operand->absolute && !take(reader, "|")) return expected(reader, "|");
    if (slot->reuse) operand->reuse = take_word(reader, ".reuse");
    if (!take_select(reader, slot, operand)) return false;
    take_marks(reader, slot, operand);
    return true;
}

static void set_normal(const struct slot *slot, struct sass_operand *operand) {
    *operand = (struct sass_operand){
        .kind = slot->kind, .number = (uint8_t)slot->normal, .value = slot->normal};
}

// Takes the modifiers in the order of the row: for each, the longest name that matches, or the
// value that prints nothing.
static bool take_modifiers(struct reader *reader, struct sass_instruction *out) {
    for (int i = 0; i < out->encoding->modifier_count; i++) {
        const struct modifier *modifier = out->encoding->modifiers[i];
        int best = -1;
        size_t longest = 0;
        for (unsigned value = 0; value < 1U << modifier->field.width; value++) {
            const char *name = modifier->names[value];
            const size_t length = name[0] == '-' ? 0 : strlen(name) + 1;
            if (name[0] == '?' || (length == 0 && best >= 0)) continue;
            if (length && (reader->at[0] != '.' || strncmp(reader->at + 1, name, length - 1) != 0 ||
                           !word_end(reader->at[length]))) {
                continue;
            }
            if (length > longest || best < 0) {
                best = (int)value;
                longest = length;
            }
        }
        if (best < 0) return refuse_modifier(reader, out->encoding, i);
        // Several values may print nothing. Bits of the field that the row fixes decide among them.
        uint64_t value = (uint64_t)best;
        if (longest == 0) {
            const uint64_t mask = word_get(out->encoding->mask, modifier->field);
            value = (value & ~mask) | word_get(out->encoding->value, modifier->field);
            if (modifier->names[value][0] != '-') return refuse_modifier(reader, out->encoding, i);
        }
        ((uint8_t *)&out->modifiers)[modifier->member] = (uint8_t)value;
        reader->at += longest;
    }
    if (*reader->at == '.') return refuse_modifier(reader, out->encoding, 0);
    return *reader->at == 0 || strchr(" \t;", *reader->at) || expected(reader, "a blank");
}

// Records the error of a line that ends before a required operand, or goes on behind the last.
static bool refuse_count(struct reader *reader, const struct encoding *encoding, int had) {
    char what[60];
    int least = 0, most = 0;
    for (int i = 0; i < encoding->slot_count; i++) {
        most += !encoding->slots[i].joined;
        least += !encoding->slots[i].joined && !encoding->slots[i].optional;
    }
    if (had < 0)
        snprintf(what, sizeof what, "at most %d operand%s", most, most == 1 ? "" : "s");
    else
        snprintf(what, sizeof what, "%d operand%s: there %s %d", least, least == 1 ? "" : "s",
                 had == 1 ? "is" : "are", had);
    return expected(reader, what);
}

static bool take_operands(struct reader *reader, struct sass_instruction *out) {
    const struct slot *last = NULL;
    int had = 0;
    for (int i = 0; i < out->encoding->slot_count; i++) {
        const struct slot *slot = &out->encoding->slots[i];
        struct sass_operand *operand = &out->operand[slot->role];
        const char *start = reader->at;
        skip_blanks(reader);
        if (at_end(reader) && !slot->optional && !slot->joined)
            return refuse_count(reader, out->encoding, had);
        const bool separated =
            !last || slot->joined || take(reader, ",") ||
            expected(reader, *reader->at != '.'     ? "a comma"
                             : last->role != SASS_D ? "a comma, or .reuse here"
                                                    : "a comma: a destination cannot have .reuse");
        skip_blanks(reader);
        if (separated && take_operand(reader, slot, operand)) {
            had += !slot->joined;
            last = slot;
            continue;
        }
        if (!slot->optional) return false;
        set_normal(slot, operand);
        reader->at = start;
    }
    skip_blanks(reader);
    if (*reader->at == ',') return refuse_count(reader, out->encoding, -1);
    take(reader, ";");
    skip_blanks(reader);
    return (at_end(reader) && *reader->at != ';') ||
           expected(reader, isxdigit((unsigned char)*reader->at) ? "0x before a hexadecimal number"
                            : *reader->at == '.' ? ".reuse here, or the end of the instruction"
                                                 : "the end of the instruction");
}

static bool take_guard(struct reader *reader, struct sass_instruction *out) {
    out->guard = SASS_PT;
    if (!take(reader, "@")) return true;
    out->guard_negate = take(reader, "!");
    out->guard_uniform = *reader->at == 'U';
    if (!take_numbered(reader, out->guard_uniform ? "UP" : "P", 'T', SASS_PT, &out->guard)) {
        return expected(reader, "a guard predicate, @P0 or @!P0");
    }
    skip_blanks(reader);
    return true;
}

#define FIELDS "all five control fields, wait:read:write:yield:stall, as in --:-:-:-:1"

static bool parse_control(const char *text, struct sass_control *out, const char **end,
                          struct error *error) {
    struct reader reader = {.line = text, .at = text, .error = error, .generation = SASS_HOPPER};
    *out = (struct sass_control){
        .write_barrier = SASS_NO_BARRIER, .read_barrier = SASS_NO_BARRIER, .yield = true};
    *end = text;
    if (!take(&reader, "--")) {
        if (!isxdigit((unsigned char)text[0]) || !isxdigit((unsigned char)text[1]))
            return expected(&reader, "a wait mask, -- or two hex digits");
        out->wait = (uint8_t)strtoul((char[]){text[0], text[1], 0}, NULL, 16);
        if (out->wait > 0x3f) return expected(&reader, "a wait mask up to 3f");
        reader.at += 2;
    }
    uint8_t *const barriers[] = {&out->read_barrier, &out->write_barrier};
    for (int i = 0; i < 2; i++) {
        if (!take(&reader, ":")) return expected(&reader, FIELDS);
        if (*reader.at >= '1' && *reader.at <= '6')
            *barriers[i] = (uint8_t)(*reader.at - '1');
        else if (*reader.at != '-')
            return expected(&reader, "a scoreboard, 1 to 6 or -");
        reader.at++;
    }
    if (!take(&reader, ":")) return expected(&reader, FIELDS);
    if (*reader.at != 'Y' && *reader.at != '-') return expected(&reader, "the yield field, Y or -");
    out->yield = *reader.at++ == '-';
    if (!take(&reader, ":")) return expected(&reader, FIELDS);
    if (!isxdigit((unsigned char)*reader.at) || isdigit((unsigned char)reader.at[1]))
        return expected(&reader, "a stall count, one digit from 0 to f");
    out->stall = (uint8_t)strtoul((char[]){*reader.at++, 0}, NULL, 16);
    *end = reader.at;
    return true;
}

// Sets the error for text whose word belongs to another row; the message has that row's text.
static void name_variant(const struct sass_instruction *check, const struct encoding *encoding,
                         struct error *error) {
    char text[SASS_MAX_TEXT];
    if (!check->form) {
        error_fail(error, "expected another form of %s", encoding->form->mnemonic);
        return;
    }
    sass_print(check, NULL, text, sizeof text);
    error_fail(error, "expected this instruction as it is named: %.200s", text);
}

// Tries a row on the text. Returns true if the row took all of the text and accepts the result.
static bool try_encoding(struct reader *reader, const struct encoding *encoding, uint64_t address,
                         struct sass_instruction *out) {
    struct sass_word word;
    struct sass_instruction check = {.form = NULL};
    struct error error = {0};
    out->encoding = encoding;
    out->form = encoding->form;
    out->operand_form = encoding->operand_form;
    if (out->guard != SASS_PT && out->guard_uniform != encoding->uniform_guard)
        return expected(reader, "the other kind of guard");
    out->guard_uniform = encoding->uniform_guard;
    if (!take_modifiers(reader, out)) return false;
    reader->bfloats = sass_has(out, SASS_HAS_bf16) && out->modifiers.type;
    if (!take_operands(reader, out)) return false;
    for (int i = 0; i < encoding->slot_count; i++) {
        const struct slot *slot = &encoding->slots[i];
        if (slot->reuse >= 122 && out->operand[slot->role].reuse)
            out->control.reuse |= (uint8_t)(1U << (slot->reuse - 122));
    }
    if (!sass_encode(out, address, &word, &error) || !sass_decode(word, address, &check, &error) ||
        check.encoding != encoding) {
        if (!error.message[0]) name_variant(&check, encoding, &error);
        if (reader->error->column <= (int)(reader->at - reader->line)) {
            reader->error->column = (int)(reader->at - reader->line) + 1;
            memcpy(reader->error->message, error.message, sizeof error.message);
        }
        return false;
    }
    *out = check;
    return true;
}

static const char *const chips_of[SASS_GENERATIONS] = {[SASS_HOPPER] = "sm_90",
                                                       [SASS_AMPERE] = "sm_80 to sm_88",
                                                       [SASS_ADA] = "sm_89",
                                                       [SASS_TURING] = "sm_75",
                                                       [SASS_BLACKWELL] = "sm_100 to sm_110",
                                                       [SASS_BLACKWELL_103] = "sm_100 to sm_110",
                                                       [SASS_BLACKWELL_120] = "sm_120 and sm_121"};

// Returns true and sets the error if another generation has the mnemonic that this one lacks.
static bool lacks(struct reader *reader) {
    const char *const start = reader->at;
    for (int g = 0; g < SASS_GENERATIONS; g++) {
        const struct encoding *encoding;
        for (int i = 0; (encoding = encoding_at((enum sass_generation)g, i)); i++) {
            const char *mnemonic = encoding->form->mnemonic;
            reader->at = start;
            if (!take_word(reader, mnemonic)) continue;
            reader->at = start;
            reader->error->column = (int)(start - reader->line) + 1;
            error_fail(reader->error, "%s has no %s; %s has it", chips_of[reader->generation],
                       mnemonic, chips_of[g]);
            return true;
        }
    }
    reader->at = start;
    return false;
}

// Returns true for an address or a word as nvdisasm prints it: /*0010*/ or /* 0x000fe4... */.
static bool is_listed_word(const char *at) {
    if (at[0] != '/' || at[1] != '*') return false;
    at += 2 + strspn(at + 2, " ");
    if (at[0] == '0' && at[1] == 'x') at += 2;
    const size_t digits = strspn(at, "0123456789abcdef");
    at += digits;
    at += strspn(at, " ");
    return digits >= 4 && at[0] == '*' && at[1] == '/';
}

static bool take_foreign(struct reader *reader) {
    const char *at = reader->at;
    unsigned wait = 0, stall;
    char read, write, yield, what[160], mask[12] = "--";
    if (is_listed_word(at)) {
        expected(reader, "sass dis's text; this is nvdisasm's or cuobjdump's, without control "
                         "fields: sass dis FILE.cubin");
        return true;
    }
    if (at[0] != '[' || at[1] != 'B') return false;
    for (int i = 0; i < SASS_SCOREBOARDS; i++) wait |= (unsigned)(at[2 + i] == '0' + i) << i;
    if (sscanf(at + 2 + SASS_SCOREBOARDS, ":R%c:W%c:%c:S%u", &read, &write, &yield, &stall) != 4)
        return false;
    if (wait) snprintf(mask, sizeof mask, "%02x", wait & 0x3f);
    snprintf(what, sizeof what,
             "CuAssembler's control field as %s:%c:%c:%c:%x (wait:read:write:yield:stall)", mask,
             read >= '0' && read <= '5' ? read + 1 : '-',
             write >= '0' && write <= '5' ? write + 1 : '-', yield == 'Y' ? 'Y' : '-', stall & 15);
    expected(reader, what);
    return true;
}

bool sass_is_foreign(const char *line, struct error *error) {
    struct reader reader = {.line = line,
                            .at = line + strspn(line, " \t"),
                            .error = error,
                            .generation = SASS_HOPPER,
                            .descriptor = -1};
    error->column = 0;
    return take_foreign(&reader);
}

// Returns the position of an address such as [R2.64] in a line without any desc[...]; NULL if there
// is none. Disassemblers before CUDA 11.6 print such addresses.
static const char *without_descriptor(const char *line) {
    for (const char *open = strchr(line, '['); open && !strstr(line, "desc[");
         open = strchr(open + 1, '[')) {
        const char *wide = strstr(open, ".64"), *close = strchr(open, ']');
        if (open[1] == 'R' && wide && close && wide < close) return open;
    }
    return NULL;
}

static struct near nearest_mnemonic(enum sass_generation generation, const char *text) {
    struct near near = {.word = text, .length = strcspn(text, " .;\t")};
    const struct encoding *encoding;
    for (int i = 0; (encoding = encoding_at(generation, i)); i++)
        near_offer(&near, encoding->form->mnemonic, strcspn(encoding->form->mnemonic, "."));
    return near;
}

bool sass_is_mnemonic(const char *text) {
    const struct near near = nearest_mnemonic(SASS_HOPPER, text);
    return near.best && near.size == near.length && strncmp(near.best, text, near.size) == 0;
}

const char *sass_register_at(const char *line, bool uniform, int number) {
    char name[16];
    const int length = snprintf(name, sizeof name, "%sR%d", uniform ? "U" : "", number);
    for (const char *at = line; (at = strstr(at, name)); at++) {
        if ((at == line || word_end(at[-1])) && word_end(at[length])) return at;
    }
    return NULL;
}

// Replaces the error by one that offers a similar instruction.
static void offer_mnemonic(struct reader *reader) {
    char what[160], meant[64] = "";
    const struct near near = nearest_mnemonic(reader->generation, reader->at);
    // RET is the beginning of RET.REL
    const bool begins =
        near.best && near.size == near.length && strncmp(near.best, near.word, near.size) == 0;
    if (near.best)
        snprintf(meant, sizeof meant, ": did you mean %.*s?",
                 (int)(begins ? strlen(near.best) : near.size), near.best);
    while (reader->at < near.word + near.length && !is_foreign_letter(*reader->at)) reader->at++;
    if (!is_foreign_letter(*reader->at)) reader->at = near.word;
    snprintf(what, sizeof what, "an instruction of %s (unknown mnemonic)%s",
             chips_of[reader->generation], meant);
    expected(reader, what);
}

// Offers the modifiers of all encodings of an instruction, also those that belong to its mnemonic.
static void offer_modifiers(enum sass_generation generation, const char *mnemonic,
                            struct near *near) {
    const size_t length = strcspn(mnemonic, ".");
    const struct encoding *encoding;
    for (int i = 0; (encoding = encoding_at(generation, i)); i++) {
        const char *const name = encoding->form->mnemonic;
        if (strncmp(name, mnemonic, length) != 0 || !word_end(name[length])) continue;
        if (name[length]) near_offer(near, name + length + 1, strcspn(name + length + 1, "."));
        for (int m = 0; m < encoding->modifier_count; m++) {
            const struct modifier *modifier = encoding->modifiers[m];
            for (unsigned value = 0; value < 1U << modifier->field.width; value++)
                near_offer(near, modifier->names[value], strlen(modifier->names[value]));
        }
    }
}

// Replaces the error of a modifier by one that offers a similar one, or lists those that may stand
// there.
static void offer_modifier(const struct reader *reader, struct error *error) {
    const struct encoding *encoding = reader->refused;
    const char *const at = reader->line + error->column - 1, *const of = encoding->form->mnemonic;
    struct near near = {.word = at + 1, .length = strcspn(at + 1, ". \t;")};
    char list[200] = "";
    if (*at == '.') offer_modifiers(reader->generation, of, &near);
    if (near.best && near.size == near.length && !strncmp(near.best, near.word, near.length)) {
        error_fail(error, "expected .%.*s further left, or not twice", (int)near.size, near.best);
        return;
    }
    if (near.best) {
        error_fail(error, "expected a modifier of %s: did you mean .%.*s?", of, (int)near.size,
                   near.best);
        return;
    }
    for (int i = reader->refused_from; i < encoding->modifier_count; i++) {
        const struct modifier *modifier = encoding->modifiers[i];
        for (unsigned value = 0; value < 1U << modifier->field.width; value++) {
            const char *const name = modifier->names[value];
            const size_t used = strlen(list);
            if (name[0] != '?' && name[0] != '-' && used + strlen(name) + 3 < sizeof list)
                snprintf(list + used, sizeof list - used, " .%s", name);
        }
        if (*at != '.') break;
    }
    error_fail(error, *list ? "expected a modifier of %s:%s" : "%s has no such modifier", of, list);
}

bool sass_parse(const char *line, uint64_t address, const struct sass_labels *labels,
                struct sass_instruction *out, struct error *error) {
    struct reader reader = {.line = line,
                            .at = line,
                            .labels = labels,
                            .error = error,
                            .generation = labels ? labels->generation : SASS_HOPPER,
                            .descriptor = -1};
    struct sass_instruction base = {.word = {.generation = reader.generation},
                                    .control = {.write_barrier = SASS_NO_BARRIER,
                                                .read_barrier = SASS_NO_BARRIER,
                                                .yield = true}};
    error->column = 0;
    skip_blanks(&reader);
    if (take_foreign(&reader)) return false;
    if (reader.at[0] && reader.at[1] && reader.at[2] == ':') {
        const char *start = reader.at;
        struct error inner = {0};
        if (!parse_control(start, &base.control, &reader.at, &inner)) {
            *error = inner;
            error->column += (int)(start - line);
            return false;
        }
        uint8_t number;
        if (take(&reader, ":")) {
            if (!take_uniform(&reader, &number))
                return expected(&reader, "a descriptor's uniform register");
            reader.descriptor = number;
        }
        skip_blanks(&reader);
    }
    if (!take_guard(&reader, &base)) return false;
    const char *const mnemonic = reader.at;
    const struct encoding *encoding;
    for (int i = 0; (encoding = encoding_at(reader.generation, i)); i++) {
        reader.at = mnemonic;
        if (!take_word(&reader, encoding->form->mnemonic)) continue;
        *out = base;
        if (try_encoding(&reader, encoding, address, out)) return true;
    }
    reader.at = mnemonic;
    if (!error->column) {
        if (!lacks(&reader)) offer_mnemonic(&reader);
    } else if (reader.refused) {
        offer_modifier(&reader, error);
    } else if (error->column && without_descriptor(mnemonic) && reader.generation != SASS_TURING) {
        reader.at = without_descriptor(mnemonic);
        error->column = 0;
        char what[96];
        snprintf(what, sizeof what, "the address with its descriptor: desc[UR4]%.*s",
                 (int)strcspn(reader.at, "]") + 1, reader.at);
        expected(&reader, what);
    }
    return false;
}
