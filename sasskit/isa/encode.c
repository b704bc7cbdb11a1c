// Encodes an instruction to a 128-bit word.
#include "codec.h"
#include "encoding.h"

#include <string.h>

static bool fits_unsigned(uint64_t value, unsigned width) {
    return width >= 64 || value >> width == 0;
}

static bool encode_uniform(struct field field, uint8_t number, struct sass_word *word,
                           struct error *error) {
    const int count = sass_uniform_registers(word->generation);
    if (number >= count && number != SASS_URZ)
        return error_fail(error, "register out of range: expected UR0 to UR%d or URZ", count - 1);
    uniform_put(word, field, number);
    return true;
}

static bool fits_signed(int64_t value, unsigned width) {
    if (width == 0) return value == 0;
    return width >= 64 ||
           (value >= -(INT64_C(1) << (width - 1)) && value < INT64_C(1) << (width - 1));
}

static bool encode_target(const struct slot *slot, const struct sass_operand *operand,
                          uint64_t address, struct sass_word *word, struct error *error) {
    const uint64_t base = slot->target == TARGET_ABSOLUTE ? 0 : address + SASS_BYTES;
    const int64_t distance = (int64_t)((uint64_t)operand->value - base);
    const unsigned width = (unsigned)slot->field.width + slot->high.width;
    const int unit = slot->target == TARGET_BYTES ? 1 : 4;
    if (distance % unit != 0)
        return error_fail(error, "branch target 0x%llx is not a multiple of 4 from here",
                          (unsigned long long)operand->value);
    if (!fits_signed(distance / unit, width))
        return error_fail(error, "branch target 0x%llx is too far away",
                          (unsigned long long)operand->value);
    const uint64_t words = (uint64_t)(distance / unit);
    word_put(word, slot->field, words);
    if (slot->high.width) word_put(word, slot->high, words >> slot->field.width);
    return true;
}

static bool encode_memory(const struct slot *slot, const struct sass_operand *operand,
                          struct sass_word *word, struct error *error) {
    const bool is_signed = slot->kind == SASS_ADDRESS || slot->signed_offset;
    const unsigned width = slot->offset.width;
    const int64_t value = operand->value / (1 << slot->unit);
    if (value * (1 << slot->unit) != operand->value)
        return error_fail(error, "offset 0x%llx is not a multiple of %d",
                          (unsigned long long)operand->value, 1 << slot->unit);
    if (is_signed ? !fits_signed(value, width) : !fits_unsigned((uint64_t)value, width)) {
        return error_fail(error, "offset 0x%llx does not fit in %u bits: expected at most 0x%llx",
                          (unsigned long long)operand->value, width,
                          (unsigned long long)((width ? UINT64_MAX >> (64 - width + is_signed) : 0)
                                               << slot->unit));
    }
    word_put(word, slot->offset, (uint64_t)value);
    if (slot->field.width) word_put(word, slot->field, operand->number);
    if (slot->bank.width) word_put(word, slot->bank, operand->bank);
    if (slot->scale.width) word_put(word, slot->scale, operand->scale);
    const uint8_t uniform = slot->descriptor ? operand->descriptor : operand->uniform;
    if (slot->behind) {
        if (uniform_get(*word, slot->uniform_field) + 1 != uniform)
            return error_fail(
                error, "expected the descriptor in the uniform registers after the address's");
    } else if (slot->uniform_field.width &&
               !encode_uniform(slot->uniform_field, uniform, word, error)) {
        return false;
    }
    if (slot->wide_bit) word_put(word, (struct field){slot->wide_bit, 1}, operand->wide);
    if (slot->policy_bit) word_put(word, (struct field){slot->policy_bit, 1}, operand->policy);
    return true;
}

