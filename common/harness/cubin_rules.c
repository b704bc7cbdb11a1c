// Prints the make rules of the cubins, from the linked steps' own tables: the one place that says which variants there
// are and how they are compiled. The Makefile includes what this prints. Beside each rule goes a file with the
// variant's flags, rewritten only when they change, so that a changed flag rebuilds one variant and not all.
//
// usage: cubin_rules BUILD_FOLDER ARCH...    the rules, and the variable CUBINS
//        cubin_rules --table         a line for each variant: step, variant, registers, how, flags, capability, source; how is
//                                    compiled, rewritten (by sass reuse) or assembled; capability is the least, 0 for any,
//                                    and with an `a` the only one
#include "base/file.h"
#include "say.h"
#include "steps.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_PATH = 4096, MAX_FLAGS = 1024 };

// The variant's flags, %m and %n filled in. The text is the next call's, too.
static const char *flags_of(const struct variant *variant) {
    static char flags[MAX_FLAGS];
    size_t length = 0;
    for (const char *at = variant->flags ? variant->flags : ""; *at && length + 16 < sizeof flags; at++) {
        const int size = at[0] != '%' ? 0 : at[1] == 'm' ? variant->block_m : at[1] == 'n' ? variant->block_n : 0;
        if (size) length += (size_t)sprintf(flags + length, "%d", size);
        if (size)
            at++;
        else
            flags[length++] = *at;
    }
    flags[length] = '\0';
    return flags;
}

// Makes the file's content `flags`, untouched when it is so already.
static bool keep_flags(const char *path, const char *flags) {
    char old[MAX_FLAGS] = "";
    FILE *file = fopen(path, "r");
    const bool same = file && (fgets(old, sizeof old, file) || feof(file)) && strcmp(old, flags) == 0;
    if (file) fclose(file);
    if (same) return true;
    file = fopen(path, "w");
    const bool written = file && fputs(flags, file) >= 0;
    if (file && fclose(file) != 0) return complain("%s: %s", path, strerror(errno));
    return written || complain("%s: %s", path, strerror(errno));
}

// The first variant that is compiled from the same source with the same flags and not rewritten; NULL: none is.
static const struct variant *compiled_alike(const struct step *step, const struct variant *variant) {
    char source[MAX_PATH], other_source[MAX_PATH], flags[MAX_FLAGS];
    variant_source(source, sizeof source, step, variant);
    snprintf(flags, sizeof flags, "%s", flags_of(variant));
    for (int i = 0; i < variant_count(step); i++) {
        const struct variant *other = &step->variants[i];
        if (other->passes || other->sm_90a != variant->sm_90a || variant_is_text(other) || variant_chooses(other))
            continue;
        variant_source(other_source, sizeof other_source, step, other);
        if (strcmp(source, other_source) == 0 && strcmp(flags, flags_of(other)) == 0) return other;
    }
    return NULL;
}

static bool print_rule(const char *build, const char *arch, const struct step *step, const struct variant *variant) {
    char folder[MAX_PATH], flags[2 * MAX_PATH], source[MAX_PATH];
    const int chip = atoi(arch + strlen("sm_"));
    if (!variant_runs(variant, chip)) return true;
    const bool is_machine_code =
        variant_is_text(variant) || (variant->passes && (chip == 90 || !variant->passes_optional));
    snprintf(folder, sizeof folder, "%s/flags", build);
    snprintf(flags, sizeof flags, "%s/%s.%s", folder, step->name, variant->name);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return complain("%s: %s", folder, strerror(errno));
    char made_by[MAX_FLAGS];
    snprintf(made_by, sizeof made_by, "%s%s%s", flags_of(variant), variant->passes ? " --passes " : "",
             variant->passes ? variant->passes : "");
    if (!keep_flags(flags, made_by)) return false;
    variant_source(source, sizeof source, step, variant);
    printf("CUBINS += %s/cubin/%s/%s/%s.cubin\n", build, arch, step->name, variant->name);
    printf("%s/ladder %s/%s: | %s/cubin/%s/%s/%s.cubin\n", build, build, step->name, build, arch, step->name,
           variant->name); // whoever makes a program gets the kernels that it runs
    printf("%s/cubin/%s/%s/%s.cubin: %s $(wildcard $(addsuffix *.h,$(sort steps/%s/ $(dir %s)))) %s%s%s\n", build, arch,
           step->name, variant->name, source, step->name, source, flags, is_machine_code ? " " : "",
           is_machine_code ? "build/sass" : "");
    if (variant_is_text(variant)) {
        printf("\t$(call assemble_cubin,%s,%s)\n\n", arch, flags_of(variant));
        return true;
    }
    printf("\t$(call %s,%s,%s)\n", is_machine_code ? "reuse_cubin" : "compiled_cubin",
           variant->sm_90a ? "sm_90a" : arch, flags_of(variant));
    if (is_machine_code)
        printf("%s/cubin/%s/%s/%s.cubin: PASSES := %s\n", build, arch, step->name, variant->name, variant->passes);
    const struct variant *alike = compiled_alike(step, variant);
    if (alike && alike != variant && variant_runs(alike, chip))
        printf("%s/cubin/%s/%s/%s.cubin: %s/cubin/%s/%s/%s.cubin\n", build, arch, step->name, variant->name, build,
               arch, step->name, alike->name);
    printf("\n");
    return true;
}

// The lessons whose step.o a lesson's program needs besides its own.
static void print_needs(const char *build, const struct step *step) {
    char words[MAX_FLAGS], *rest = words, *word;
    if (!step->needs) return;
    snprintf(words, sizeof words, "%s", step->needs);
    printf("needs_of_%s :=", step->name);
    while ((word = strsep(&rest, " "))) printf(" %s/obj/steps/%s/step.o", build, word);
    printf("\n%s/%s: $(needs_of_%s)\n\n", build, step->name, step->name);
}

static const char *how_made(const struct variant *variant) {
    return variant_is_text(variant) ? "assembled" : variant->passes ? "rewritten" : "compiled";
}

static void print_table(struct step_table table) {
    for (int i = 0; i < table.count; i++) {
        const struct step *step = table.steps[i];
        for (int v = 0; v < variant_count(step); v++) {
            const struct variant *variant = &step->variants[v];
            if (variant_chooses(variant)) continue;
            const int least = variant_capability(variant);
            char source[MAX_PATH];
            variant_source(source, sizeof source, step, variant);
            printf("%s\t%s\t%d\t%s\t%s\t%d%s\t%s\n", step->name, variant->name, variant->registers, how_made(variant),
                   flags_of(variant), least ? least : variant->capability, variant->sm_90a ? "a" : "", source);
        }
    }
}

int main(int argc, char **argv) {
    const struct step_table table = linked_steps();
    streams_guard();
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_table(table);
        return EXIT_GOOD;
    }
    for (int i = 0; argc > 1 && i < table.count; i++) print_needs(argv[1], table.steps[i]);
    for (int arch = 2; arch < argc; arch++) {
        for (int i = 0; i < table.count; i++) {
            for (int v = 0; v < variant_count(table.steps[i]); v++) {
                if (variant_chooses(&table.steps[i]->variants[v])) continue; // it has no kernel
                if (!print_rule(argv[1], argv[arch], table.steps[i], &table.steps[i]->variants[v])) return EXIT_FAILED;
            }
        }
    }
    return EXIT_GOOD;
}
