// Prints an instruction like nvdisasm.
#include "codec.h"
#include "encoding.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct writer {
    char *text;
    size_t size, length;
    enum sass_generation generation;
};

static void __attribute__((format(printf, 2, 3)))
put(struct writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = writer->length < writer->size ? writer->size - writer->length : 0;
    const int length =
        vsnprintf(room ? writer->text + writer->length : NULL, room, format, arguments);
    va_end(arguments);
    writer->length += (size_t)length;
}

static void put_hex(struct writer *writer, int64_t value) {
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    put(writer, "%s0x%" PRIx64, value < 0 ? "-" : "", size);
}

// Prints a double like nvdisasm: an integer whose size is at least 1e9 with an exponent and 20
// decimal places, any other number with 20 digits.
static void put_double(struct writer *writer, double value) {
    const bool whole = value == rint(value);
    if (value == 0 && signbit(value)) {
        put(writer, "-0.0");
    } else if (whole && fabs(value) >= 1e9) {
        put(writer, "%.20e", value);
    } else {
        put(writer, "%.20g", value);
    }
}

static void put_special(struct writer *writer, bool negative, bool infinite, bool quiet) {
    put(writer, "%c%s ", negative ? '-' : '+', infinite ? "INF" : quiet ? "QNAN" : "SNAN");
}

static void put_float(struct writer *writer, uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    if ((bits & 0x7f800000) == 0x7f800000) {
        put_special(writer, bits >> 31, !(bits & 0x7fffff), bits & 0x400000);
    } else {
        put_double(writer, (double)value);
    }
}

static void put_double_bits(struct writer *writer, uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    if ((bits >> 52 & 0x7ff) == 0x7ff) {
        put_special(writer, bits >> 63, !(bits << 12), bits >> 51 & 1);
    } else {
        put_double(writer, value);
    }
}

static void put_half(struct writer *writer, unsigned bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == 31) {
        put_special(writer, bits & 0x8000, !fraction, fraction & 0x200);
    } else {
        put_double(writer, sign * ldexp(exponent ? 1024 + fraction : fraction,
                                        (exponent ? exponent : 1) - 25));
    }
}

static void put_register(struct writer *writer, unsigned number) {
    if (number == SASS_RZ) put(writer, "RZ");
    if (number != SASS_RZ) put(writer, "R%u", number);
}

static void put_uniform(struct writer *writer, unsigned number) {
    if (number == SASS_URZ) put(writer, "URZ");
    if (number != SASS_URZ) put(writer, "UR%u", number);
}

static void put_predicate(struct writer *writer, const char *letters, unsigned number) {
    if (number == SASS_PT) put(writer, "%sT", letters);
    if (number != SASS_PT) put(writer, "%s%u", letters, number);
}

static void put_address(struct writer *writer, const struct slot *slot,
                        const struct sass_operand *operand) {
    static const char *const scales[] = {"", ".X4", ".X8", ".X16"};
    const bool plain = (!slot->wide_bit || writer->generation == SASS_TURING) && !operand->scale;
    const bool base =
        !plain || operand->number != SASS_RZ || (!operand->has_uniform && operand->value == 0);
    if (operand->has_descriptor && (!sass_before_hopper(writer->generation) || operand->policy)) {
        put(writer, "desc[");
        put_uniform(writer, operand->descriptor);
        put(writer, "]");
    }
    put(writer, "[");
    if (base) {
        put_register(writer, operand->number);
        put(writer, "%s%s", scales[operand->scale & 3],
            operand->wide         ? ".64"
            : operand->unsigned32 ? ".U32"
                                  : "");
    }
    if (operand->has_uniform) {
        put(writer, "%s", base ? "+" : "");
        put_uniform(writer, operand->uniform);
    }
    if (operand->value) {
        put(writer, "%s", base || operand->has_uniform ? "+" : "");
        put_hex(writer, operand->value);
    }
    put(writer, "]");
}

static void put_constant(struct writer *writer, const struct slot *slot,
                         const struct sass_operand *operand) {
    const bool zero =
        sass_is_blackwell(writer->generation) && operand->uniform == SASS_URZ && operand->value;
    const bool uniform = operand->has_uniform && !zero,
               base = uniform || (operand->has_base && operand->number != SASS_RZ);
    // nvdisasm prints a blank before the bracket of a half pair's offset: c[0x0] [0x160]
    put(writer, "c[0x%x]%s[", operand->bank, slot->select.width ? " " : "");
    if (uniform)
        put_uniform(writer, operand->uniform);
    else if (base)
        put_register(writer, operand->number);
    if (base && operand->value) put(writer, "+");
    if (!base && operand->has_base && operand->value == 0)
        put(writer, "RZ");
    else if (!base || operand->value)
        put_hex(writer, operand->value);
    put(writer, "]");
}

