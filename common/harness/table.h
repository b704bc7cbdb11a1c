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
    int multiprocessors; // number of SMs that share a launch
};

// The contents of the table, which decide its columns and their widths.
struct table_plan {
    const struct contender *contenders; // (count)
    int count;
    const struct shape *shapes; // (shape_count)
    int shape_count;
    // all problems have default strides and factors, so that the shape describes a problem
    bool plain;
    bool counted;   // the table has counts instead of times
    bool predicted; // the times are a model's: three digits, and neither clock, watts nor baseline
    bool checked;   // the error of every result is known
    bool baseline;  // times are compared with cuBLAS
    bool wide;      // show all columns
    enum element element;
};

// Begins a table. Its head is printed before the first row.
void table_begin(const struct table_plan *plan);

// Prints a row. `counts` is NULL for times; `finding` as in report_result().
void table_row(const struct result *result, const char *finding, const struct counts *counts);
