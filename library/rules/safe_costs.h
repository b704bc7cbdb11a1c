// Costs of `mended`, `few_rows` and `few_cols` (safe.h), one row per machine. tools/tensor_costs.py
// writes these rows.
// clang-format off
static const struct tensor_cost tensor_costs[] = {
    {"NVIDIA H200", {20.0, 0.000185, 1.81e-06, 2.86e-06, 2.90, 1.043}, {16.8, 0.000115, 1.92e-06, 1.06e-06, 5.20, 1.413}, {18.5, 0.000234, 7.02e-07, 2.92e-06, 5.16, 1.445}}, // 60, 60, 60 shapes, commit 55d324c
#ifndef __wasm__ // the browser edition uses only the first machine
    {"NVIDIA H100 80GB HBM3", {20.0, 0.000181, 2.83e-06, 4.32e-06, 3.76, 0.980}, {17.3, 0, 2.94e-06, 1.88e-06, 6.91, 1.323}, {17.4, 0, 1.48e-06, 4.48e-06, 6.77, 1.356}}, // 30, 30, 30 shapes, commit 8938a2e
#endif
};
