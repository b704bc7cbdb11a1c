// Decodes a 128-bit word to an instruction.
#include "codec.h"
#include "encoding.h"

#include <stdio.h>
#include <string.h>

static int lowest_bit(struct sass_word word) {
    return word.low ? __builtin_ctzll(word.low) : 64 + __builtin_ctzll(word.high);
}

// Returns the first fixed field that the word does not match; NULL if it matches all.
static const struct fixed *misfit(const struct encoding *encoding, struct sass_word word) {
    for (int i = 0; i < encoding->fixed_count; i++) {
        if (word_get(word, encoding->fixed[i].field) != encoding->fixed[i].value)
            return &encoding->fixed[i];
    }
    return NULL;
}

static bool fits(const struct encoding *encoding, struct sass_word word) {
    if ((word.low & encoding->mask.low) != encoding->value.low) return false;
    if ((word.high & encoding->mask.high) != encoding->value.high) return false;
    const uint64_t immediate = word.low >> 32;
    const bool power_of_two =
        immediate && !(immediate & (immediate - 1)) && immediate < UINT64_C(1) << 31;
    // nvdisasm prints a factor of 0x10000 as IMAD.U32, not as IMAD.SHL
    return !encoding->power_of_two || (power_of_two && immediate != 0x10000);
}

// Returns the bits of the word that no field of the encoding explains.
static struct sass_word unexplained(const struct encoding *encoding, struct sass_word word) {
    return (struct sass_word){word.low & ~encoding->claimed.low,
                              word.high & ~encoding->claimed.high, word.generation};
}

static const struct modifier *illegal_modifier(const struct encoding *encoding,
                                               struct sass_word word) {
    for (int i = 0; i < encoding->modifier_count; i++) {
        const struct modifier *modifier = encoding->modifiers[i];
        if (modifier->names[word_get(word, modifier->field)][0] == '?') return modifier;
    }
    return NULL;
}

// Reports why no encoding of this opcode fits.
static bool fail_decoding(const struct encoding *first, struct sass_word word, uint64_t address,
                          struct error *error) {
    char where[96];
    snprintf(where, sizeof where, "at 0x%llx, word 0x%016llx 0x%016llx",
             (unsigned long long)address, (unsigned long long)word.low,
             (unsigned long long)word.high);
    error->offset = address;
    if (!first)
        return error_fail(error, "unknown opcode 0x%03x %s", (unsigned)(word.low & 0xfff), where);
    for (const struct encoding *encoding = first; encoding; encoding = encoding->next) {
        if (!fits(encoding, word)) continue;
        const char *name = encoding->form->mnemonic;
        const struct sass_word rest = unexplained(encoding, word);
        const struct modifier *modifier = illegal_modifier(encoding, word);
        if (rest.low | rest.high) {
            return error_fail(error, "%s: bit %d is set, which no field explains, %s", name,
                              lowest_bit(rest), where);
        }
        if (modifier) {
            return error_fail(error, "%s: field %s (bit %d) holds %d, which has no meaning, %s",
                              name, modifier->name, modifier->field.position,
                              (int)word_get(word, modifier->field), where);
        }
        return error_fail(error, "%s: register, half or part that does not exist, %s", name, where);
    }
    const struct fixed *fixed = misfit(first, word);
    if (!fixed)
        return error_fail(error, "%s: an operand that the form does not allow, %s",
                          first->form->mnemonic, where);
    return error_fail(error, "%s: bits %d to %d hold 0x%llx, which no form of it has, %s",
                      first->form->mnemonic, fixed->field.position,
                      fixed->field.position + fixed->field.width - 1,
                      (unsigned long long)word_get(word, fixed->field), where);
}

static int64_t decode_target(const struct slot *slot, struct sass_word word, uint64_t address) {
    uint64_t value = word_get(word, slot->field);
    unsigned width = slot->field.width;
    if (slot->high.width) {
        value |= word_get(word, slot->high) << width;
        width += slot->high.width;
    }
    const int64_t words = sign_extend(value, width);
    const uint64_t base = slot->target == TARGET_ABSOLUTE ? 0 : address + SASS_BYTES;
    return (int64_t)(base + (uint64_t)words * (slot->target == TARGET_BYTES ? 1 : 4));
}

bool sass_has_target(const struct sass_instruction *instruction) {
    const struct encoding *encoding = instruction->encoding;
    for (int i = 0; i < encoding->slot_count; i++) {
        const struct slot *slot = &encoding->slots[i];
        if (slot->role == SASS_T && slot->kind == SASS_TARGET)
            return slot->target != TARGET_ABSOLUTE;
    }
    return false;
}

static void decode_address(const struct slot *slot, struct sass_word word,
                           struct sass_operand *operand) {
    operand->has_base = slot->field.width > 0;
    operand->number = operand->has_base ? (uint8_t)word_get(word, slot->field) : SASS_RZ;
    const uint64_t offset = word_get(word, slot->offset);
    operand->value = sign_extend(offset, slot->offset.width) * (1 << slot->unit);
    operand->uniform = operand->descriptor = SASS_URZ;
    if (slot->uniform_field.width) {
        const uint8_t number = (uint8_t)(uniform_get(word, slot->uniform_field) + slot->behind);
        if (slot->descriptor) operand->descriptor = number;
        if (!slot->descriptor) operand->uniform = number;
        operand->has_descriptor = slot->descriptor;
        operand->has_uniform = !slot->descriptor;
    }
    if (slot->scale.width) operand->scale = (uint8_t)word_get(word, slot->scale);
    if (slot->wide_bit) operand->wide = word_bit(word, slot->wide_bit);
    operand->unsigned32 = slot->wide_bit && !operand->wide;
    operand->policy = slot->policy_bit && word_bit(word, slot->policy_bit);
}

