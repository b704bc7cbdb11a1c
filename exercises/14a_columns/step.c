// The schemes of exercise 14a: the rows that it starts from, and the reader's columns.
#include "extras.h"
#include "mine.c" // the reader's kernel.c

const struct scheme lesson_schemes[] = {
    {.name = "rows",
     .idea = "rows of C; B is gathered",
     .write = write_gather,
     .received = gather_received},
    {.name = "mine", .idea = "columns of C; A is gathered", .write = write_columns},
    {0},
};

static const struct step exercise = {
    .name = "14a_columns",
    .title = "Exercise 14a",
    .idea = "columns of C, one part a GPU",
    .variants = (const struct variant[]){{0}},
    .extras = &(const struct step_extras){.not_in_ladder = "runs on several GPUs"},
};

REGISTER_STEP(exercise);
