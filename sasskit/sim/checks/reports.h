// The reports of a launch, gathered from all host threads.
#pragma once

#include "base/finding.h"
#include "checks.h"

// What is known of one report: the finding, and the evidence for its cause.
struct entry {
    struct finding finding;
    struct evidence evidence;
    enum report_kind kind;
    uint32_t index;        // of the instruction
    uint64_t block, order; // of the first occurrence
    int rank;              // rule's place in its table; causes come before effects
    uint32_t from, to;     // missing barrier: positions between which it is missing
    bool printed;          // while the launch ran
};

// What a launch knows when it is over and its reports are explained.
struct scene {
    const struct launch_state *launch;
    struct entry **entry; // by block
    int count;
};

// Text goes to `file`, one line per report, if that is not NULL; else findings are printed to the program's channel, at most `most` of
// them as text.
struct reports *reports_open(FILE *file, int most);
void reports_close(struct reports *reports);
// One line of text for a report, in the order in which they came; NULL behind the last.
const char *reports_text(struct reports *reports, int number);
// Enters a finding about the launch as a whole: `finding` has kind, severity, message, cause and remedy.
void reports_add(struct launch_state *launch, enum report_kind kind, const struct finding *finding);
bool reports_have_errors(const struct reports *reports);
// Explains and prints what was reported. False when there was more than warnings: the first one's line goes to `first`.
bool reports_print(const struct launch_state *launch, struct sim_error *first);

// causes.c: sets rule, cause and remedy of every entry that a rule's evidence holds for, and merges those of one cause.
void causes_find(const struct scene *scene);
