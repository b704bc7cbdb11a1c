// Reads a kernel's code for the rules of causes.def: source lines, the barriers, fences and loops
// around an instruction, and the names of arrays and warps.
#include "causes.h"

const struct sass_instruction *code_at(const struct program *p, uint32_t index) {
    return p->code[index].detail->instruction.form ? &p->code[index].detail->instruction : NULL;
}

bool is_opcode(const struct program *p, uint32_t index, enum sass_opcode opcode) {
    const struct sass_instruction *in = code_at(p, index);
    return in && in->form->opcode == opcode;
}

uint32_t call_of(const struct program *p, uint32_t index) {
    const uint32_t address = index * SASS_BYTES;
    for (int i = 0; i < p->kernel->symbol_count; i++) {
        const struct sass_symbol *f = &p->kernel->symbols[i];
        uint32_t call = UINT32_MAX;
        if (address < f->address || address - f->address >= f->size || !f->address) continue;
        for (uint32_t k = 0; k < p->count; k++) {
            const bool calls =
                is_opcode(p, k, SASS_CALL) && p->detail[k].target == f->address / SASS_BYTES;
            if (calls && call != UINT32_MAX) return index;
            if (calls) call = k;
        }
        return call == UINT32_MAX ? index : call;
    }
    return index;
}

uint32_t source_position(const struct program *p, uint32_t index) {
    uint32_t *kept = &p->detail[index].position;
    if (!*kept) {
        const uint32_t line = place_own_line(p->kernel, call_of(p, index));
        *kept = 1 + (line ? line : index);
    }
    return *kept - 1;
}

const char *name_position(const struct program *p, uint32_t index, char text[32]) {
    const bool line = place_own_line(p->kernel, call_of(p, index)) != 0;
    snprintf(text, 32, line ? "line %u" : "instruction 0x%x",
             line ? source_position(p, index) : index * SASS_BYTES);
    return text;
}

bool is_alike(const struct program *p, uint32_t index, uint32_t other) {
    const struct sass_instruction *a = code_at(p, index), *b = code_at(p, other);
    return a && b && a->form->opcode == b->form->opcode &&
           source_position(p, index) == source_position(p, other);
}

struct code_span smallest_loop(const struct program *p, uint32_t a, uint32_t b, bool copies) {
    struct code_span best = {0};
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t target = p->detail[i].target;
        bool has_a = false, has_b = false, ends = false;
        if (!is_opcode(p, i, SASS_BRA) || target > i) continue;
        for (uint32_t k = target; k <= i; k++) {
            has_a |= copies ? is_alike(p, k, a) : k == a;
            has_b |= copies ? is_alike(p, k, b) : k == b;
            // a jump back over an unconditional EXIT is no loop: it lies after the kernel's end
            ends |= is_opcode(p, k, SASS_EXIT) && sass_always(code_at(p, k));
        }
        if (has_a && has_b && !ends && (!best.found || i - target < best.last - best.first))
            best = (struct code_span){target, i, true};
    }
    return best;
}

struct code_span common_loop(const struct program *p, uint32_t a, uint32_t b) {
    return smallest_loop(p, a, b, true);
}

bool is_block_barrier(const struct program *p, uint32_t index) {
    return is_opcode(p, index, SASS_BAR);
}

uint32_t barrier_between(const struct program *p, uint32_t low, uint32_t high) {
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t at = source_position(p, i);
        if (is_block_barrier(p, i) && at >= low && at <= high) return i;
    }
    return UINT32_MAX;
}

uint32_t barrier_around(const struct program *p, struct code_span loop, uint32_t low,
                        uint32_t high) {
    for (uint32_t i = loop.first; i <= loop.last; i++) {
        const uint32_t at = source_position(p, i);
        if (is_block_barrier(p, i) && (at < low || at > high)) return i;
    }
    return UINT32_MAX;
}

uint32_t barrier_in(const struct program *p, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i <= last && i < p->count; i++)
        if (is_block_barrier(p, i)) return i;
    return UINT32_MAX;
}

bool has_barrier(const struct program *p) {
    return barrier_between(p, 0, UINT32_MAX) != UINT32_MAX;
}

