// The table on the terminal.
#pragma once

#include "contender.h"
#include "csv.h"

// The line that says what it runs on.
void report_device(const struct backend *backend, const struct device_info *info);

// What was counted of a launch, and by how many multiprocessors it would be shared.
struct counts {
    const struct counter *counters; // (count)
    int count;
    enum element element;
    int multiprocessors;
};

// One line of a table, with its head before the first: of times, or of counts where `counts` is not NULL. `finding`: what the
// engine reported the kernel for, in a word, or NULL.
void report_result(const struct result *result, const char *finding, const struct counts *counts);

// The JSON line `verdict`, if the channel wants it.
void verdict_to_json(const struct result *result, const char *finding);

// A failed check: where and what, at most MAX_FAULTS lines.
// Prints what step.c says of a failed kernel's launch where that may be the cause.
void report_contract(const struct contender *contender, bool unwritten);
void report_faults(const struct contender *contender, const struct problem *problem, const struct verdict *verdict);

// What a contender's scratch memory says that does not fit the operands.
void report_wrong(const struct contender *contender, const struct problem *problem, const char *wrong);

// The summary of --check only, a line for each contender.
void report_checks(const struct contender *contenders, int count);
