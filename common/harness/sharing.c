// Makes the plans of variants that choose: which variant computes which part of C.
#include "contender.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct contender *other_named(struct contender *c, const char *variant) {
    for (int i = 0; i < c->candidate_count; i++) {
        if (strcmp(c->candidates[i].variant->name, variant) == 0) return &c->candidates[i];
    }
    return NULL;
}

// Returns the plan that the variant's `choose` makes. Without that function, the plan is one launch
// of the variant whose `expects` returns the least time.
static struct plan plan_for(const struct contender *c, const struct situation *situation) {
    const struct chooser *choice = &extras_of(c->variant)->choice;
    struct plan plan = {1, {{"none of them", 0, 0, 0, situation->m, situation->n}}};
    double least = INFINITY;
    if (choice->choose) return choice->choose(situation);
    for (int i = 0; i < c->candidate_count; i++) {
        const struct variant *v = c->candidates[i].variant;
        const struct chooser *its = &extras_of(v)->choice;
        const double time = its->expects ? its->expects(situation) : INFINITY;
        if (time < least) least = time, plan.launches[0].variant = v->name;
    }
    return plan;
}

// Makes the plan for a problem and finds the contenders that it names. Returns false with
// backend_error() if one is missing.
static bool share_out(struct contender *c, const struct situation *asked, struct sharing *sharing) {
    const struct plan plan = plan_for(c, asked);
    *sharing = (struct sharing){0};
    for (int i = 0; i < plan.count; i++) {
        const struct planned *part = &plan.launches[i];
        struct contender *by = other_named(c, part->variant);
        if (!by)
            return backend_fail("%s/%s chose %s, which does not run on this device", c->step->name,
                                c->variant->name, part->variant);
        sharing->shares[i] = (struct share){by, *part};
    }
    sharing->asked = *asked;
    sharing->count = plan.count;
    return true;
}

// Returns the plan remembered for a problem; NULL if there is none.
static struct sharing *find_sharing(const struct contender *c, const struct situation *situation) {
    for (int i = 0; i < c->sharing_count && i < MOST_SHARINGS; i++) {
        if (memcmp(&c->sharings[i].asked, situation, sizeof *situation) == 0)
            return &c->sharings[i];
    }
    return NULL;
}

const struct sharing *sharing_for(struct contender *c, const struct situation *situation) {
    c->last = find_sharing(c, situation);
    if (c->last) return c->last;
    c->last = &c->sharings[c->sharing_count++ % MOST_SHARINGS];
    return share_out(c, situation, c->last) ? c->last : NULL;
}

const struct contender *contender_runner(const struct contender *c) {
    return c->last && c->last->count ? contender_runner(c->last->shares[0].by) : c;
}

static void append_code(const struct contender *c, char *text, size_t size) {
    const size_t used = strlen(text);
    if (*c->code) snprintf(text + used, size - used, "%s%s", used ? "+" : "", c->code);
    for (int i = 0; c->last && i < c->last->count; i++)
        append_code(c->last->shares[i].by, text, size);
    if (c->leaf) append_code(c->leaf, text, size);
}

void contender_code(const struct contender *c, char *text, size_t size) {
    *text = '\0';
    append_code(c, text, size);
}
