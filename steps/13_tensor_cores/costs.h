// Costs of `mended` in microseconds (rules.h), a row for each machine, as tools/tensor_costs.sh writes them.
// clang-format off
static const struct tensor_cost tensor_costs[] = {
    {"NVIDIA H200", 29.6, 0.0048, 0, 3.07e-06, 2.18, 1.088}, // 38 shapes, commit 8f769e3
};
