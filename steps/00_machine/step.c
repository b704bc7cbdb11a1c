// Step 00: microbenchmarks. Its program is main.c; the table of probes is in probes.c.
#include "extras.h"

static const struct variant variants[] = {
    {.name = "probes", .idea = "all probes; build/00_machine runs them"},
    {0},
};

// Names of the cubins that banks.awk makes from probe_bank: their FFMAs use other registers.
static const char *const banks[] = {"bank_all_even",
                                    "bank_two_even_one_odd",
                                    "bank_a_repeated_without_flag",
                                    "bank_a_kept_b_c_same_bank",
                                    "bank_a_kept_b_c_other_banks",
                                    "bank_a_and_b_kept",
                                    "bank_tile",
                                    "bank_tile_without_flags",
                                    "bank_tile_without_flags_a_even",
                                    "bank_tile_b_c_same_bank",
                                    "bank_tile_b_c_same_bank_even_first",
                                    "bank_tile_b_c_all_even",
                                    "bank_a_of_two_banks_in_turn",
                                    "bank_a_of_two_banks_without_flags",
                                    "bank_a_of_one_bank_in_turn",
                                    NULL};

static const struct step machine = {
    .name = "00_machine",
    .title = "Know your machine",
    .idea = "microbenchmarks: what the chip can do, and how to get it; run build/00_machine",
    .variants = variants,
    .extras = &(const struct step_extras){.not_in_ladder = "multiplies no matrices",
                                          .edits = {"probe_bank", "banks.awk", "bank_", banks}},
};

REGISTER_STEP(machine);
