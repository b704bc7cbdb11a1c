// What a run prints.
#pragma once

#include "contender.h"
#include "csv.h"
#include "table.h"

// Prints what runs where: "counted on the simulator, sm_90".
void report_device(const struct backend *backend, const struct device_info *info, bool checks_only);

// Prints one row of the table (table.h) and its JSON lines. `finding`: the kind of the engine's report, "race", or NULL.
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