static void put_set(struct writer *writer, int64_t set) {
    const char *comma = "";
    put(writer, "{");
    for (int i = 5; i >= 0; i--) {
        if (set >> i & 1) {
            put(writer, "%s%d", comma, i);
            comma = ",";
        }
    }
    put(writer, "}");
}

static const char *const states[] = {"THREAD_STATE_ENUM.0",
                                     "THREAD_STATE_ENUM.1",
                                     "THREAD_STATE_ENUM.2",
                                     "THREAD_STATE_ENUM.3",
                                     "THREAD_STATE_ENUM.4",
                                     "TRAP_RETURN_PC.LO",
                                     "TRAP_RETURN_PC.HI",
                                     "TRAP_RETURN_MASK",
                                     "MEXITED",
                                     "MKILL",
                                     "MACTIVE",
                                     "MATEXIT",
                                     "OPT_STACK",
                                     "API_CALL_DEPTH",
                                     "ATEXIT_PC.LO",
                                     "ATEXIT_PC.HI"};

const char *convergence_name(unsigned number) {
    return number >= 16 && number < 32 ? states[number - 16] : NULL;
}

static void put_integer(struct writer *writer, const struct sass_instruction *in,
                        const struct slot *slot, int64_t value) {
    const bool negative = slot->format == 'i' || (slot->format == 's' && in->modifiers.is_signed);
    if (negative)
        put_hex(writer,
                slot->field.width >= 32 ? sign_extend((uint64_t)value, slot->field.width) : value);
    else
        put(writer, "0x%" PRIx64, (uint64_t)value);
}

static void put_target(struct writer *writer, const struct sass_labels *labels, int64_t address) {
    char name[4 * SASS_MAX_TEXT]; // long, because names of template instances are
    if (labels && labels->name(labels->context, (uint64_t)address, name, sizeof name)) {
        put(writer, "`(%s)", name);
    } else {
        put_hex(writer, address);
    }
}

static void put_value(struct writer *writer, const struct sass_instruction *in,
                      const struct slot *slot, const struct sass_labels *labels) {
    const struct sass_operand *operand = &in->operand[slot->role];
    const char *name;
    switch ((enum sass_kind)operand->kind) {
    case SASS_NONE:
        break;
    case SASS_REGISTER:
        put_register(writer, operand->number);
        break;
    case SASS_UNIFORM_REGISTER:
        put_uniform(writer, operand->number);
        break;
    case SASS_PREDICATE:
        put_predicate(writer, "P", operand->number);
        break;
    case SASS_UNIFORM_PREDICATE:
        put_predicate(writer, "UP", operand->number);
        break;
    case SASS_INTEGER:
        put_integer(writer, in, slot, operand->value);
        break;
    case SASS_FLOAT:
        put_float(writer, (uint32_t)operand->value);
        break;
    case SASS_DOUBLE:
        put_double_bits(writer, (uint64_t)operand->value);
        break;
    case SASS_HALF2:
        for (int shift = 16; shift >= 0; shift -= 16) {
            const uint32_t bits = operand->value >> shift & 0xffff;
            if (sass_has(in, SASS_HAS_bf16) && in->modifiers.type)
                put_float(writer, bits << 16);
            else
                put_half(writer, bits);
            if (shift) put(writer, ", ");
        }
        break;
    case SASS_CONSTANT:
        put_constant(writer, slot, operand);
        break;
    case SASS_ADDRESS:
        put_address(writer, slot, operand);
        break;
    case SASS_SPECIAL:
        name = special_name(operand->number);
        if (name) put(writer, "%s", name);
        if (!name) put(writer, "SR%u", operand->number);
        break;
    case SASS_CONVERGENCE:
        name = convergence_name(operand->number);
        if (name) put(writer, "%s", name);
        if (!name) put(writer, "B%u", operand->number);
        break;
    case SASS_SCOREBOARD:
        put(writer, "SB%u", operand->number);
        break;
    case SASS_SET:
        put_set(writer, operand->value);
        break;
    case SASS_TARGET:
        put_target(writer, labels, operand->value);
        break;
    case SASS_PREDICATES:
        put(writer, slot->uniform ? "UPR" : "PR");
        break;
    case SASS_NAME:
        put(writer, "%s", slot->select_names[operand->number]);
        break;
    case SASS_DESCRIPTOR:
        put(writer, slot->marks[0].bit || slot->marks[1].bit ? "gdesc[" : "desc[");
        put_uniform(writer, operand->number);
        put(writer, "]");
        break;
    case SASS_GROUP:
        put(writer, "gsb%u", operand->number);
        break;
    }
}