bool has_fence(const struct program *p) {
    enum { SCOPE_VC = 5 };
    for (uint32_t i = 0; i < p->count; i++)
        if (is_opcode(p, i, SASS_MEMBAR) && code_at(p, i)->modifiers.type != SCOPE_VC) return true;
    return false;
}

enum source_role role_of(const struct code_place *p) {
    return !p->action || strcmp(p->action, "updates") == 0 ? SOURCE_ANY
           : strcmp(p->action, "writes") == 0              ? SOURCE_WRITES
                                                           : SOURCE_READS;
}

// Keeps the accepted names, or all if none is accepted. Returns how many are left.
static int keep_names(char names[SOURCE_NAMES][SOURCE_NAME], int count,
                      const bool accepted[SOURCE_NAMES]) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (accepted[i] && kept++ != i) memcpy(names[kept - 1], names[i], sizeof names[0]);
    return kept ? kept : count;
}

// Returns true if the finding's source line also accesses device memory: by a store if the finding
// is a write, otherwise by a load. A name in that line may then be an array in device memory.
static bool names_device_memory(const struct suspect *s) {
    const struct program *p = s->program;
    const bool reads = role_of(&s->finding->place) != SOURCE_WRITES;
    for (uint32_t i = 0; i < p->count && s->entry->index < p->count; i++)
        if (is_opcode(p, i, reads ? SASS_LDG : SASS_STG) &&
            source_position(p, i) == source_position(p, s->entry->index))
            return true;
    return false;
}

#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

void find_array(struct suspect *s) {
    const struct code_place *a = &s->finding->place, *b = &s->finding->other;
    const bool shared = s->finding->space && strcmp(s->finding->space, "shared") == 0;
    const bool two_accesses = b->known && s->entry->kind != REPORT_UNWRITTEN;
    char names[SOURCE_NAMES][SOURCE_NAME], others[SOURCE_NAMES][SOURCE_NAME];
    const char *line = source_line(a->file, a->line);
    if (!line || !s->finding->space) return;
    const char *atomic = strstr(line, "atomic"), *argument = atomic ? strchr(atomic, '&') : NULL;
    if (argument) line = argument; // only the address names the array: atomicAdd(&sum[i], in[i])
    if (argument && argument[1 + strspn(argument + 1, NAME_LETTERS)] != '[') return;
    // inline assembly: its operands do not name an array
    if (strstr(line, "asm") || strstr(line, "\"r\"(")) return;
    int count = source_names(line, role_of(a), names), also = 0;
    if (!source_names(line, SOURCE_WRITES, others) && source_change(line) == CHANGE_ADDS)
        return; // the array that is changed has no index, as in *sum += x[i]
    if (!count) count = source_names(line, SOURCE_ANY, names);
    const char *other = two_accesses ? source_line(b->file, b->line) : NULL;
    if (other) also = source_names(other, role_of(b), others);
    if (other && !also) also = source_names(other, SOURCE_ANY, others);
    bool accepted[SOURCE_NAMES] = {false};
    bool common = false;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < also; k++) accepted[i] |= strcmp(names[i], others[k]) == 0;
        common |= accepted[i];
    }
    count = keep_names(names, count, accepted);
    for (int i = 0; i < count; i++) accepted[i] = shared && source_is_shared(a->file, names[i]);
    count = keep_names(names, count, accepted);
    if (shared && count && !source_is_shared(a->file, names[0]) && names_device_memory(s)) return;
    if (other ? common : count == 1)
        snprintf(s->finding->array, sizeof s->finding->array, "%s", names[0]);
}

const char *name_memory(const struct suspect *s, const char *otherwise, char text[80]) {
    snprintf(text, 80, *s->finding->array ? "%s[..]" : "%s",
             *s->finding->array ? s->finding->array : otherwise);
    return text;
}

bool is_double_buffer(const struct suspect *s) {
    return *s->finding->array &&
           source_is_double(s->finding->place.file, s->finding->array, s->finding->place.line);
}

void name_warp(const struct code_place *p, char text[48]) {
    if (p->lane != NOBODY_KNOWN && p->warp != NOBODY_KNOWN)
        snprintf(text, 48, "lane %d of warp %d", p->lane, p->warp);
    else if (p->warp != NOBODY_KNOWN)
        snprintf(text, 48, "warp %d", p->warp);
    else
        snprintf(text, 48, "another warp");
}
