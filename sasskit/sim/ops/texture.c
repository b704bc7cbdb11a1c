// Textures: TLD, which nvcc emits for tex1Dfetch() of a texture object.
//
// A texture is an array of texels in linear memory. A texel has 1, 2 or 4 values of 32 bits
// (sim_texture_open). A fetch outside the texture returns zeros. Other formats and other texture
// instructions are not supported.
#include "sectors.h"

enum { CHANNELS = 4 };

// Returns the texture of an instruction's handle. Returns NULL after reporting that there is none,
// that it or its memory was freed, or that its texels have too few values or an unstated size.
static const struct texture *find_texture(struct warp *w, const struct uop *u, int lane) {
    const struct detail *m = u->detail;
    const struct sim_memory *memory = w->block->launch->memory;
    const uint32_t handle = source(w, u, 1)[0];
    const struct texture *t = memory_texture(memory, handle);
    if (!t) {
        checks_report(w, REPORT_ADDRESS, m->index, lane, false,
                      "fetches from texture 0x%x, which is not a handle of a texture", handle);
        return NULL;
    }
    const uint64_t end = t->base + t->texels * t->texel_bytes;
    const unsigned values = t->texel_bytes / 4,
                   asked = (unsigned)m->instruction.operand[SASS_I].value,
                   taken = 32 - (unsigned)__builtin_clz(asked | 1);
    const bool takes_all = m->program->cubin->debugged && asked == (1u << CHANNELS) - 1;
    if ((taken > values && !takes_all) || (!t->stated && asked != (1u << CHANNELS) - 1)) {
        char texels[64] = "texels of unstated size: tex1:, tex2: or tex4: states it";
        if (t->stated) snprintf(texels, sizeof texels, "texels of %u", values);
        checks_report(w, REPORT_ADDRESS, m->index, lane, false,
                      "takes %u of the values of a texel of texture 0x%x, which has %s", taken,
                      handle, texels);
        return NULL;
    }
    if (t->open && memory_find(memory, t->base, end)) return t;
    checks_report(w, REPORT_ADDRESS, m->index, lane, false, "fetches from texture 0x%x, %s", handle,
                  t->open ? "whose memory was freed" : "which was freed");
    return NULL;
}

// Returns the row of a requested channel. The first two (place 0 and 1) go to the register pair at
// Rd, the others to the pair at Re.
static uint16_t channel_row(const struct detail *m, int place) {
    const struct sass_operand *to = &m->instruction.operand[place < 2 ? SASS_D : SASS_E];
    return to->number == SASS_RZ ? ROW_TRASH : (uint16_t)(to->number + place % 2);
}

// Marks the register of a channel that the texels do not have as undefined. Code for a debugger
// fetches all four channels, and uses only those that exist.
static void put_nothing(struct warp *w, uint32_t row, uint32_t mask) {
    struct unwritten *to = &w->hazards.unwritten[row];
    if (row >= ROW_ZERO) return;
    w->hazards.any_unwritten = true;
    to->lanes |= mask;
    to->address = row;
    to->from = FROM_REGISTER;
    EACH_LANE(l, mask) w->hazards.unset[row][l] = UINT32_MAX;
}

static void put_texels(struct warp *w, const struct detail *m, uint32_t mask, unsigned values,
                       uint32_t (*value)[CHANNELS]) {
    for (int channel = 0, place = 0; channel < CHANNELS; channel++) {
        if (!(m->instruction.operand[SASS_I].value >> channel & 1)) continue;
        const uint16_t number = channel_row(m, place++);
        EACH_LANE(l, mask) w->row[number][l] = value[l][channel];
        if ((unsigned)channel >= values) put_nothing(w, number, mask);
    }
}

static void run_tld(struct warp *w, const struct uop *u, uint32_t mask) {
    const struct detail *m = u->detail;
    const uint32_t *index = w->row[m->base];
    const struct texture *t = find_texture(w, u, first_lane(mask));
    struct tally *tally = &w->block->tally[m->index];
    uint64_t address[LANES];
    uint32_t value[LANES][CHANNELS] = {{0}}, inside = 0;
    tally->requests++;
    if (!t) return;
    EACH_LANE(l, mask) {
        address[l] = t->base + (uint64_t)index[l] * t->texel_bytes;
        if (index[l] < t->texels) inside |= 1u << l;
    }
    const uint8_t *host =
        sim_host(w->block->launch->memory, t->base, (int64_t)(t->texels * t->texel_bytes));
    EACH_LANE(l, inside) memcpy(value[l], host + (address[l] - t->base), t->texel_bytes);
    if (inside) tally->sectors += count_sectors(address, inside, address_range(address, inside));
    put_texels(w, m, mask, t->texel_bytes / 4, value);
}

static sim_execute *bind_tld(struct detail *d) {
    const struct sass_operand *o = d->instruction.operand;
    if (d->pu != PREDICATE_TRASH || o[SASS_B].kind == SASS_NONE)
        return NULL; // a residency predicate, or a handle in a general register, is not supported
    d->base = o[SASS_A].number == SASS_RZ ? ROW_ZERO : o[SASS_A].number;
    if (o[SASS_B].kind == SASS_UNIFORM_REGISTER) return o[SASS_J].value == 0 ? run_tld : NULL;
    // before sm_90, the handle is in constant memory
    d->uop->source[1] =
        program_bank_row(d->program, (int)o[SASS_J].value, (int32_t)o[SASS_B].value * 4);
    return run_tld;
}

const struct binding SIM_NAME(texture_bindings)[] = {{SASS_TLD, .bind = bind_tld},
                                                     {.opcode = SASS_OPCODE_COUNT}};
