// The registers that an instruction reads and writes, and the cycles for reading them.
#include "banks.h"
#include "facts.h"

enum { WIDTH_1 = 1, WIDTH_2 = 2, WIDTH_4 = 4 };

// Returns the number of registers that a load or store moves. Values of `size`: 0 U8, 1 S8, 2 U16,
// 3 S16, 4 32 bits, 5 64 bits, 6 128 bits.
static int memory_width(unsigned size) {
    return size == 5 ? WIDTH_2 : size == 6 ? WIDTH_4 : WIDTH_1;
}

// Returns the number of registers of an atomic's value. The modifier `type` has the values of
// atom_type (integers) or fatom_type (floats) in fields.def.
static int atomic_width(const struct sass_instruction *in) {
    static const uint8_t floats[16] = {1, 2, 4, 1, 2, 4, 1, 1, 1, 1, 2, 4, 1, 2, 4, 2};
    const unsigned type = in->modifiers.type, code = in->form->code;
    if (code == 0x9a2 || code == 0x9a3 || code == 0x9a6) return floats[type & 15];
    if (sass_before_hopper(in->word.generation)) return type == 2 || type >= 5 ? WIDTH_2 : WIDTH_1;
    return type == 4 ? WIDTH_4 : type >= 2 ? WIDTH_2 : WIDTH_1;
}

// Returns the number of registers of a texture fetch's result. D holds the first two requested
// channels, E the others.
static int texel_width(const struct sass_instruction *in, enum sass_role role) {
    const int channels = __builtin_popcount((unsigned)in->operand[SASS_I].value & 15);
    const int first = channels < WIDTH_2 ? channels : WIDTH_2;
    return role == SASS_D ? first : channels - first;
}

// Returns the number of registers in one thread's fragment of an MMA operand (PTX manual, mma and
// wgmma).
static int matrix_width(const struct sass_instruction *in, enum sass_role role) {
    static const uint8_t fp64_a[] = {2, 4, 8, 16}, fp64_b[] = {2, 2, 4, 8};
    const bool second = role == SASS_B, sum = role == SASS_D || role == SASS_C;
    const unsigned shape = in->modifiers.shape, type = in->modifiers.source_type;
    switch (in->form->opcode) {
    case SASS_DMMA:
        return sum ? (shape & 3 ? 8 : 4) : second ? fp64_b[shape & 3] : fp64_a[shape & 3];
    case SASS_HMMA:
        if (sum) return in->modifiers.type ? 4 : 2;
        return ((shape || type == 2) && sass_has(in, SASS_HAS_hmma_shape) ? 4 : 2) >> second;
    case SASS_IMMA:
        return sum ? 4 : (shape ? 4 : 2) >> second;
    case SASS_QMMA:
        return sum ? (in->modifiers.flag ? 4 : 2) : (shape ? 4 : 2) >> second;
    case SASS_IMMA_MORE: // shape 0: 8x8x16; with 4-bit elements 1: 8x8x32, 2: 16x8x32, 3: 16x8x64
        return shape < 2 ? (sum ? 2 : 1) : sum ? 4 : (shape == 3 ? 4 : 2) >> second;
    case SASS_MMA_SP: // sparse MMA: A has half of its elements, B has all
        if (role == SASS_S) return WIDTH_1;
        if (sum && sass_has(in, SASS_HAS_hmma_f32)) return in->modifiers.type ? 4 : 2;
        if (sum) return sass_has(in, SASS_HAS_qmma_f32) && !in->modifiers.flag ? 2 : 4;
        return sass_has(in, SASS_HAS_imma_shape) ||
                       (sass_has(in, SASS_HAS_hmma_shape) && !(shape && type == 2))
                   ? 2
                   : 4;
    case SASS_BMMA:
        return shape ? (sum ? 4 : (int)shape * 2 >> second) : sum ? 2 : 1;
    default: // warpgroup MMA: a thread has 1/128 of 64 x N sums
        return sum ? (in->modifiers.type ? 4 : 2) * ((int)shape + 1) : WIDTH_4;
    }
}

