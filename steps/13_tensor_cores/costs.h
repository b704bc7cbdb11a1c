// Costs of `mended` in microseconds (rules.h), a row for each machine, as tools/tensor_costs.sh writes them.
// clang-format off
static const struct tensor_cost tensor_costs[] = {
    {"NVIDIA H200", 21.4, 0.000404, 1.45e-06, 2.94e-06, 2.62, 1.075}, // 35 shapes, commit 50399d0
    {"NVIDIA H100 80GB HBM3", 18.7, 0.00027, 2.69e-06, 4.52e-06, 3.79, 0.986}, // 24 shapes, commit 50399d0
};
