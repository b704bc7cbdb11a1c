// Which instructions an observer hears of, and its streams (sim/observer.h).
#include "observed.h"
#include "sim/observer.h"

#include <stdlib.h>

void stream_put(struct sim_stream *s, uint32_t word) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 4096;
        s->word = realloc(s->word, s->capacity * sizeof *s->word);
        if (!s->word) abort();
    }
    s->word[s->count++] = word;
}

bool is_memory(enum sass_opcode opcode) {
    switch (opcode) {
    case SASS_LDG:
    case SASS_LD:
    case SASS_STG:
    case SASS_ST:
    case SASS_LDL:
    case SASS_STL:
    case SASS_LDS:
    case SASS_STS:
    case SASS_LDGSTS:
    case SASS_TLD:
    case SASS_ATOM:
    case SASS_ATOMG:
    case SASS_ATOMS:
    case SASS_ATOM_CAS:
    case SASS_ATOMG_CAS:
    case SASS_ATOMS_CAS:
    case SASS_ATOMS_POPC:
    case SASS_RED:
    case SASS_REDG:
        return true;
    default:
        return false;
    }
}

// At barriers in shared memory: who arrives, who waits, copies that they count.
bool uses_mbarrier(enum sass_opcode opcode) {
    return opcode == SASS_SYNCS_ARRIVE || opcode == SASS_SYNCS_PHASECHK || opcode == SASS_ARRIVES ||
           opcode == SASS_UBLKCP || opcode == SASS_UTMALDG;
}

bool is_observed(const struct detail *d) {
    const struct sass_form *form = d->instruction.form;
    if (is_memory(form->opcode) || form->opcode == SASS_BAR || uses_mbarrier(form->opcode)) return true;
    return d->instruction.guard != SASS_PT && form->pipe != SASS_PIPE_CBU;
}