static int width_by(enum sass_width rule, const struct sass_instruction *in, enum sass_role role) {
    const struct sass_modifiers *m = &in->modifiers;
    enum { BITS_64 = 3 }; // value of a conversion's type field that means 64 bits
    switch (rule) {
    case BY_SIZE:
        return memory_width(m->size);
    case QUAD:
        return WIDTH_4;
    case OCTET:
        return __builtin_popcount((unsigned)in->operand[SASS_I].value &
                                  (role == SASS_E ? 0xf0 : 0x0f));
    case BY_POWER:
        return 1 << m->size;
    case BY_ATOM:
        return atomic_width(in);
    case TEXEL:
        return texel_width(in, role);
    case PAIR_OR_BOTH:
        return in->operand[role].select == 2 ? WIDTH_1 : WIDTH_2;
    default: {
        const bool pair = rule == PAIR || (rule == PAIR_C && role == SASS_C) ||
                          (rule == PAIR_IF_WIDE && m->wide) ||
                          (rule == PAIR_BY_TYPE && m->type == BITS_64) ||
                          (rule == PAIR_BY_SOURCE && m->source_type == BITS_64);
        return pair ? WIDTH_2 : WIDTH_1;
    }
    }
}

static int operand_width(const struct sass_instruction *in, enum sass_role role) {
    const struct sass_facts *facts = sass_facts_of(in);
    if (in->form->pipe == SASS_PIPE_TENSOR) return matrix_width(in, role);
    return width_by((enum sass_width)(role <= SASS_E ? facts->result : facts->source), in, role);
}

struct touch_list {
    struct sass_touch *items;
    int count;
};

static void touch(struct touch_list *list, struct sass_touch item) {
    const unsigned none = item.predicate ? SASS_PT : item.uniform ? SASS_URZ : SASS_RZ;
    if (item.first == none || item.count == 0 || list->count == SASS_MAX_TOUCHES) return;
    if (item.first + item.count > none) item.count = (uint8_t)(none - item.first);
    list->items[list->count++] = item;
}

// Returns the number of uniform registers that an address of a bulk or tensor copy takes; 0 for
// another instruction. In shared memory: the address, the mbarrier (loads only) and the tensor's
// coordinates. In global memory: a 64-bit pointer.
static int bulk_width(const struct sass_instruction *in, enum sass_role role) {
    enum { TO_SHARED = 1, TO_GLOBAL = 2, BETWEEN_BLOCKS = 3 };
    const int dimensions = in->modifiers.shape + 1;
    switch (in->form->opcode) {
    case SASS_UBLKCP:
        return role == SASS_M && in->modifiers.type != TO_SHARED ? WIDTH_1 : WIDTH_2;
    case SASS_UBLKRED:
        return role == SASS_M ? WIDTH_1 : WIDTH_2;
    case SASS_UBLKPF:
    case SASS_UTMACCTL:
        return WIDTH_2;
    case SASS_UTMALDG:
        return role == SASS_S ? 2 + dimensions : WIDTH_2;
    case SASS_UTMASTG:
    case SASS_UTMAREDG:
    case SASS_UTMAPF: // UTMAPF's coordinates begin at the third register
        return role == SASS_S ? (in->form->opcode == SASS_UTMAPF ? 2 : 1) + dimensions : WIDTH_2;
    default:
        return 0;
    }
}

static void touch_address(struct touch_list *list, const struct sass_instruction *in,
                          enum sass_role role) {
    const struct sass_operand *operand = &in->operand[role];
    const bool global =
        operand->kind == SASS_ADDRESS && !sass_facts_of(in)->shared && role == SASS_M;
    const int bulk = bulk_width(in, role);
    if (bulk) {
        touch(list, (struct sass_touch){operand->uniform, (uint8_t)bulk, false, true, false,
                                        (uint8_t)role});
        return;
    }
    const bool pair = operand->wide || (global && !operand->unsigned32 && !operand->has_uniform &&
                                        !operand->has_descriptor && in->modifiers.extended_address);
    touch(list,
          (struct sass_touch){operand->number, pair ? 2 : 1, false, false, false, (uint8_t)role});
    if (operand->has_descriptor)
        touch(list, (struct sass_touch){operand->descriptor, 2, false, true, false, (uint8_t)role});
    if (operand->has_uniform) {
        touch(list, (struct sass_touch){operand->uniform, global ? 2 : 1, false, true, false,
                                        (uint8_t)role});
    }
}

