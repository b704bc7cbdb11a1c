// Prints what a run does, its results and its failed checks.
#pragma once

#include "contender.h"
#include "csv.h"
#include "table.h"

// Prints what the run does and where, for example "counted on the simulator, sm_90".
void report_device(const struct backend *backend, const struct device_info *info, bool checks_only);

// Prints one row of the table (table.h) and its JSON lines. `finding` is the kind of the
// simulator's report, for example "race", or NULL.
void report_result(const struct result *result, const char *finding, const struct counts *counts);

// Prints how far the model's times were from those of an H200, per kind of problem in the table.
void report_accuracy(void);

// Prints the JSON line `verdict`, if --json was given.
void verdict_to_json(const struct result *result, const char *finding);

// After a failure: prints the entries of step.c that may be wrong for this kernel. `unwritten` is
// true if elements of C were not written.
void report_contract(const struct contender *contender, bool unwritten);
// Prints that a block of the kernel computes at least 2 block_m rows (`taller`) or 2 block_n
// columns (`wider`).
void report_small_tile(const struct contender *contender, bool taller, bool wider);

// Prints a failed check: the problem, then a line per fault, but at most MAX_FAULTS.
void report_faults(const struct contender *contender, const struct problem *problem,
                   const struct verdict *verdict);

// Prints a failed check in which the passes decided wrongly (extras.h); `wrong` says how.
void report_wrong(const struct contender *contender, const struct problem *problem,
                  const char *wrong);

// Prints the summary of a run with `--check only`: one line per variant.
void report_checks(const struct contender *contenders, int count);
