// Prepares the tables of opcodes.def and fields.def for a generation on first use: resolves names,
// lays out operand forms, and records which bits belong to fields.
#include "encoding.h"
#include "facts.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const half_names[] = {"-", "?", "H0_H0", "H1_H1"};
static const char *const half_names_a[] = {"-", "F32", "H0_H0", "H1_H1"}; // before sm_90
static const char *const complex_names[] = {"-", "H0_NH1"};
static const char *const pair_names[] = {"F32x2.HI_LO", "F32x2.LO_HI", "F32", "?"};
static const char *const byte_names[] = {"-", "B1", "B2", "B3"};
static const char *const word_names[] = {"-", "H1", "?", "?"};
static const char *const dimension_names[] = {"1D",       "2D",       "3D",       "CUBE",
                                              "ARRAY_1D", "ARRAY_2D", "ARRAY_3D", "ARRAY_CUBE"};
static const char *const rpc_names[] = {"Rpc.LO", "Rpc.HI"};
static const char *const row_names[] = {"ROW", "?"};
static const char *const column_names[] = {"?", "COL"};

static const struct sass_form sass_forms[] = {
#define FORM(id, code, forms, mnemonic, modifiers, operands, fixed, pipe, latency) \
    {SASS_##id, code, forms, mnemonic, modifiers, operands, fixed, SASS_PIPE_##pipe, latency},
#include "opcodes.def"
#undef FORM
};
enum { FORM_COUNT = sizeof sass_forms / sizeof *sass_forms };

const struct sass_facts sass_facts[SASS_OPCODE_COUNT] = {
#define FACTS(id, ...) [SASS_##id] = {__VA_ARGS__},
#include "opcodes.def"
#undef FACTS
};

static const char *const opcode_names[] = {
#define OPCODE(id) #id,
#include "opcodes.def"
#undef OPCODE
};

static const struct {
    const char *name;
    struct field field;
    uint8_t member;
    const char *names;
} modifier_rows[] = {
#define MODIFIER(name, position, width, member, names) \
    {#name, {position, width}, offsetof(struct sass_modifiers, member), names},
#include "fields.def"
#undef MODIFIER
};

static const struct slot operand_rows[] = {
#define AT(position, width) .field = {position, width}
#define OPERAND(name_, role_, kind_, ...) \
    {.name = #name_, .role = role_, .kind = kind_, __VA_ARGS__},
#include "fields.def"
#undef OPERAND
#undef AT
};

enum {
    OPERAND_COUNT = sizeof operand_rows / sizeof *operand_rows,
    MAX_ENCODINGS = 4096,
    NAME_BYTES = 40960
};

static struct modifier modifiers[SASS_MODIFIER_COUNT];
// encodings of all generations used so far, one generation after the other
static struct encoding encodings[MAX_ENCODINGS];
static int encoding_count;
static struct table {
    int first, end; // the generation's range in `encodings`
    struct encoding *by_code[CODE_COUNT];
    bool ready;
} tables[SASS_GENERATIONS];

const char *sass_opcode_name(enum sass_opcode opcode) {
    return opcode < SASS_OPCODE_COUNT ? opcode_names[opcode] : "?";
}

// --- bits ----------------------------------------------------------------------------------------

uint64_t word_get(struct sass_word word, struct field field) {
    const unsigned at = field.position;
    uint64_t value = at >= 64 ? word.high >> (at - 64) : word.low >> at;
    if (at < 64 && at + field.width > 64) value |= word.high << (64 - at);
    return field.width < 64 ? value & ((UINT64_C(1) << field.width) - 1) : value;
}

void word_put(struct sass_word *word, struct field field, uint64_t value) {
    for (unsigned i = 0; i < field.width; i++) {
        const unsigned bit = field.position + i;
        uint64_t *half = bit < 64 ? &word->low : &word->high;
        const uint64_t mask = UINT64_C(1) << (bit & 63);
        *half = value >> i & 1 ? *half | mask : *half & ~mask;
    }
}

bool word_bit(struct sass_word word, unsigned bit) {
    return (bit < 64 ? word.low >> bit : word.high >> (bit - 64)) & 1;
}

uint8_t uniform_get(struct sass_word word, struct field field) {
    const uint64_t number = word_get(word, field);
    return (uint8_t)(number == (1U << field.width) - 1 ? SASS_URZ : number);
}

void uniform_put(struct sass_word *word, struct field field, uint8_t number) {
    word_put(word, field, number == SASS_URZ ? UINT64_MAX : number);
}

int64_t sign_extend(uint64_t value, unsigned width) {
    // width 0 stands for an address without an offset
    const uint64_t sign = width ? UINT64_C(1) << (width - 1) : 0;
    return (int64_t)((value ^ sign) - sign);
}

// --- preparing the tables ------------------------------------------------------------------------

static void claim(struct encoding *encoding, struct field field) {
    if (field.width) word_put(&encoding->claimed, field, UINT64_MAX);
}

static void claim_bit(struct encoding *encoding, unsigned bit) {
    if (bit) claim(encoding, (struct field){(uint8_t)bit, 1});
}

static void fix(struct encoding *encoding, struct field field, uint64_t value) {
    assert(encoding->fixed_count < MAX_FIXED);
    encoding->fixed[encoding->fixed_count++] = (struct fixed){field, value};
    word_put(&encoding->mask, field, UINT64_MAX);
    word_put(&encoding->value, field, value);
    claim(encoding, field);
}

// Splits each modifier's text into the names of its values.
static void prepare_modifiers(void) {
    static char pool[NAME_BYTES];
    char *end = pool;
    for (int i = 0; i < SASS_MODIFIER_COUNT; i++) {
        modifiers[i] = (struct modifier){
            modifier_rows[i].name, modifier_rows[i].field, modifier_rows[i].member, {0}};
        const size_t size = strlen(modifier_rows[i].names) + 1;
        assert(end + size <= pool + sizeof pool);
        memcpy(end, modifier_rows[i].names, size);
        int count = 0;
        for (char *save, *name = strtok_r(end, " ", &save); name;
             name = strtok_r(NULL, " ", &save)) {
            assert(count < MAX_NAMES);
            modifiers[i].names[count++] = name;
        }
        assert(count == 1 << modifiers[i].field.width);
        end += size;
    }
}

// The letters for a generation in opcodes.def and fields.def.
static const char *const letters[SASS_GENERATIONS] = {
    [SASS_TURING] = "T", [SASS_AMPERE] = "AM",    [SASS_ADA] = "AL",
    [SASS_HOPPER] = "H", [SASS_BLACKWELL] = "BD", [SASS_BLACKWELL_120] = "BC"};

static bool is_among(const char *some, size_t count, enum sass_generation generation) {
    return strcspn(some, letters[generation]) < count;
}

// Compares a row's name in fields.def with `name`, which has `length` letters. Returns 2 for NAME_B
// if B is a letter of this generation, 1 for the common row NAME, and 0 for another name.
static int named(const char *row, const char *name, size_t length,
                 enum sass_generation generation) {
    if (row[0] != name[0] || strncmp(row, name, length) != 0) return 0;
    if (!row[length]) return 1;
    return row[length] == '_' && is_among(row + length + 1, 1, generation) && !row[length + 2] ? 2
                                                                                               : 0;
}

static const struct modifier *find_modifier(const char *name, enum sass_generation generation) {
    const struct modifier *found = NULL;
    for (int i = 0, best = 0; i < SASS_MODIFIER_COUNT; i++) {
        const int fit = named(modifiers[i].name, name, strlen(name), generation);
        if (fit > best) found = &modifiers[i], best = fit;
    }
    if (found) return found;
    fprintf(stderr, "fields.def: no modifier %s\n", name);
    abort();
}

// Sets the position and the kind of an ALU instruction's source as the operand form says.
static void place(struct slot *slot, int form) {
    const bool at_32 =
        (slot->place == PLACE_B && (form == 4 || form == 5 || form == 6 || form == 1)) ||
        (slot->place == PLACE_C && (form == 2 || form == 3 || form == 7));
    const uint8_t width = slot->uniform ? 6 : 8;
    if (slot->place == PLACE_A) return;
    slot->field = (struct field){at_32 ? 32 : 64, width};
    if (!at_32 || form == 1) return;
    if (form == 6 || form == 7) {
        slot->kind = SASS_UNIFORM_REGISTER;
        slot->field.width = 6;
    } else if (form == 3 || form == 5) {
        slot->kind = SASS_CONSTANT;
        slot->field = (struct field){0, 0};
        slot->offset = (struct field){38, 16};
        slot->bank = (struct field){54, 5};
    } else {
        slot->field = (struct field){32, 32};
        slot->kind = slot->format == 'f'   ? SASS_FLOAT
                     : slot->format == 'd' ? SASS_DOUBLE
                     : slot->format == 'h' ? SASS_HALF2
                                           : SASS_INTEGER;
    }
}

// Sets the bit numbers of negation and other flags. They depend on the bit at which the register's
// number begins: 24, 32 or 64.
static void flag_bits(struct slot *slot, const char *flags) {
    const bool low = slot->field.position == 32 || slot->kind == SASS_CONSTANT;
    const bool first = slot->field.position == 24;
    const uint8_t negate = slot->negate ? slot->negate : first ? 72 : low ? 63 : 75;
    const uint8_t absolute = slot->absolute ? slot->absolute : first ? 73 : low ? 62 : 74;
    const bool number = slot->kind >= SASS_INTEGER && slot->kind <= SASS_HALF2;
    const bool predicate = slot->kind == SASS_PREDICATE || slot->kind == SASS_UNIFORM_PREDICATE;
    if (predicate) return;
    slot->negate = slot->absolute = 0;
    if (number) return;
    if (strchr(flags, '-')) slot->negate = negate;
    if (strchr(flags, '|')) slot->absolute = absolute;
    if (strchr(flags, '~')) slot->invert = negate;
    if (strchr(flags, '.')) {
        slot->select = (struct field){first ? 74 : 60, 2};
        slot->select_names = half_names;
    }
}

// Adapts fields.def, which describes Hopper, to other generations. Before Hopper, the offset of a
// branch is one field of 48 bits, bit 101 says whether a descriptor has a cache policy, and an
// operand of a half pair may be FP32. On Blackwell, numbers of uniform registers have 8 bits.
static void move_fields(struct slot *slot, enum sass_generation generation) {
    const bool uniform = slot->kind == SASS_UNIFORM_REGISTER || slot->kind == SASS_DESCRIPTOR;
    if (sass_before_hopper(generation) && slot->kind == SASS_TARGET && slot->high.width) {
        slot->field = slot->high;
        slot->high = (struct field){0, 0};
    }
    if (sass_before_hopper(generation) && slot->descriptor) slot->policy_bit = 101;
    if (sass_before_hopper(generation) && slot->select_names == half_names)
        slot->select_names = half_names_a;
    if (!sass_is_blackwell(generation)) return;
    if (uniform) slot->field.width = 8;
    if (slot->uniform_field.width) slot->uniform_field.width = 8;
}

static struct slot make_slot(const char *token, int form, enum sass_generation generation) {
    const size_t length = strcspn(token, "-|~.?+:");
    const char *flags = token + length, *format = strchr(flags, ':');
    const bool always = strchr(flags, '=') && sass_is_blackwell(generation);
    struct slot slot = {.name = NULL};
    for (int i = 0, best = 0; i < OPERAND_COUNT; i++) {
        const int fit = named(operand_rows[i].name, token, length, generation);
        if (fit > best) slot = operand_rows[i], best = fit;
    }
    if (!slot.name) {
        fprintf(stderr, "fields.def: no operand %s\n", token);
        abort();
    }
    slot.format = format ? format[1] : slot.place != PLACE_HERE ? 'i' : 'x';
    slot.optional = strchr(flags, '?');
    slot.printed = always;
    slot.joined = strchr(flags, '+');
    if (slot.place != PLACE_HERE) place(&slot, form);
    flag_bits(&slot, flags);
    move_fields(&slot, generation);
    if (slot.kind == SASS_REGISTER && slot.role >= SASS_A && slot.role <= SASS_C && !slot.no_reuse)
        slot.reuse = (uint8_t)(122 + slot.role - SASS_A);
    return slot;
}

static void claim_slot(struct encoding *encoding, const struct slot *slot) {
    const struct field fields[] = {slot->field,         slot->high,  slot->offset, slot->bank,
                                   slot->uniform_field, slot->scale, slot->select};
    const uint8_t bits[] = {slot->negate,   slot->absolute,   slot->invert,
                            slot->wide_bit, slot->policy_bit, slot->reuse};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) claim(encoding, fields[i]);
    for (size_t i = 0; i < sizeof bits; i++) claim_bit(encoding, bits[i]);
    for (int i = 0; i < MAX_MARKS; i++) claim_bit(encoding, slot->marks[i].bit);
}

// Returns true if the row exists on this generation. "on=AH" lists the generations by their
// letters; a row without "on=" exists on all.
static bool exists_on(const struct sass_form *form, enum sass_generation generation) {
    const char *on = strstr(form->fixed, "on=");
    return !on || is_among(on + 3, strcspn(on + 3, " "), generation);
}

// Parses fixed bits such as "84:3=4 91=1 B:76=1 B=pow2" (explained in opcodes.def). A field of six
// ones is URZ, which has eight ones on Blackwell.
static void read_fixed(struct encoding *encoding, const char *text) {
    char copy[128], *save;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *token = strtok_r(copy, " ", &save); token; token = strtok_r(NULL, " ", &save)) {
        unsigned position, width = 1;
        unsigned long value;
        const size_t owners = strspn(token, "TAMLHBCD");
        if (owners && token[owners] == ':') {
            if (!is_among(token, owners, encoding->value.generation)) continue;
            token += owners + 1;
        }
        if (strcmp(token, "B=pow2") == 0) {
            encoding->power_of_two = true;
        } else if (strncmp(token, "on=", 3) == 0) {
            continue;
        } else if (sscanf(token, "%u:%u=%lu", &position, &width, &value) == 3 ||
                   (width = 1, sscanf(token, "%u=%lu", &position, &value) == 2)) {
            const bool wider =
                sass_is_blackwell(encoding->value.generation) && width == 6 && value == 63;
            fix(encoding, (struct field){(uint8_t)position, wider ? 8 : (uint8_t)width},
                wider ? 255 : value);
        } else {
            fprintf(stderr, "opcodes.def: bad fixed bits %s\n", token);
            abort();
        }
    }
}

static void make_encoding(const struct sass_form *form, int operand_form,
                          enum sass_generation generation) {
    assert(encoding_count < MAX_ENCODINGS);
    struct encoding *encoding = &encodings[encoding_count++];
    char copy[128], *save;
    *encoding = (struct encoding){.form = form, .operand_form = (uint8_t)operand_form};
    encoding->value.generation = generation;
    encoding->code = (uint16_t)(form->code | operand_form << 9);
    encoding->uniform_guard = (form->pipe == SASS_PIPE_UNIFORM && form->mnemonic[0] == 'U' &&
                               form->opcode != SASS_UP2UR) ||
                              form->opcode == SASS_S2UR || form->opcode == SASS_CS2UR ||
                              form->opcode == SASS_LDCU || form->opcode == SASS_UCGABAR_ARV ||
                              form->opcode == SASS_UCGABAR_WAIT || form->opcode == SASS_SYNCS_EXCH;
    fix(encoding, (struct field){0, 12}, encoding->code);
    if (operand_form == 6 || operand_form == 7) fix(encoding, (struct field){91, 1}, 1);
    read_fixed(encoding, form->fixed);
    claim(encoding, (struct field){12, 4});
    claim(encoding, (struct field){105, 21});
    snprintf(copy, sizeof copy, "%s", form->modifiers);
    for (char *token = strtok_r(copy, " ", &save); token; token = strtok_r(NULL, " ", &save)) {
        assert(encoding->modifier_count < MAX_MODIFIERS);
        const struct modifier *modifier = find_modifier(token, generation);
        encoding->modifiers[encoding->modifier_count++] = modifier;
        claim(encoding, modifier->field);
    }
    snprintf(copy, sizeof copy, "%s", form->operands);
    for (char *token = strtok_r(copy, " ", &save); token; token = strtok_r(NULL, " ", &save)) {
        assert(encoding->slot_count < MAX_SLOTS);
        const struct slot slot = make_slot(token, operand_form, generation);
        encoding->slots[encoding->slot_count++] = slot;
        claim_slot(encoding, &slot);
    }
    struct encoding **link = &tables[generation].by_code[encoding->code];
    while (*link) link = (struct encoding **)&(*link)->next;
    *link = encoding;
}

static void make_table(enum sass_generation generation) {
    if (!encoding_count) prepare_modifiers();
    tables[generation].first = encoding_count;
    for (int i = 0; i < FORM_COUNT; i++) {
        const struct sass_form *form = &sass_forms[i];
        if (!exists_on(form, generation)) continue;
        if (!form->forms[0]) make_encoding(form, 0, generation);
        for (const char *f = form->forms; *f; f++) make_encoding(form, *f - '0', generation);
    }
    tables[generation].end = encoding_count;
}

// Returns the table of a generation, and prepares it on first use: preparing all six would take
// longer than simulating a small kernel. Several threads may call this at the same time.
static const struct table *table_of(enum sass_generation generation) {
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    if (generation == SASS_BLACKWELL_103) generation = SASS_BLACKWELL; // the encodings are equal
    struct table *table = &tables[generation];
    if (__atomic_load_n(&table->ready, __ATOMIC_ACQUIRE)) return table;
    pthread_mutex_lock(&making);
    if (!table->ready) make_table(generation);
    __atomic_store_n(&table->ready, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&making);
    return table;
}

const struct encoding *encodings_of(struct sass_word word) {
    return table_of(word.generation)->by_code[word.low & (CODE_COUNT - 1)];
}

const struct encoding *encoding_at(enum sass_generation generation, int index) {
    const struct table *table = table_of(generation);
    return index < table->end - table->first ? &encodings[table->first + index] : NULL;
}

bool sass_has(const struct sass_instruction *in, enum sass_modifier modifier) {
    for (int i = 0; i < in->encoding->modifier_count; i++) {
        if (in->encoding->modifiers[i] == &modifiers[modifier]) return true;
    }
    return false;
}
