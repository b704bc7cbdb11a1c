// The reports of a launch, collected from all host threads.
#pragma once

#include "base/finding.h"
#include "checks.h"

// One report: its finding, and the evidence for the finding's cause.
struct entry {
    struct finding finding;
    struct evidence evidence;
    enum report_kind kind;
    uint32_t index;        // index of the instruction
    uint64_t farthest;     // highest address among all occurrences
    uint64_t block, order; // of the first occurrence: linear block, number of the block's report
    // index of the rule that explains the report; reports of lower ranks are printed first
    int rank;
    bool shifted; // the accesses begin as far after the buffer's start as they end past its end
    bool many;    // a condition that is off by one does not explain it: too many accesses fail
    uint32_t from, to; // source positions around a missing barrier; UINT32_MAX at a loop's end
};

// All reports of a completed launch.
struct scene {
    const struct launch_state *launch;
    struct entry **entry; // [count], sorted by the block of the first occurrence
    int count;
};

// Opens an empty collection. At most `most` reports are printed as text: as one line each in
// `file`, or as findings on the program's channel if `file` is NULL.
struct reports *reports_open(FILE *file, int most);
void reports_close(struct reports *reports);
// Returns report `number`, in order of occurrence, as one line of text; NULL after the last one.
// The next call overwrites the text.
const char *reports_text(struct reports *reports, int number);
// Adds a finding about the whole launch. Requires: severity, message, cause and remedy are set.
void reports_add(struct launch_state *launch, enum report_kind kind, const struct finding *finding);
// Sets evidence.other_block of each read of unwritten device memory to the block that wrote there
// later. Requires: `writer` is global_last_writer().
void reports_find_writers(struct launch_state *launch,
                          uint64_t (*writer)(const struct launch_state *, uint64_t));
// Finds the causes of all reports and prints the reports. If one of them is an error, returns false
// and sets *first to the line of the first error.
bool reports_print(const struct launch_state *launch, struct error *first);

// Finds the causes of all reports and writes them to the program's channel as JSON lines. Requires:
// reports_print() is not called for this launch afterwards.
void reports_to_json(const struct launch_state *launch);

// causes.c: sets each entry's cause and remedy by the first rule that explains it, then merges the
// entries with a common cause.
void causes_find(const struct scene *scene);
