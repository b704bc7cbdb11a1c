// Prints the make rules that build the cubins; the Makefile includes this output. The variants and
// how each is compiled come from the step.c files linked into this program. Also writes the flags
// of each variant to a file, but only if they changed: make then rebuilds this variant alone.
//
// usage: cubin_rules BUILD_FOLDER ARCH...
//            prints the rules, and the variables CUBINS, BENCHED and needs_of_STEP
//        cubin_rules --table
//            prints one line per variant: step, variant, registers, how, flags, capability, source.
//            `how` is compiled, rewritten (by sass reuse) or assembled. `capability` is the lowest
//            compute capability that runs the variant, or the only one (90a for sm_90a); 0 if any.
#include "base/file.h"
#include "say.h"
#include "steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH = 4096, MAX_FLAGS = 1024, MAX_NEEDS = 16 };

// The rule of one variant for one architecture.
struct rule {
    const struct step *step;
    const struct variant *variant;
    const struct build *how;
    const char *build, *arch; // "build", "sm_90"
    int chip;                 // compute capability, for example 90
    bool rewritten;           // true if `sass reuse` rewrites the compiled cubin
    char cubin[MAX_PATH], source[MAX_PATH], flags_file[MAX_PATH];
};

static void cubin_path(char *path, int size, const struct rule *r, const struct variant *variant) {
    snprintf(path, (size_t)size, "%s/cubin/%s/%s/%s.cubin", r->build, r->arch, r->step->name,
             variant->name);
}

static struct rule make_rule(const char *build, const char *arch, const struct step *step,
                             const struct variant *variant) {
    struct rule r = {.step = step,
                     .variant = variant,
                     .how = &extras_of(variant)->build,
                     .build = build,
                     .arch = arch,
                     .chip = atoi(arch + strlen("sm_"))};
    r.rewritten = r.how->passes && (r.chip == 90 || !r.how->passes_optional);
    cubin_path(r.cubin, sizeof r.cubin, &r, variant);
    variant_source(r.source, sizeof r.source, step, variant);
    snprintf(r.flags_file, sizeof r.flags_file, "%s/flags/%s.%s", build, step->name, variant->name);
    return r;
}

// --- The files of flags --------------------------------------------------------------------------

// Writes `flags` to a file, unless the file has this content already.
static bool keep_flags(const char *path, const char *flags) {
    char old[MAX_FLAGS] = "";
    FILE *file = fopen(path, "r");
    const bool same =
        file && (fgets(old, sizeof old, file) || feof(file)) && strcmp(old, flags) == 0;
    if (file) fclose(file);
    if (same) return true;
    file = fopen(path, "w");
    const bool written = file && fputs(flags, file) >= 0;
    if (file && fclose(file) != 0) return say_error("%s: %s", path, strerror(errno));
    return written || say_error("%s: %s", path, strerror(errno));
}

static bool write_flags(const struct rule *r) {
    char folder[MAX_PATH], made_by[MAX_FLAGS];
    snprintf(folder, sizeof folder, "%s/flags", r->build);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return say_error("%s: %s", folder, strerror(errno));
    snprintf(made_by, sizeof made_by, "%s%s%s", variant_flags(r->variant),
             r->how->passes ? " --passes " : "", r->how->passes ? r->how->passes : "");
    return keep_flags(r->flags_file, made_by);
}

// --- The rules -----------------------------------------------------------------------------------

// Returns the step's first variant that is compiled from r->source with the rule's flags and not
// rewritten; NULL if there is none.
static const struct variant *compiled_alike(const struct rule *r) {
    char other_source[MAX_PATH], flags[MAX_FLAGS];
    snprintf(flags, sizeof flags, "%s", variant_flags(r->variant));
    for (const struct variant *other = r->step->variants; other->name; other++) {
        const struct build *how = &extras_of(other)->build;
        if (how->passes || how->sm_90a != r->how->sm_90a || variant_is_text(other) ||
            variant_chooses(other))
            continue;
        variant_source(other_source, sizeof other_source, r->step, other);
        if (strcmp(r->source, other_source) == 0 && strcmp(flags, variant_flags(other)) == 0)
            return other;
    }
    return NULL;
}

// Prints the line that adds the cubin to CUBINS, the list of all cubins to build.
static void print_order(const struct rule *r) {
    printf("CUBINS += %s\n", r->cubin);
}

// Prints what a cubin depends on: its source; the headers beside the source, in the step's folder
// and in the folders of the steps that it needs; the flags; and build/sass, if that assembles or
// rewrites the cubin.
static void print_prerequisites(const struct rule *r) {
    const bool by_sass = variant_is_text(r->variant) || r->rewritten;
    const struct step_table table = linked_steps();
    printf("%s: %s $(wildcard $(addsuffix *.h,$(sort $(dir %s)", r->cubin, r->source, r->source);
    for (int i = 0; i < table.count; i++) {
        char folder[MAX_PATH];
        step_path(folder, sizeof folder, table.steps[i], "");
        if (table.steps[i] == r->step || step_needs(r->step, table.steps[i]->name))
            printf(" %s", folder);
    }
    printf("))) %s%s\n", r->flags_file, by_sass ? " build/sass" : "");
}

static void print_assembled(const struct rule *r) {
    print_prerequisites(r);
    printf("\t$(call assemble_cubin,%s,%s)\n", r->arch, variant_flags(r->variant));
}

static void print_compiled(const struct rule *r) {
    print_prerequisites(r);
    printf("\t$(call %s,", r->rewritten ? "reuse_cubin" : "compiled_cubin");
    printf("%s,%s)\n", r->how->sm_90a ? "sm_90a" : r->arch, variant_flags(r->variant));
}

