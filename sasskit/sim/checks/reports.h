// The reports of a launch, collected from all host threads.
#pragma once

#include "base/finding.h"
#include "checks.h"

// One report: its finding, and the evidence for its cause.
struct entry {
    struct finding finding;
    struct evidence evidence;
    enum report_kind kind;
    uint32_t index;        // instruction index
    uint64_t farthest;     // highest address of all occurrences
    uint64_t block, order; // of the first occurrence
    int rank;              // index of its rule; the rules of causes come before those of effects
    uint32_t from, to;     // positions between which a barrier is missing
    bool printed;          // while the launch was running
};

// All reports of a completed launch.
struct scene {
    const struct launch_state *launch;
    struct entry **entry; // [count], sorted by block
    int count;
};

// Writes one line of text per report to `file`. If that is NULL, prints findings to the program's
// channel, as text at most `most` of them.
struct reports *reports_open(FILE *file, int most);
void reports_close(struct reports *reports);
// Returns report `number`, in order of occurrence, as one line of text; NULL after the last one.
// The next call overwrites the text.
const char *reports_text(struct reports *reports, int number);
// Adds a finding about the whole launch. Requires: it has severity, message, cause and remedy.
void reports_add(struct launch_state *launch, enum report_kind kind, const struct finding *finding);
// Finds the blocks that wrote what was read before. `writer`: global_last_writer().
void reports_find_writers(struct launch_state *launch, uint64_t (*writer)(const struct launch_state *, uint64_t));
// Finds the causes of all reports and prints them.
// Returns false if one is an error, and sets *first to the line of the first error.
bool reports_print(const struct launch_state *launch, struct error *first);

// Finds the causes of all reports and writes them to the program's channel as JSON lines. Requires:
// no report of this launch is printed with its cause later.
void reports_to_json(const struct launch_state *launch);

// causes.c: sets rule, cause and remedy of every entry that satisfies a rule's evidence, and merges
// the entries that have one cause.
void causes_find(const struct scene *scene);
