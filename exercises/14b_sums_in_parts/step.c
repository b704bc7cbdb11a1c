// The schemes of exercise 14b: lesson 14's, and the reader's.
#include "extras.h"
#include "mine.c" // the reader's kernel.c

const struct scheme lesson_schemes[] = {
    {.name = "gather",
     .idea = "rows of C; all of B is gathered",
     .write = write_gather,
     .received = gather_received},
    {.name = "mine", .idea = "parts of K; sums are added up part by part", .write = write_sums},
    {0},
};

static const struct step exercise = {
    .name = "14b_sums_in_parts",
    .title = "Exercise 14b",
    .idea = "split K, and add up while the next part is multiplied",
    .variants = (const struct variant[]){{0}},
    .extras = &(const struct step_extras){.not_in_ladder = "runs on several GPUs"},
};

REGISTER_STEP(exercise);
