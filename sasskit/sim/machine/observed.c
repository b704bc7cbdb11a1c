// Selects the instructions that an observer's streams describe (sim/observer.h).
#include "observed.h"
#include "room.h"
#include "sim/observer.h"

void stream_put(struct sim_stream *s, uint32_t word) {
    MAKE_ROOM(s->word, s->count, s->capacity);
    s->word[s->count++] = word;
}

bool is_observed(const struct detail *d) {
    const struct sass_form *form = d->instruction.form;
    const struct sass_facts *facts = sass_facts_of(&d->instruction);
    if (facts->memory || facts->mbarrier || form->opcode == SASS_BAR) return true;
    return d->instruction.guard != SASS_PT && form->pipe != SASS_PIPE_CBU;
}