// Adds the predicates that the mask of a P2R, UP2UR or R2P selects.
static void touch_masked(struct touch_list *list, const struct sass_instruction *in, uint8_t role) {
    const bool write = in->form->opcode == SASS_R2P, uniform = in->form->opcode == SASS_UP2UR;
    for (uint8_t i = 0; i < SASS_PT; i++) {
        if (in->operand[SASS_B].value >> i & 1)
            touch(list, (struct sass_touch){i, 1, write, uniform, true, role});
    }
}

int sass_touches(const struct sass_instruction *in, struct sass_touch touches[SASS_MAX_TOUCHES]) {
    struct touch_list list = {touches, 0};
    if (in->guard != SASS_PT)
        touch(&list, (struct sass_touch){in->guard, 1, false, in->guard_uniform, true, SASS_GUARD});
    for (int role = 0; role < SASS_ROLE_COUNT; role++) {
        const struct sass_operand *operand = &in->operand[role];
        const bool write = role <= SASS_PV, uniform = operand->kind == SASS_UNIFORM_REGISTER;
        const int width = operand_width(in, (enum sass_role)role);
        switch ((enum sass_kind)operand->kind) {
        case SASS_REGISTER:
        case SASS_UNIFORM_REGISTER:
            touch(&list, (struct sass_touch){operand->number, (uint8_t)width, write, uniform, false,
                                             (uint8_t)role});
            break;
        case SASS_PREDICATE:
        case SASS_UNIFORM_PREDICATE:
            touch(&list, (struct sass_touch){operand->number, 1, write,
                                             operand->kind == SASS_UNIFORM_PREDICATE, true,
                                             (uint8_t)role});
            break;
        // A gdesc names four uniform registers: two describe matrix A, two matrix B. If A is in
        // registers, only B's two are read. A desc names two, which contain a cache policy.
        case SASS_DESCRIPTOR: {
            const bool products = role == SASS_M, only_b = products && in->form->code >> 8 == 0xd;
            touch(&list, (struct sass_touch){(uint8_t)(operand->number + (only_b ? 2 : 0)),
                                             products && !only_b ? 4 : 2, false, true, false,
                                             (uint8_t)role});
            break;
        }
        case SASS_PREDICATES:
            touch_masked(&list, in, (uint8_t)role);
            break;
        case SASS_ADDRESS:
        case SASS_CONSTANT:
            touch_address(&list, in, (enum sass_role)role);
            break;
        default:
            break;
        }
    }
    return list.count;
}

static bool reads_register(const struct sass_operand *operand) {
    return operand->kind == SASS_REGISTER && operand->number != SASS_RZ;
}

// On an H200, the register file has two banks, for even and odd register numbers (docs/h200.md). A
// bank reads one 32-bit register per cycle. A register that is named twice is read twice.
//
// In the reuse cache, each operand slot (A, B or C) has an entry per bank (Huerta et al. 2025).
// FP64 has its own entries; FMA, ALU and HALF share theirs; other pipes have none. An instruction
// that names a register in a slot replaces the entry of the register's bank, even if its guard is
// false: by the register if the operand has a reuse flag, otherwise by nothing. An entry lasts for
// at least 2,000 cycles, unless sass_empties_reuse_cache() applies. PLACES_...: a set of entries.
enum { NO_PLACES = -1, PLACES_32, PLACES_64, PLACES_TENSOR };
static int places_of(const struct sass_instruction *in) {
    const enum sass_pipe pipe = in->form->pipe;
    return pipe == SASS_PIPE_FP64 ? PLACES_64 : pipe < SASS_PIPE_FP64 ? PLACES_32 : NO_PLACES;
}

