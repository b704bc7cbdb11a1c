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

bool is_observed(const struct detail *d) {
    const struct sass_form *form = d->instruction.form;
    const struct sass_facts *facts = sass_facts_of(&d->instruction);
    if (facts->memory || facts->meets || form->opcode == SASS_BAR) return true;
    return d->instruction.guard != SASS_PT && form->pipe != SASS_PIPE_CBU;
}