static void print_passes(const struct rule *r) {
    printf("%s: PASSES := %s\n", r->cubin, r->how->passes);
}

// Prints that the cubin depends on the cubin of compiled_alike(), if there is one. The recipe (in
// mk/kernels.mk) then copies that cubin and does not compile the source again.
static void print_copied(const struct rule *r) {
    char path[MAX_PATH];
    const struct variant *alike = compiled_alike(r);
    if (!alike || alike == r->variant || !variant_runs(alike, r->chip)) return;
    cubin_path(path, sizeof path, r, alike);
    printf("%s: %s\n", r->cubin, path);
}

static bool print_rule(const struct rule *r) {
    if (!variant_runs(r->variant, r->chip)) return true;
    if (!write_flags(r)) return false;
    print_order(r);
    if (variant_is_text(r->variant)) {
        print_assembled(r);
    } else {
        print_compiled(r);
        if (r->rewritten) print_passes(r);
        print_copied(r);
    }
    printf("\n");
    return true;
}

// Prints the rules of cubins that a script makes from the first variant's cubin (extras.h, struct
// edits).
static void print_edits(const char *build, const struct step *step) {
    const struct edits *edits = &step_extras_of(step)->edits;
    char folder[MAX_PATH];
    snprintf(folder, sizeof folder, "%s/cubin/sm_90/%s", build, step->name);
    for (int i = 0; edits->names && edits->names[i]; i++) {
        const char *name = edits->names[i];
        printf("CUBINS += %s/%s.cubin\n", folder, name);
        printf("%s/%s.cubin: %s/%s.cubin steps/%s/%s build/sass\n", folder, name, folder,
               step->variants[0].name, step->name, edits->script);
        printf("\t$(call edit_cubin,%s,%s)\n\n", edits->kernel, name + strlen(edits->prefix));
    }
}

// --- Programs ------------------------------------------------------------------------------------

// Appends the steps that a step needs, directly or indirectly, to needed[0..*count). Steps that do
// not exist here are left out with a note.
static void gather_needs(struct step_table table, const struct step *step,
                         const struct step **needed, int *count) {
    char words[MAX_FLAGS] = "", *rest = words, *word;
    if (!step_extras_of(step)->needs) return;
    snprintf(words, sizeof words, "%s", step_extras_of(step)->needs);
    while ((word = strsep(&rest, " "))) {
        const struct step *other = find_step(table, word);
        bool known = false;
        if (!other)
            say_error(
                "note: %s needs the step %s, which is not here: what it runs of %s is left out",
                step->name, word, word);
        for (int i = 0; i < *count; i++) known |= needed[i] == other;
        if (!other || known || *count == MAX_NEEDS) continue;
        needed[(*count)++] = other;
        gather_needs(table, other, needed, count);
    }
}

// Prints the variable needs_of_STEP: the step.o files of the steps that it needs.
static void print_needs(const char *build, struct step_table table, const struct step *step) {
    const struct step *needed[MAX_NEEDS];
    int count = 0;
    gather_needs(table, step, needed, &count);
    if (count == 0) return;
    printf("needs_of_%s :=", step->name);
    for (int i = 0; i < count; i++) {
        char object[MAX_PATH];
        step_path(object, sizeof object, needed[i], "step.o");
        printf(" %s/obj/%s", build, object);
    }
    printf("\n%s/%s: $(needs_of_%s)\n\n", build, step->name, step->name);
}

static bool print_rules(const char *build, const struct step *step, const char *arch) {
    for (const struct variant *v = step->variants; v->name; v++) {
        const struct rule rule = make_rule(build, arch, step, v);
        // a variant that chooses has no cubin
        if (!variant_chooses(v) && !print_rule(&rule)) return false;
    }
    if (strcmp(arch, "sm_90") == 0) print_edits(build, step);
    return true;
}

static void print_benched(struct step_table table) {
    printf("BENCHED :=");
    for (int i = 0; i < table.count; i++) {
        const struct step_extras *more = step_extras_of(table.steps[i]);
        if (!more->not_in_ladder && !more->not_benched) printf(" %s", table.steps[i]->name);
    }
    printf("\n\n");
}

// --- The table -----------------------------------------------------------------------------------

static const char *how_made(const struct variant *variant) {
    return variant_is_text(variant)           ? "assembled"
           : extras_of(variant)->build.passes ? "rewritten"
                                              : "compiled";
}

static void print_row(const struct step *step, const struct variant *variant) {
    const struct build *how = &extras_of(variant)->build;
    const int only = variant_capability(variant);
    char source[MAX_PATH];
    variant_source(source, sizeof source, step, variant);
    printf("%s\t%s\t%d\t", step->name, variant->name, variant->registers);
    printf("%s\t%s\t", how_made(variant), variant_flags(variant));
    printf("%d%s\t%s\n", only ? only : how->capability, how->sm_90a ? "a" : "", source);
}

static void print_table(struct step_table table) {
    for (int i = 0; i < table.count; i++) {
        for (const struct variant *v = table.steps[i]->variants; v->name; v++)
            if (!variant_chooses(v)) print_row(table.steps[i], v);
    }
}

int main(int argc, char **argv) {
    const struct step_table table = linked_steps();
    streams_guard();
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_table(table);
        return EXIT_GOOD;
    }
    if (argc > 1) print_benched(table);
    for (int i = 0; argc > 1 && i < table.count; i++) print_needs(argv[1], table, table.steps[i]);
    for (int arch = 2; arch < argc; arch++) {
        for (int i = 0; i < table.count; i++)
            if (!print_rules(argv[1], table.steps[i], argv[arch])) return EXIT_FAILED;
    }
    return EXIT_GOOD;
}
