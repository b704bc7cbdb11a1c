// The steps that are linked into this program, and the choice among them by --step and --variant.
#pragma once

#include "extras.h"

#include <stdbool.h>

enum { MAX_CHOICES = 256 };

struct step_table {
    const struct step *const *steps;
    int count;
};

// A chosen variant.
struct choice {
    const struct step *step;
    const struct variant *variant;
};

// Returns the steps of this program, at most 64, ordered by name.
struct step_table linked_steps(void);

int variant_count(const struct step *step);

// Returns true if the variant is assembled from machine code in text form (*.sass).
bool variant_is_text(const struct variant *variant);

// Sets `path` to that of a file in the step's folder, "steps/01_naive/step.c".
void step_path(char *path, int size, const struct step *step, const char *file);

// Sets `path` to the source file of the variant's cubin, "steps/01_naive/kernel.cu".
void variant_source(char *path, int size, const struct step *step, const struct variant *variant);

// Returns the variant's flags, in which %m and %n are replaced. The next call overwrites the text.
const char *variant_flags(const struct variant *variant);

// Returns true if the kernel is assembled, or runs only as machine code that `sass reuse` rewrote.
bool variant_is_machine_code(const struct variant *variant);
// Returns the only compute capability on which the variant runs; 0 if there are several.
int variant_capability(const struct variant *variant);

// Returns true if the variant has no kernel of its own and chooses among other variants.
bool variant_chooses(const struct variant *variant);

// Returns true if devices with this compute capability have the variant's instructions.
bool variant_runs(const struct variant *variant, int capability);

// Returns true if `name` is among the steps that the step needs (extras.h).
bool step_needs(const struct step *step, const char *name);

// Returns the step with this name, or NULL.
const struct step *find_step(struct step_table table, const char *name);

// Sets *choice to the variant called `name`, for example "shapes/dispatch". Returns false if there
// is none.
bool find_choice(struct step_table table, const char *name, struct choice *choice);

// Returns true if `name`, an entry of a chooser's `among` (extras.h), means this variant:
// "shapes/dispatch" means one variant, "shapes" every variant of that step that has a kernel.
bool is_meant(const char *name, const struct choice *choice);
// Returns true if `chooser` may choose the variant of `choice`.
bool chooses_from(const struct variant *chooser, const struct choice *choice);

// Sets choices[0..*count). `list` is "all" (01 to 09; or, if the program has none of these, its own
// step), or has numbers, ranges ("03,05-07") and names ("naive", "01_naive"). `variants` is NULL
// for all, or has names separated by commas, perhaps also "last". Complains and returns false if a
// name is unknown or the ladder does not run the step.
bool choose_variants(struct step_table table, const char *list, const char *variants,
                     struct choice *choices, int *count);

// Returns true if the choice is the last variant of its step, and `variants` has the word "last".
bool chosen_as_last(const struct choice *choice, const char *variants);
// Returns true if `variants` has the variant's name.
bool chosen_by_name(const struct variant *variant, const char *variants);

// Prints the table of --list; if `commands`, also the commands that make each variant's cubin for
// sm_90.
void list_steps(struct step_table table, bool commands);
