// Costs in microseconds (rules.h), a row for each machine, as tools/tensor_costs.sh writes them: of `mended`, `few_rows` and `few_cols`.
// clang-format off
static const struct tensor_cost tensor_costs[] = {
    {"NVIDIA H200", {17.2, 0, 2.08e-06, 3.13e-06, 5.13, 0.932}, {15.9, 0, 2.02e-06, 1.22e-06, 6.83, 1.264}, {15.9, 0, 1.22e-06, 2.02e-06, 6.83, 1.264}}, // provisional
    {"NVIDIA H100 80GB HBM3", {18.7, 0.00027, 2.69e-06, 4.52e-06, 3.79, 0.986}, {15.9, 0, 2.02e-06, 1.22e-06, 6.83, 1.264}, {15.9, 0, 1.22e-06, 2.02e-06, 6.83, 1.264}}, // provisional
};
