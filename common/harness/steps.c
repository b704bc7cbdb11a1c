// Collects the steps from the linker's section "steps". Chooses steps and variants among them.
#include "steps.h"
#include "compose.h"
#include "say.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 64, MAX_LIST = 1024, MAX_FLAGS = 1024 };

extern const struct step *const __start_steps[] __attribute__((weak));
extern const struct step *const __stop_steps[] __attribute__((weak));

static int compare_names(const void *left, const void *right) {
    const struct step *const *a = left, *const *b = right;
    return strcmp((*a)->name, (*b)->name);
}

struct step_table linked_steps(void) {
    static const struct step *sorted[MAX_STEPS];
    int count = (int)(__stop_steps - __start_steps);
    if (count > MAX_STEPS) count = MAX_STEPS;
    for (int i = 0; i < count; i++) sorted[i] = __start_steps[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_names);
    return (struct step_table){sorted, count};
}

int variant_count(const struct step *step) {
    int count = 0;
    while (step->variants[count].name) count++;
    return count;
}

bool variant_is_text(const struct variant *variant) {
    const char *source = extras_of(variant)->build.source,
               *type = source ? strrchr(source, '.') : NULL;
    return type && strcmp(type, ".sass") == 0;
}

void step_path(char *path, int size, const struct step *step, const char *file) {
    const char *folder = step_extras_of(step)->folder;
    snprintf(path, (size_t)size, "%s%s/%s", folder ? "" : "steps/", folder ? folder : step->name,
             file);
}

void variant_source(char *path, int size, const struct step *step, const struct variant *variant) {
    const char *source = extras_of(variant)->build.source, *file = source ? source : "kernel.cu";
    if (strchr(file, '/'))
        snprintf(path, (size_t)size, "%s", file);
    else
        step_path(path, size, step, file);
}

const char *variant_flags(const struct variant *variant) {
    static char flags[MAX_FLAGS];
    size_t length = 0;
    for (const char *at = variant->flags ? variant->flags : ""; *at && length + 16 < sizeof flags;
         at++) {
        const int size = at[0] != '%'   ? 0
                         : at[1] == 'm' ? variant->block_m
                         : at[1] == 'n' ? variant->block_n
                                        : 0;
        if (size) length += (size_t)sprintf(flags + length, "%d", size);
        if (size)
            at++;
        else
            flags[length++] = *at;
    }
    flags[length] = '\0';
    return flags;
}

bool variant_is_machine_code(const struct variant *variant) {
    const struct build *build = &extras_of(variant)->build;
    return variant_is_text(variant) || (build->passes && !build->passes_optional);
}

int variant_capability(const struct variant *variant) {
    const struct build *build = &extras_of(variant)->build;
    return build->sm_90a || (variant_is_machine_code(variant) && !build->capability) ? 90 : 0;
}

bool variant_chooses(const struct variant *variant) {
    return extras_of(variant)->choice.choose || extras_of(variant)->choice.among;
}

bool variant_runs(const struct variant *variant, int capability) {
    const int only = variant_capability(variant);
    return capability >= extras_of(variant)->build.capability && (!only || only == capability);
}

// Returns the number at the start of a step's name, 1 for "01_naive"; -1 if the name has none.
static int number_of(const struct step *step) {
    return isdigit((unsigned char)*step->name) ? atoi(step->name) : -1;
}

// Marks the steps with numbers `first` to `last`. Returns false if there are none.
static bool mark_range(struct step_table table, int first, int last, bool *chosen) {
    bool any = false;
    for (int i = 0; i < table.count; i++) {
        const int number = number_of(table.steps[i]);
        if (number >= first && number <= last) chosen[i] = any = true;
    }
    return any;
}

