// Steps for the unit tests, in place of the course's.
#include "extras.h"

static const struct step first = {
    .name = "01_first",
    .kernel = "sgemm_first",
    .title = "First",
    .idea = "the first",
    .variants = (const struct variant[]){{.name = "slow",
                                          .idea = "slow",
                                          .flags = "-DA=1",
                                          .block_m = 16,
                                          .block_n = 16,
                                          .threads = 256},
                                         {.name = "fast",
                                          .idea = "fast",
                                          .flags = "-DA=2",
                                          .block_m = 32,
                                          .block_n = 32,
                                          .threads = 256},
                                         {0}},
};
REGISTER_STEP(first);

static const struct step second = {
    .name = "02_second",
    .kernel = "sgemm_second",
    .title = "Second",
    .idea = "the second",
    .variants =
        (const struct variant[]){
            {.name = "only", .idea = "only", .block_m = 128, .block_n = 128, .threads = 256}, {0}},
};
REGISTER_STEP(second);

static const struct step fifth = {
    .name = "05_fifth",
    .kernel = "sgemm_fifth",
    .title = "Fifth",
    .idea = "the fifth",
    .variants =
        (const struct variant[]){
            {.name = "fast", .idea = "fast", .block_m = 128, .block_n = 128, .threads = 256}, {0}},
};
REGISTER_STEP(fifth);

static const struct step side = {
    .name = "10_side",
    .kernel = "sgemm_side",
    .title = "Side",
    .idea = "a side lesson",
    .variants =
        (const struct variant[]){
            {.name = "only", .idea = "only", .block_m = 128, .block_n = 128, .threads = 256}, {0}},
};
REGISTER_STEP(side);

static const char *const others[] = {"05_fifth", "01_first/slow", NULL};
static const struct step own = {
    .name = "own",
    .kernel = "sgemm_own",
    .title = "Own",
    .idea = "a step without a number",
    .variants = (const struct variant[]){{.name = "any",
                                          .idea = "any",
                                          .block_m = 128,
                                          .extras = &(const struct extras){.choice.among = others}},
                                         {0}},
    .extras = &(const struct step_extras){.folder = "elsewhere/own", .needs = "05_fifth 10_side"},
};
REGISTER_STEP(own);
