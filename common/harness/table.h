// Prints the table of results on the terminal. It has as many columns as fit into 100 characters;
// with --wide it has all. A table of counts begins with the counter that its lessons are about
// (step.h), if all have the same one.
#pragma once

#include "contender.h"
#include "csv.h"

// The counters of a contender's launches.
struct counts {
    const struct counter *counters; // `count` counters
    int count;
    enum element element;
    int multiprocessors; // number of SMs that share a launch
};

// The contents of the table, which decide its columns and their widths.
struct table_plan {
    const struct contender *contenders; // `count` contenders
    int count;
    const struct shape *shapes; // `shape_count` shapes
    int shape_count;
    // true if all problems have default strides and factors, so that a row shows only their shapes
    bool plain;
    bool counted; // true if the table has counts instead of times
    // true if a model predicts the times: they have three digits, and no clock, watts or baseline
    bool predicted;
    bool checked;  // true if the error of every result is known
    bool baseline; // true if times are compared with cuBLAS
    bool wide;     // true if all columns are shown
    enum element element;
};

// Begins a table. Its head is printed before the first row.
void table_begin(const struct table_plan *plan);

// Prints a row. `counts` is NULL if the row has times. `finding` is the kind of the
// simulator's report or NULL (report.h).
void table_row(const struct result *result, const char *finding, const struct counts *counts);