static bool encode_number(const struct slot *slot, const struct sass_operand *operand,
                          struct sass_word *word, struct error *error) {
    uint64_t value = (uint64_t)operand->value;
    const unsigned width = (unsigned)slot->field.width + slot->high.width;
    if (slot->kind == SASS_DOUBLE) {
        if (value & UINT32_MAX)
            return error_fail(error, "expected a double whose lower 32 bits are 0: the instruction "
                                     "holds the upper ones only");
        value >>= 32;
    }
    if (slot->kind == SASS_INTEGER && width == 32 && fits_signed((int64_t)value, 32))
        value &= UINT32_MAX;
    if (!fits_unsigned(value, width)) {
        return error_fail(error, "0x%llx does not fit in %u bits: expected at most 0x%llx",
                          (unsigned long long)value, width,
                          (unsigned long long)(UINT64_MAX >> (64 - width)));
    }
    word_put(word, slot->field, value);
    if (slot->high.width) word_put(word, slot->high, value >> slot->field.width);
    return true;
}

static bool encode_slot(const struct slot *slot, const struct sass_operand *operand,
                        uint64_t address, struct sass_word *word, struct error *error) {
    if (operand->kind != slot->kind) return error_fail(error, "an operand is of the wrong kind");
    bool good = true;
    switch ((enum sass_kind)slot->kind) {
    case SASS_ADDRESS:
    case SASS_CONSTANT:
        good = encode_memory(slot, operand, word, error);
        break;
    case SASS_TARGET:
        good = encode_target(slot, operand, address, word, error);
        break;
    case SASS_INTEGER:
    case SASS_FLOAT:
    case SASS_DOUBLE:
    case SASS_HALF2:
    case SASS_SET:
        good = encode_number(slot, operand, word, error);
        break;
    case SASS_PREDICATES:
        break;
    case SASS_UNIFORM_REGISTER:
    case SASS_DESCRIPTOR:
        good = encode_uniform(slot->field, operand->number, word, error);
        break;
    default:
        if (!fits_unsigned(operand->number, slot->field.width)) {
            return error_fail(error, "operand number %d does not fit", operand->number);
        }
        word_put(word, slot->field,
                 slot->inverted ? (unsigned)(SASS_PT - operand->number) & 7 : operand->number);
    }
    if (!good) return false;
    if (slot->negate) word_put(word, (struct field){slot->negate, 1}, operand->negate);
    if (slot->absolute) word_put(word, (struct field){slot->absolute, 1}, operand->absolute);
    if (slot->invert) word_put(word, (struct field){slot->invert, 1}, operand->invert);
    if (slot->select.width) word_put(word, slot->select, operand->select);
    if (slot->reuse) word_put(word, (struct field){slot->reuse, 1}, operand->reuse);
    for (int i = 0; i < MAX_MARKS; i++) {
        if (slot->marks[i].bit)
            word_put(word, (struct field){slot->marks[i].bit, 1}, operand->marks >> i & 1);
    }
    return true;
}

static void encode_control(struct sass_control control, struct sass_word *word) {
    word_put(word, (struct field){105, 4}, control.stall);
    word_put(word, (struct field){109, 1}, control.yield);
    word_put(word, (struct field){110, 3}, control.write_barrier);
    word_put(word, (struct field){113, 3}, control.read_barrier);
    word_put(word, (struct field){116, 6}, control.wait);
    word_put(word, (struct field){122, 4}, control.reuse);
}

bool sass_encode(const struct sass_instruction *in, uint64_t address, struct sass_word *out,
                 struct error *error) {
    const struct encoding *encoding = in->encoding;
    struct sass_word word = encoding->value;
    word.generation = in->word.generation;
    for (int i = 0; i < encoding->modifier_count; i++) {
        const struct modifier *modifier = encoding->modifiers[i];
        word_put(&word, modifier->field, ((const uint8_t *)&in->modifiers)[modifier->member]);
    }
    for (int i = 0; i < encoding->slot_count; i++) {
        const struct slot *slot = &encoding->slots[i];
        if (!encode_slot(slot, &in->operand[slot->role], address, &word, error)) return false;
    }
    word_put(&word, (struct field){12, 3}, in->guard);
    word_put(&word, (struct field){15, 1}, in->guard_negate);
    encode_control(in->control, &word);
    if ((word.low & encoding->mask.low) != encoding->value.low ||
        (word.high & encoding->mask.high) != encoding->value.high) {
        return error_fail(error, "%s: an operand contradicts the form", encoding->form->mnemonic);
    }
    *out = word;
    return true;
}