static void decode_constant(const struct slot *slot, struct sass_word word,
                            struct sass_operand *operand) {
    operand->bank = (uint8_t)word_get(word, slot->bank);
    operand->has_base = slot->field.width > 0;
    operand->number = operand->has_base ? (uint8_t)word_get(word, slot->field) : SASS_RZ;
    const uint64_t offset = word_get(word, slot->offset);
    operand->has_uniform = slot->uniform_field.width > 0;
    operand->uniform = operand->has_uniform ? uniform_get(word, slot->uniform_field) : SASS_URZ;
    operand->value =
        slot->signed_offset ? sign_extend(offset, slot->offset.width) : (int64_t)offset;
}

static void decode_slot(const struct slot *slot, struct sass_word word, uint64_t address,
                        struct sass_operand *operand) {
    *operand = (struct sass_operand){.kind = slot->kind};
    const uint64_t value = word_get(word, slot->field);
    switch ((enum sass_kind)slot->kind) {
    case SASS_ADDRESS:
        decode_address(slot, word, operand);
        break;
    case SASS_CONSTANT:
        decode_constant(slot, word, operand);
        break;
    case SASS_TARGET:
        operand->value = decode_target(slot, word, address);
        break;
    case SASS_DOUBLE:
        operand->value = (int64_t)(value << 32);
        break;
    case SASS_FLOAT:
    case SASS_HALF2:
    case SASS_SET:
        operand->value = (int64_t)value;
        break;
    case SASS_INTEGER:
        operand->value = (int64_t)value;
        if (slot->high.width)
            operand->value |= (int64_t)(word_get(word, slot->high) << slot->field.width);
        break;
    case SASS_UNIFORM_REGISTER:
    case SASS_DESCRIPTOR:
        operand->number = uniform_get(word, slot->field);
        break;
    default:
        operand->number = (uint8_t)(slot->inverted ? SASS_PT - value : value);
    }
    operand->negate = slot->negate && word_bit(word, slot->negate);
    operand->absolute = slot->absolute && word_bit(word, slot->absolute);
    operand->invert = slot->invert && word_bit(word, slot->invert);
    operand->reuse = slot->reuse && word_bit(word, slot->reuse);
    if (slot->select.width) operand->select = (uint8_t)word_get(word, slot->select);
    for (int i = 0; i < MAX_MARKS; i++)
        operand->marks |=
            (uint8_t)((slot->marks[i].bit && word_bit(word, slot->marks[i].bit)) << i);
}

// Returns true if the field has a uniform register that does not exist: UR80 to UR254.
static bool is_far(struct sass_word word, struct field field) {
    const uint64_t number = word_get(word, field);
    return field.width == 8 && number >= SASS_URZ && number != 255;
}

static bool illegal_select(const struct encoding *encoding, struct sass_word word) {
    for (int i = 0; i < encoding->slot_count; i++) {
        const struct slot *slot = &encoding->slots[i];
        const bool uniform = slot->kind == SASS_UNIFORM_REGISTER || slot->kind == SASS_DESCRIPTOR;
        if ((uniform && is_far(word, slot->field)) || is_far(word, slot->uniform_field))
            return true;
        if (slot->select.width && slot->select_names[word_get(word, slot->select)][0] == '?')
            return true;
    }
    return false;
}

static struct sass_control decode_control(struct sass_word word) {
    return (struct sass_control){
        .stall = (uint8_t)word_get(word, (struct field){105, 4}),
        .yield = word_bit(word, 109),
        .write_barrier = (uint8_t)word_get(word, (struct field){110, 3}),
        .read_barrier = (uint8_t)word_get(word, (struct field){113, 3}),
        .wait = (uint8_t)word_get(word, (struct field){116, 6}),
        .reuse = (uint8_t)word_get(word, (struct field){122, 4}),
    };
}

bool sass_decode(struct sass_word word, uint64_t address, struct sass_instruction *out,
                 struct error *error) {
    const struct encoding *first = encodings_of(word), *encoding = first;
    for (; encoding; encoding = encoding->next) {
        const struct sass_word rest = unexplained(encoding, word);
        if (fits(encoding, word) && !(rest.low | rest.high) && !illegal_modifier(encoding, word) &&
            !illegal_select(encoding, word)) {
            break;
        }
    }
    if (!encoding) return fail_decoding(first, word, address, error);
    *out = (struct sass_instruction){
        .word = word,
        .form = encoding->form,
        .encoding = encoding,
        .operand_form = encoding->operand_form,
        .guard = (uint8_t)word_get(word, (struct field){12, 3}),
        .guard_negate = word_bit(word, 15),
        .guard_uniform = encoding->uniform_guard,
        .control = decode_control(word),
    };
    for (int i = 0; i < encoding->modifier_count; i++) {
        const struct modifier *modifier = encoding->modifiers[i];
        ((uint8_t *)&out->modifiers)[modifier->member] = (uint8_t)word_get(word, modifier->field);
    }
    for (int i = 0; i < encoding->slot_count; i++) {
        decode_slot(&encoding->slots[i], word, address, &out->operand[encoding->slots[i].role]);
    }
    return true;
}
