// The steps linked into this program, and what --step and --variant choose among them.
#pragma once

#include "more.h"

#include <stdbool.h>

enum { MAX_CHOICES = 256 };

struct step_table {
    const struct step *const *steps;
    int count;
};

// One variant that was chosen.
struct choice {
    const struct step *step;
    const struct variant *variant;
};

// The steps of this program, in the order of their names; 64 at most.
struct step_table linked_steps(void);

int variant_count(const struct step *step);

// Whether it is assembled from text of machine code.
bool variant_is_text(const struct variant *variant);

// The file that its cubin is made from, "steps/01_naive/kernel.cu".
void variant_source(char *path, int size, const struct step *step, const struct variant *variant);

// The variant's flags, %m and %n filled in. Returns a static buffer; the next call overwrites it.
const char *variant_flags(const struct variant *variant);

// Written in machine code, or rewritten in it.
bool variant_is_machine_code(const struct variant *variant);
// The only compute capability that the variant runs on; 0 when there are several.
int variant_capability(const struct variant *variant);

// Whether it has no kernel of its own, and another runs in its place.
bool variant_chooses(const struct variant *variant);

// Whether a device of this compute capability runs it.
bool variant_runs(const struct variant *variant, int capability);

// The step of this name; NULL: there is none.
const struct step *find_step(struct step_table table, const char *name);

// The variant called "10_block_order/dispatch"; false when there is none.
bool find_choice(struct step_table table, const char *name, struct choice *choice);

// Chooses variants. `list` is "all" (01 to 09, or the last step when the program has none of those), numbers and ranges
// ("03,05-07") or names ("naive", "01_naive"); `variants` is NULL for all, names separated by commas, or "last".
// Complains and returns false when a name is unknown or nothing is left.
bool choose_variants(struct step_table table, const char *list, const char *variants, struct choice *choices,
                     int *count);

// Whether a choice was made by the word "last" of `variants`, and whether a variant was by its name.
bool chosen_as_last(const struct choice *choice, const char *variants);
bool chosen_by_name(const struct variant *variant, const char *variants);

// Prints the table of --list; `commands`: with the commands that make each variant's cubin for sm_90.
void list_steps(struct step_table table, bool commands);
