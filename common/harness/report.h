// The table on the terminal.
#ifndef HARNESS_REPORT_H
#define HARNESS_REPORT_H

#include "contender.h"
#include "csv.h"

// The line that says what it runs on.
void report_device(const struct backend *backend, const struct device_info *info);

// One line of the table, with its head before the first. Only timed columns that have a value are filled.
void report_result(const struct result *result);

// A failed check: where and what, at most MAX_FAULTS lines.
void report_faults(const struct contender *contender, const struct problem *problem, const struct verdict *verdict);

// The summary of --check only, a line for each contender.
void report_checks(const struct contender *contenders, int count);

#endif
