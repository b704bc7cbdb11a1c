// Which variants run a problem, for one that chooses.
#include "contender.h"

#include <math.h>
#include <string.h>

static struct contender *other_named(struct contender *c, const char *variant) {
    for (int i = 0; i < c->other_count; i++) {
        if (strcmp(c->others[i].variant->name, variant) == 0) return &c->others[i];
    }
    return NULL;
}

// Which variant computes the first rows of C: as the chooser says, or the one that expects to take the least time.
static struct plan first_rows(const struct contender *c, const struct situation *situation) {
    const struct chooser *choice = &more_of(c->variant)->choice;
    struct plan plan = {"none of them", 0, 0};
    double least = INFINITY;
    if (choice->choose) return choice->choose(situation);
    for (int i = 0; i < c->other_count; i++) {
        const struct variant *v = c->others[i].variant;
        const struct chooser *its = &more_of(v)->choice;
        const double time = its->expects ? its->expects(situation) : INFINITY;
        if (time < least) least = time, plan.variant = v->name;
    }
    return plan;
}

// Asks the chooser which variant computes the next rows of C until all of them are assigned. False with backend_error().
static bool share_out(struct contender *c, const struct situation *asked, struct sharing *sharing) {
    struct situation rest = *asked;
    *sharing = (struct sharing){.count = 0};
    for (int i = 0; rest.m > 0; i++) {
        const struct plan plan = first_rows(c, &rest);
        struct contender *by = other_named(c, plan.variant);
        if (!by || i == MOST_SHARES) {
            return backend_fail("%s/%s chose %s, which %s", c->step->name, c->variant->name, plan.variant,
                                by ? "is one launch too many" : "does not run here");
        }
        const int rows = plan.rows > 0 && plan.rows < rest.m ? plan.rows : rest.m;
        sharing->shares[i] = (struct share){by, plan.parts, rows};
        rest.m -= rows;
        if (rest.m == 0) sharing->count = i + 1;
    }
    sharing->asked = *asked;
    return true;
}

// What was chosen for a problem; NULL: nothing yet.
static struct sharing *find_sharing(const struct contender *c, const struct situation *situation) {
    for (int i = 0; i < c->sharing_count && i < MOST_SHARINGS; i++) {
        if (memcmp(&c->sharings[i].asked, situation, sizeof *situation) == 0) return &c->sharings[i];
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