bool sass_empties_reuse_cache(const struct sass_instruction *in) {
    const enum sass_opcode code = in->form->opcode;
    return !in->control.yield || (in->form->pipe == SASS_PIPE_CBU && code != SASS_BAR &&
                                  code != SASS_NOP && code != SASS_DEPBAR);
}

void sass_bank_reads(const struct sass_instruction *in, struct sass_reuse_cache *cache,
                     int reads[2]) {
    const int places = places_of(in);
    reads[0] = reads[1] = 0;
    for (int slot = 0; slot < 3 && in->form->pipe <= SASS_PIPE_XU; slot++) {
        const enum sass_role role = (enum sass_role)(SASS_A + slot);
        const struct sass_operand *operand = &in->operand[role];
        if (!reads_register(operand)) continue;
        for (int i = 0; i < operand_width(in, role); i++) {
            const int number = operand->number + i, bank = number & 1;
            int16_t none = 0,
                    *place = places == NO_PLACES ? &none : &cache->place[places][slot][bank];
            reads[bank] += *place != number + 1;
            *place = (int16_t)(operand->reuse ? number + 1 : 0);
        }
    }
    if (sass_empties_reuse_cache(in)) *cache = (struct sass_reuse_cache){0};
}

int sass_bank_cycles(const struct sass_instruction *in, struct sass_reuse_cache *cache) {
    int reads[2];
    sass_bank_reads(in, cache, reads);
    const int most = reads[0] > reads[1] ? reads[0] : reads[1];
    return most > 1 ? most : 1;
}

int sass_pipe_cycles(const struct sass_instruction *in) {
    const enum sass_opcode opcode = in->form->opcode;
    const bool pair = opcode == SASS_FFMA2 || opcode == SASS_FMUL2 || opcode == SASS_FADD2;
    return in->form->pipe == SASS_PIPE_FP64 || pair ? 2 : 1;
}

int sass_queue_cycles(const struct sass_instruction *in, struct sass_bank_queue *queue) {
    int reads[2], cycles = sass_pipe_cycles(in);
    sass_bank_reads(in, &queue->cache, reads);
    for (int bank = 0; bank < 2; bank++) {
        queue->behind[bank] += reads[bank];
        if (queue->behind[bank] - SASS_BANK_QUEUE > cycles)
            cycles = queue->behind[bank] - SASS_BANK_QUEUE;
    }
    for (int bank = 0; bank < 2; bank++) {
        queue->behind[bank] = queue->behind[bank] > cycles ? queue->behind[bank] - cycles : 0;
    }
    return cycles;
}

struct sass_reads sass_h200_reads(const struct sass_instruction *in,
                                  struct sass_reuse_cache *cache) {
    struct sass_reads result = {0};
    int banks[2], registers = 0;
    if (in->form->pipe > SASS_PIPE_XU)
        return (struct sass_reads){.cycles = sass_bank_cycles(in, cache)};
    for (int slot = 0; slot < 3; slot++) {
        const enum sass_role role = (enum sass_role)(SASS_A + slot);
        if (!reads_register(&in->operand[role])) continue;
        result.reads++;
        registers += operand_width(in, role);
    }
    struct sass_reuse_cache before = *cache;
    sass_bank_reads(in, &before, banks);
    if (result.reads) result.hits = (registers - banks[0] - banks[1]) * result.reads / registers;
    result.cycles = sass_bank_cycles(in, cache);
    return result;
}

// Returns a mask of the banks in which an operand takes entries of its slot (bit 0: even registers,
// bit 1: odd); 0 if it takes none. Sets *first to the operand's first register.
static int banks_taken(const struct sass_instruction *in, int role, int *first) {
    const struct sass_operand *o = &in->operand[role];
    const int width = reads_register(o) ? operand_width(in, (enum sass_role)role) : 0;
    *first = o->number;
    return width == 0 ? 0 : width > 1 ? 3 : 1 << (o->number & 1);
}

// Like places_of(), but for sass_is_stale() the tensor cores have entries of their own, too.
static int stale_places(const struct sass_instruction *in) {
    return in->form->pipe == SASS_PIPE_TENSOR ? PLACES_TENSOR : places_of(in);
}

