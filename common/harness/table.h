// The table of results on the terminal. It has as many columns as fit into 100 characters, the
// lesson's own column first; with --wide it has all.
#pragma once

#include "contender.h"
#include "csv.h"

// The counters of a contender's launches.
struct counts {
    const struct counter *counters; // (count)
    int count;
    enum element element;
    int multiprocessors; // SMs that share a launch
};

// The contents of the table, which decide its columns and their widths.
struct table_plan {
    const struct contender *contenders; // (count)
    int count;
    const struct shape *shapes; // (shape_count)
    int shape_count;
    bool plain;     // every problem has default strides and factors, so its shape describes it
    bool counted;   // counts instead of times
    bool predicted; // a model's times: three digits, no clock, watts or baseline
    bool checked;   // each result has an error
    bool baseline;  // times are compared with cuBLAS
    bool wide;      // all columns
    enum element element;
};

// Begins a table. Its head is printed before the first row.
void table_begin(const struct table_plan *plan);

// Prints a row. `counts` is NULL for times; `finding` as in report_result().
void table_row(const struct result *result, const char *finding, const struct counts *counts);
