// Costs in microseconds (rules.h), a row for each machine, as tools/tensor_costs.sh writes them: of `mended`, `few_rows` and `few_cols`.
// clang-format off
static const struct tensor_cost tensor_costs[] = {
    {"NVIDIA H200", {20.8, 0.00018, 1.8e-06, 2.88e-06, 2.85, 1.034}, {17.5, 0.000126, 1.89e-06, 1.09e-06, 5.18, 1.419}, {18.9, 0.000234, 7.13e-07, 2.94e-06, 5.15, 1.450}}, // 60, 60, 60 shapes, commit f791d76
#ifndef __wasm__ // a page has a simulator, which goes by the first
    {"NVIDIA H100 80GB HBM3", {18.7, 0.00027, 2.69e-06, 4.52e-06, 3.79, 0.986}, UNMEASURED, UNMEASURED}, // 24 shapes, commit 50399d0
#endif
};