static bool writes(const struct sass_instruction *in, int number, int width) {
    struct sass_touch touch[SASS_MAX_TOUCHES];
    for (int i = sass_touches(in, touch); i-- > 0;) {
        if (touch[i].write && !touch[i].uniform && !touch[i].predicate &&
            touch[i].first < number + width && number < touch[i].first + touch[i].count)
            return true;
    }
    return false;
}

bool sass_is_stale(const struct sass_instruction *in, size_t stride, size_t before, int role) {
    enum { REACH = 64 };
    int number = 0, first;
    const int places = in->form ? stale_places(in) : NO_PLACES,
              banks = in->form ? banks_taken(in, role, &number) : 0;
    bool written = false;
    for (size_t back = 1; banks && places != NO_PLACES && back <= REACH && back <= before; back++) {
        const struct sass_instruction *earlier = (const void *)((const char *)in - back * stride);
        if (!earlier->form || sass_empties_reuse_cache(earlier)) return false;
        written |= writes(earlier, number, 1);
        const int taken = stale_places(earlier) == places ? banks_taken(earlier, role, &first) : 0;
        if (taken & banks)
            return first == number && written && earlier->control.reuse >> (role - SASS_A) & 1;
    }
    return false;
}

int sass_next_reader(const struct sass_instruction *code, int at, int end, int role) {
    int number, other;
    const int places = places_of(&code[at]), banks = banks_taken(&code[at], role, &number);
    if (places == NO_PLACES || !banks) return end;
    const int width = operand_width(&code[at], (enum sass_role)role);
    for (int i = at; i < end; i++) {
        const int taken =
            i > at && places_of(&code[i]) == places ? banks_taken(&code[i], role, &other) : 0;
        if (taken & banks) return taken == banks && other == number ? i : end;
        if (sass_empties_reuse_cache(&code[i]) || writes(&code[i], number, width)) return end;
    }
    return end;
}

// --- Maxwell -------------------------------------------------------------------------------------

static int held_at(const struct sass_maxwell_cache *cache, int slot, int number) {
    for (int i = 0; i < cache->count[slot]; i++) {
        if (cache->slot[slot][i] == number) return i;
    }
    return -1;
}

static void drop(struct sass_maxwell_cache *cache, int slot, int at) {
    cache->count[slot]--;
    for (int i = at; i < cache->count[slot]; i++) cache->slot[slot][i] = cache->slot[slot][i + 1];
}

// Updates a slot after an instruction that named register `number` in it.
static void keep(struct sass_maxwell_cache *cache, int slot, int number, bool reuse) {
    const int at = held_at(cache, slot, number);
    if (at >= 0) drop(cache, slot, at);
    if (!reuse) return;
    if (cache->count[slot] == cache->keep) drop(cache, slot, 0);
    cache->slot[slot][cache->count[slot]++] = (int16_t)number;
}

struct sass_reads sass_maxwell_reads(const struct sass_instruction *in,
                                     struct sass_maxwell_cache *cache) {
    struct sass_reads result = {0};
    int banks[4] = {0}, fetched[SASS_MAX_TOUCHES], count = 0;
    if (in->form->pipe > SASS_PIPE_XU) return (struct sass_reads){.cycles = 1};
    for (int slot = 0; slot < 3; slot++) {
        const enum sass_role role = (enum sass_role)(SASS_A + slot);
        const struct sass_operand *operand = &in->operand[role];
        if (!reads_register(operand)) continue;
        const bool hit = held_at(cache, slot, operand->number) >= 0;
        result.reads++;
        result.hits += hit;
        for (int i = 0; !hit && i < operand_width(in, role); i++) {
            bool known = false;
            for (int j = 0; j < count; j++) known |= fetched[j] == operand->number + i;
            if (known) continue;
            fetched[count++] = operand->number + i;
            banks[(operand->number + i) & 3]++;
        }
        keep(cache, slot, operand->number, operand->reuse);
    }
    result.cycles = 1;
    for (int bank = 0; bank < 4; bank++)
        result.cycles = banks[bank] > result.cycles ? banks[bank] : result.cycles;
    return result;
}