bool step_needs(const struct step *step, const char *name) {
    const char *needs = step_extras_of(step)->needs;
    const size_t length = strlen(name);
    for (const char *at = needs; at; at = strchr(at, ' ')) {
        if (*at == ' ') at++;
        if (strncmp(at, name, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

// Marks the program's own step: the last that no other step needs. Returns false if there is none.
static bool mark_own(struct step_table table, bool *chosen) {
    for (int i = table.count - 1; i >= 0; i--) {
        bool needed = false;
        for (int other = 0; other < table.count; other++)
            needed |= step_needs(table.steps[other], table.steps[i]->name);
        if (!needed) return chosen[i] = true;
    }
    return false;
}

// Marks the step called `word`, with or without its number. Returns false if there is none.
static bool mark_name(struct step_table table, const char *word, bool *chosen) {
    for (int i = 0; i < table.count; i++) {
        const char *name = table.steps[i]->name, *bare = strchr(name, '_');
        if (strcmp(name, word) == 0 || (bare && strcmp(bare + 1, word) == 0))
            return chosen[i] = true;
    }
    return false;
}

// Marks the steps that one word of --step means: "all", "03", "05-07" or a name.
static bool mark_word(struct step_table table, const char *word, bool *chosen) {
    int first, last, used = 0;
    if (strcmp(word, "all") == 0) return mark_range(table, 1, 9, chosen) || mark_own(table, chosen);
    if (sscanf(word, "%2d-%2d%n", &first, &last, &used) == 2 && word[used] == '\0') {
        return mark_range(table, first, last, chosen);
    }
    if (sscanf(word, "%2d%n", &first, &used) == 1 && word[used] == '\0' &&
        isdigit((unsigned char)*word)) {
        return mark_range(table, first, first, chosen);
    }
    return mark_name(table, word, chosen);
}

static bool unknown_step(struct step_table table, const char *word) {
    char names[MAX_LIST] = "";
    for (int i = 0; i < table.count; i++) {
        const size_t used = strlen(names);
        if (step_extras_of(table.steps[i])->not_in_ladder) continue;
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", table.steps[i]->name);
    }
    return say_error("--step %s: there is no such step: choose from %s", word,
                     *names ? names : "none");
}

// Returns false, with a message, if the ladder does not run a chosen step.
static bool all_multiply(struct step_table table, const bool *chosen) {
    for (int i = 0; i < table.count; i++) {
        if (!chosen[i] || !step_extras_of(table.steps[i])->not_in_ladder) continue;
        return say_error("--step: %s %s: run build/%s", table.steps[i]->name,
                         step_extras_of(table.steps[i])->not_in_ladder, table.steps[i]->name);
    }
    return true;
}

// Marks the steps of a list for --step. Complains and returns false if a word names none.
static bool mark_list(struct step_table table, const char *list, bool *chosen) {
    char words[MAX_LIST];
    char *rest = words, *word;
    if (snprintf(words, sizeof words, "%s", list) >= (int)sizeof words)
        return unknown_step(table, "(too long)");
    while ((word = strsep(&rest, ","))) {
        if (!mark_word(table, word, chosen)) return unknown_step(table, word);
    }
    return true;
}

// Returns true if `name` is a word of `list`, which is separated by commas.
static bool in_list(const char *name, const char *list) {
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        if (*at == ',') at++;
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

bool chosen_by_name(const struct variant *variant, const char *variants) {
    return variants && in_list(variant->name, variants);
}

bool chosen_as_last(const struct choice *choice, const char *variants) {
    const int last = variant_count(choice->step) - 1;
    return variants && in_list("last", variants) &&
           choice->variant == &choice->step->variants[last];
}

static bool wanted(const struct step *step, int v, const char *variants) {
    const struct choice choice = {step, &step->variants[v]};
    return !variants || chosen_by_name(choice.variant, variants) ||
           chosen_as_last(&choice, variants);
}

static bool unknown_variant(struct step_table table, const bool *chosen, const char *word) {
    char names[MAX_LIST] = "";
    for (int i = 0; i < table.count; i++) {
        for (int v = 0; chosen[i] && v < variant_count(table.steps[i]); v++) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                     table.steps[i]->variants[v].name);
        }
    }
    return say_error(
        "--variant %s: there is no such variant in the chosen steps: choose from %s, last", word,
        names);
}

// Complains and returns false if a word of --variant names no variant of a chosen step.
static bool check_variants(struct step_table table, const bool *chosen, const char *variants) {
    char words[MAX_LIST];
    char *rest = words, *word;
    snprintf(words, sizeof words, "%s", variants ? variants : "last");
    while ((word = strsep(&rest, ","))) {
        bool known = false;
        for (int i = 0; i < table.count; i++) {
            for (int v = 0; chosen[i] && v < variant_count(table.steps[i]); v++) {
                known |= *word && wanted(table.steps[i], v, word);
            }
        }
        if (!known) return unknown_variant(table, chosen, word);
    }
    return true;
}

const struct step *find_step(struct step_table table, const char *name) {
    for (int i = 0; i < table.count; i++)
        if (strcmp(table.steps[i]->name, name) == 0) return table.steps[i];
    return NULL;
}

bool find_choice(struct step_table table, const char *name, struct choice *choice) {
    const char *slash = strchr(name, '/');
    const size_t length = slash ? (size_t)(slash - name) : 0;
    for (int i = 0; slash && i < table.count; i++) {
        const struct step *step = table.steps[i];
        if (strlen(step->name) != length || strncmp(step->name, name, length) != 0) continue;
        for (int v = 0; v < variant_count(step); v++) {
            *choice = (struct choice){step, &step->variants[v]};
            if (strcmp(step->variants[v].name, slash + 1) == 0) return true;
        }
    }
    return false;
}

bool is_meant(const char *name, const struct choice *choice) {
    const size_t length = strlen(choice->step->name);
    if (strncmp(name, choice->step->name, length) != 0) return false;
    if (name[length] == '\0') return !variant_chooses(choice->variant);
    return name[length] == '/' && strcmp(name + length + 1, choice->variant->name) == 0;
}

bool chooses_from(const struct variant *chooser, const struct choice *choice) {
    const char *const *among = extras_of(chooser)->choice.among;
    for (int i = 0; among && among[i]; i++)
        if (is_meant(among[i], choice)) return true;
    return false;
}

double leaf_expects(const char *leaf, const struct situation *situation) {
    struct choice choice;
    if (!find_choice(linked_steps(), leaf, &choice) || !extras_of(choice.variant)->choice.expects)
        return INFINITY;
    return extras_of(choice.variant)->choice.expects(situation);
}

bool choose_variants(struct step_table table, const char *list, const char *variants,
                     struct choice *choices, int *count) {
    bool chosen[MAX_STEPS] = {false};
    if (!mark_list(table, list, chosen) || !all_multiply(table, chosen)) return false;
    if (!check_variants(table, chosen, variants)) return false;
    *count = 0;
    for (int i = 0; i < table.count; i++) {
        for (int v = 0; chosen[i] && v < variant_count(table.steps[i]) && *count < MAX_CHOICES;
             v++) {
            if (!wanted(table.steps[i], v, variants)) continue;
            choices[(*count)++] = (struct choice){table.steps[i], &table.steps[i]->variants[v]};
        }
    }
    return true;
}

// Prints the commands that make a variant's cubin for sm_90 in the current folder, as make does.
static void print_commands(const struct step *step, const struct variant *variant) {
    const struct build *build = &extras_of(variant)->build;
    const char *cubin = variant->name, *flags = variant_flags(variant);
    char source[MAX_LIST];
    if (variant_chooses(variant)) return; // a variant that chooses has no kernel
    variant_source(source, sizeof source, step, variant);
    if (variant_is_text(variant))
        printf("        build/sass asm %s --arch sm_90%s%s -o %s.cubin\n", source,
               *flags ? " " : "", flags, cubin);
    else
        printf("        nvcc -O3 -std=c++17 -cubin -arch=sm_90%s -lineinfo%s%s -o %s.cubin %s\n",
               build->sm_90a ? "a" : "", *flags ? " " : "", flags, cubin, source);
    if (build->passes)
        printf("        build/sass reuse %s.cubin --passes %s -o %s.cubin\n", cubin, build->passes,
               cubin);
}

// Prints `text` after a column of names, broken between words at 100 columns, and ends the line.
static void print_idea(const char *text) {
    enum { NAMES = 27, ROOM = 100 - NAMES };
    while (strlen(text) > ROOM) {
        int length = ROOM;
        while (length > 0 && text[length] != ' ') length--;
        if (length == 0) break;
        printf("%.*s\n%*s", length, text, NAMES, "");
        text += length + 1;
    }
    printf("%s\n", text);
}

void list_steps(struct step_table table, bool commands) {
    for (int i = 0; i < table.count; i++) {
        const struct step *step = table.steps[i];
        printf("%-26s %s\n%-26s ", step->name, step->title, "");
        print_idea(step->idea);
        for (int v = 0; !step_extras_of(step)->not_in_ladder && v < variant_count(step); v++) {
            printf("    %-22s ", step->variants[v].name);
            print_idea(step->variants[v].idea);
            if (commands) print_commands(step, &step->variants[v]);
        }
    }
}