static void put_operand(struct writer *writer, const struct sass_instruction *in,
                        const struct slot *slot, const struct sass_labels *labels) {
    const struct sass_operand *operand = &in->operand[slot->role];
    const bool predicate =
        operand->kind == SASS_PREDICATE || operand->kind == SASS_UNIFORM_PREDICATE;
    if (operand->negate) put(writer, predicate ? "!" : "-");
    if (operand->invert) put(writer, "~");
    if (operand->absolute) put(writer, "|");
    put_value(writer, in, slot, labels);
    if (operand->absolute) put(writer, "|");
    if (operand->reuse) put(writer, ".reuse");
    if (slot->select.width && slot->select_names[operand->select][0] != '-')
        put(writer, ".%s", slot->select_names[operand->select]);
    for (int i = 0; i < MAX_MARKS; i++) {
        if (operand->marks >> i & 1) put(writer, ".%s", slot->marks[i].name);
    }
}

static bool left_out(const struct slot *slot, const struct sass_operand *operand) {
    if (!slot->optional || slot->printed || operand->negate) return false;
    switch ((enum sass_kind)operand->kind) {
    case SASS_INTEGER:
    case SASS_SET:
    case SASS_TARGET:
        return operand->value == slot->normal;
    default:
        return operand->number == slot->normal;
    }
}

static void put_guard(struct writer *writer, const struct sass_instruction *in) {
    if (in->guard == SASS_PT && !in->guard_negate) return;
    put(writer, "@%s", in->guard_negate ? "!" : "");
    put_predicate(writer, in->guard_uniform ? "UP" : "P", in->guard);
    put(writer, " ");
}

int sass_print(const struct sass_instruction *in, const struct sass_labels *labels, char *text,
               size_t size) {
    const struct encoding *encoding = in->encoding;
    struct writer writer = {text, size, 0, encoding->value.generation};
    const char *separator = " ";
    if (size) text[0] = 0;
    put_guard(&writer, in);
    put(&writer, "%s", in->form->mnemonic);
    for (int i = 0; i < encoding->modifier_count; i++) {
        const struct modifier *modifier = encoding->modifiers[i];
        const unsigned value = ((const uint8_t *)&in->modifiers)[modifier->member];
        const char *name = value < 1U << modifier->field.width ? modifier->names[value] : "?";
        if (strcmp(name, "-") != 0) put(&writer, ".%s", name);
    }
    for (int i = 0; i < encoding->slot_count; i++) {
        const struct slot *slot = &encoding->slots[i];
        if (left_out(slot, &in->operand[slot->role])) continue;
        put(&writer, "%s", slot->joined ? " " : separator);
        put_operand(&writer, in, slot, labels);
        separator = ", ";
    }
    return (int)writer.length;
}

// Returns the uniform register of a descriptor that NVIDIA's text omits; -1 if there is none.
static int hidden_descriptor(const struct sass_instruction *in) {
    const struct sass_operand *address = &in->operand[SASS_M];
    return sass_before_hopper(in->encoding->value.generation) && address->has_descriptor
               ? address->descriptor
               : -1;
}

void sass_print_control(const struct sass_instruction *in, char text[24]) {
    const struct sass_control *control = &in->control;
    char wait[3] = "--", read = '-', write = '-';
    if (control->wait) snprintf(wait, sizeof wait, "%02x", control->wait & 0x3f);
    if (control->read_barrier != SASS_NO_BARRIER) read = (char)('1' + control->read_barrier);
    if (control->write_barrier != SASS_NO_BARRIER) write = (char)('1' + control->write_barrier);
    struct writer writer = {text, 24, 0, SASS_HOPPER};
    put(&writer, "%s:%c:%c:%c:%x", wait, read, write, control->yield ? '-' : 'Y',
        control->stall & 15);
    if (hidden_descriptor(in) < 0) return;
    put(&writer, ":");
    put_uniform(&writer, (unsigned)hidden_descriptor(in));
}
