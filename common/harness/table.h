// The table of results on the terminal. It has as many columns as fit in 100 characters, the lesson's own first; --wide has all.
#pragma once

#include "contender.h"
#include "csv.h"

// What was counted of a launch.
struct counts {
    const struct counter *counters; // (count)
    int count;
    enum element element;
    int multiprocessors; // that share the launch
};

// What the table will show; decides its columns and their widths.
struct table_plan {
    const struct contender *contenders; // (count)
    int count;
    const struct shape *shapes; // (shape_count)
    int shape_count;
    bool plain;     // each problem's text is its shape: no strides or factors of its own
    bool counted;   // counts instead of times
    bool predicted; // times of a model, which have no clock, watts or baseline and three digits
    bool checked;   // each result has an error
    bool baseline;  // times are compared with cuBLAS
    bool wide;      // every column
    enum element element;
};

// Begins a table: its head is printed before the first row.
void table_begin(const struct table_plan *plan);

// Prints a row. `counts` is NULL for times; `finding` is as in report_result().
void table_row(const struct result *result, const char *finding, const struct counts *counts);
