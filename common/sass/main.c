// build/sass: machine code of a cubin to text and back, and a check of it.
//
//     sass dis FILE.cubin [--kernel NAME] [--raw]
//     sass asm FILE.sass -o FILE.cubin [-D NAME=VALUE]... [--no-lint]
//     sass asm FILE.sass --into FILE.cubin [-o OUT.cubin]
//     sass lint FILE.cubin [--kernel NAME] [--all | --banks 2|4 [--keep N]]
//     sass reuse FILE.cubin -o OUT.cubin [--kernel NAME] [--passes banks,order,flags,trim]
//
// Exit status: 0 well, 1 an error or a finding of lint, 2 wrong usage.
#include "file/file.h"
#include "sass/asm/assemble.h"
#include "sass/isa/text.h"
#include "sass/lint/lint.h"
#include "sass/reuse/reuse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_TEXT = 1 << 28, MAX_DEFINES = 64 };

struct arguments {
    const char *command, *file, *into, *output, *kernel, *passes;
    bool raw, no_lint, all;
    int banks, keep; // 0: not given
    struct program_define defines[MAX_DEFINES];
    int define_count;
};

static const char usage_text[] =
    "usage: sass dis FILE.cubin [--kernel NAME] [--raw]\n"
    "       sass asm FILE.sass -o FILE.cubin [-D NAME=VALUE]... [--no-lint]\n"
    "       sass asm FILE.sass --into FILE.cubin [-o OUT.cubin]\n"
    "       sass lint FILE.cubin [--kernel NAME] [--all | --banks 2|4 [--keep N]]\n"
    "       sass reuse FILE.cubin -o OUT.cubin [--kernel NAME] [--passes banks,order,flags,trim]\n"
    "dis   machine code as text: nvdisasm's, with wait:read:write:yield:stall in front;\n"
    "      --raw: an instruction that is not known is no error\n"
    "asm   assembler source to a whole cubin (docs/assembler.md); --into: text into a cubin\n"
    "lint  hazards, register-bank conflicts, loops; --all: each conflict and idle reuse flag;\n"
    "      --banks: operand reads of FFMAs on an H200 (2) or Maxwell (4; N registers a slot)\n"
    "reuse registers, order and reuse flags of the FFMAs in hot loops chosen anew\n";

static int usage(const char *what, const char *detail) {
    fprintf(stderr, "sass: %s%s (sass --help lists the commands)\n", what, detail ? detail : "");
    return 2;
}

static int failed(const struct sass_error *error) {
    fprintf(stderr, "sass: %s\n", error->message);
    return 1;
}

static bool chosen(const struct arguments *arguments, const struct sass_kernel *kernel) {
    return !arguments->kernel || strcmp(arguments->kernel, kernel->name) == 0;
}

static bool check_kernel(const struct arguments *arguments, const struct sass_cubin *cubin) {
    if (!arguments->kernel || cubin_kernel(cubin, arguments->kernel)) return true;
    fprintf(stderr, "sass: %s: no kernel %s; it has", cubin->path, arguments->kernel);
    for (int i = 0; i < cubin->kernel_count; i++) fprintf(stderr, " %s", cubin->kernels[i].name);
    fprintf(stderr, "\n");
    return false;
}

static int dis(const struct arguments *arguments, struct sass_cubin *cubin) {
    struct label_list labels = {0};
    struct sass_error error = {0};
    bool good = true;
    printf("// %s, sm_%d\n", cubin->path, cubin->arch);
    for (int i = 0; i < cubin->kernel_count; i++) {
        const struct sass_kernel *kernel = &cubin->kernels[i];
        if (!chosen(arguments, kernel)) continue;
        const int unknown = text_write(stdout, kernel, &labels, &error);
        good &= unknown == 0 || (unknown > 0 && arguments->raw);
        if (unknown > 0 && !arguments->raw)
            fprintf(stderr, "sass: %s: kernel %s: %d instruction%s not known and stand%s as .word, the first: %s\n",
                    cubin->path, kernel->name, unknown, unknown > 1 ? "s are" : " is", unknown > 1 ? "" : "s",
                    error.message);
        if (unknown < 0) fprintf(stderr, "sass: %s: kernel %s: %s\n", cubin->path, kernel->name, error.message);
    }
    labels_clear(&labels);
    return good ? 0 : 1;
}

static int lint(const struct arguments *arguments, struct sass_cubin *cubin) {
    int findings = 0;
    const struct lint_options options = {
        .out = stdout, .all = arguments->all, .banks = arguments->banks, .keep = arguments->keep};
    for (int i = 0; i < cubin->kernel_count; i++) {
        struct sass_error error = {0};
        if (!chosen(arguments, &cubin->kernels[i])) continue;
        const int found = lint_kernel(&options, &cubin->kernels[i], &error);
        if (found < 0) {
            fprintf(stderr, "sass: %s: kernel %s: %s\n", cubin->path, cubin->kernels[i].name, error.message);
            return 1;
        }
        findings += found;
    }
    return findings ? 1 : 0;
}

static int reuse(const struct arguments *arguments, struct sass_cubin *cubin) {
    struct sass_error error = {0};
    const unsigned passes = arguments->passes ? reuse_passes(arguments->passes) : REUSE_ALL;
    for (int i = 0; i < cubin->kernel_count; i++) {
        struct sass_kernel *kernel = &cubin->kernels[i];
        if (!chosen(arguments, kernel) || reuse_kernel(stdout, cubin, kernel, passes, &error)) continue;
        fprintf(stderr, "sass: %s: kernel %s: %s\n", cubin->path, kernel->name, error.message);
        return 1;
    }
    return cubin_write(cubin, arguments->output, &error) ? 0 : failed(&error);
}

static char *read_text(const char *path, struct sass_error *error) {
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file) {
        snprintf(error->message, sizeof error->message, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size < MAX_TEXT) {
        const size_t size = (size_t)status.st_size;
        text = malloc(size + 1);
        if (text) text[fread(text, 1, size, file)] = 0;
    }
    fclose(file);
    if (!text) snprintf(error->message, sizeof error->message, "%s: not a text file", path);
    return text;
}

// FILE:line:column: message, the line, and a caret under the column.
static void show_error(const char *path, const char *text, const struct sass_error *error) {
    if (!error->line) {
        fprintf(stderr, "%s: %s\n", path, error->message);
        return;
    }
    for (int line = 1; line < error->line && strchr(text, '\n'); line++) text = strchr(text, '\n') + 1;
    const int length = (int)strcspn(text, "\r\n"), column = error->column > 0 ? error->column : 1;
    fprintf(stderr, "%s:%d:%d: %s\n%.*s\n", path, error->line, column, error->message, length, text);
    for (int i = 0; i < column - 1 && i < length; i++) fputc(text[i] == '\t' ? '\t' : ' ', stderr);
    fprintf(stderr, "^\n");
    if (error->context[0]) fprintf(stderr, "%s\n", error->context);
}

static int write_new(const struct arguments *arguments, const char *text) {
    struct sass_error error = {0};
    size_t size;
    const struct assemble_options options = {arguments->file, arguments->defines, arguments->define_count,
                                             !arguments->no_lint};
    uint8_t *bytes = assemble(text, &options, &size, &error);
    if (!bytes && error.misuse) return usage(error.message, NULL);
    if (!bytes) return show_error(arguments->file, text, &error), 1;
    const struct sass_cubin cubin = {.bytes = bytes, .size = size};
    const bool good = cubin_write(&cubin, arguments->output, &error);
    free(bytes);
    return good ? 0 : failed(&error);
}

static int write_into(const struct arguments *arguments, const char *text) {
    struct sass_error error = {0};
    struct sass_cubin cubin;
    if (!cubin_open(&cubin, arguments->into, &error)) return failed(&error);
    int status = 1;
    if (!text_read(text, &cubin, &error))
        show_error(arguments->file, text, &error);
    else if (!cubin_write(&cubin, arguments->output ? arguments->output : arguments->into, &error))
        failed(&error);
    else
        status = 0;
    cubin_close(&cubin);
    return status;
}

static int assemble_file(const struct arguments *arguments) {
    struct sass_error error = {0};
    char *text = read_text(arguments->file, &error);
    if (!text) return failed(&error);
    const int status = arguments->into ? write_into(arguments, text) : write_new(arguments, text);
    free(text);
    return status;
}

static int with_cubin(const struct arguments *arguments, int (*act)(const struct arguments *, struct sass_cubin *)) {
    struct sass_cubin cubin;
    struct sass_error error = {0};
    if (!cubin_open(&cubin, arguments->file, &error)) return failed(&error);
    const int status = check_kernel(arguments, &cubin) ? act(arguments, &cubin) : 1;
    cubin_close(&cubin);
    return status;
}

// --banks and --keep: one digit.
static int digit(const char *word) {
    return word && word[0] >= '1' && word[0] <= '9' && !word[1] ? word[0] - '0' : -1;
}

// What is wrong with --banks and --keep, NULL when nothing.
static const char *banks_error(const struct arguments *arguments) {
    if (!arguments->banks && !arguments->keep) return NULL;
    if (strcmp(arguments->command, "lint") != 0) return "--banks and --keep go with lint only";
    if (arguments->banks != 2 && arguments->banks != 4) return "--banks takes 2 (an H200) or 4 (Maxwell)";
    if (arguments->keep && arguments->banks != 4) return "--keep goes with --banks 4 only";
    if (arguments->keep < 0 || arguments->keep > SASS_MAX_KEEP) return "--keep takes 1 to 8 registers a slot";
    return arguments->all ? "--all goes without --banks" : NULL;
}

// The option that does not belong to the command, NULL when all do.
static const char *misplaced(const struct arguments *a) {
    const bool is_asm = strcmp(a->command, "asm") == 0, is_reuse = strcmp(a->command, "reuse") == 0;
    const bool is_dis = strcmp(a->command, "dis") == 0, is_lint = strcmp(a->command, "lint") == 0;
    return a->output && !is_asm && !is_reuse    ? "-o goes with asm and reuse only"
           : a->into && !is_asm                 ? "--into goes with asm only"
           : a->define_count && !is_asm         ? "-D goes with asm only"
           : a->no_lint && (!is_asm || a->into) ? "--no-lint goes with asm, without --into, only"
           : a->define_count && a->into         ? "-D goes without --into"
           : a->kernel && is_asm                ? "--kernel goes with dis, lint and reuse only"
           : a->raw && !is_dis                  ? "--raw goes with dis only"
           : a->all && !is_lint                 ? "--all goes with lint only"
           : a->passes && !is_reuse             ? "--passes goes with reuse only"
                                                : NULL;
}

int main(int count, char **words) {
    struct arguments arguments = {0};
    streams_guard();
    for (int i = 1; i < count; i++) {
        const bool is_kernel = strcmp(words[i], "--kernel") == 0, into = strcmp(words[i], "--into") == 0;
        const bool passes = strcmp(words[i], "--passes") == 0;
        if (strcmp(words[i], "--help") == 0) return fputs(usage_text, stdout), 0;
        if (strcmp(words[i], "--raw") == 0) {
            arguments.raw = true;
        } else if (strcmp(words[i], "--all") == 0) {
            arguments.all = true;
        } else if (strcmp(words[i], "--no-lint") == 0) {
            arguments.no_lint = true;
        } else if (strcmp(words[i], "--banks") == 0) {
            arguments.banks = digit(words[++i]);
            if (i == count) return usage("a word is missing after ", words[i - 1]);
        } else if (strcmp(words[i], "--keep") == 0) {
            arguments.keep = digit(words[++i]);
            if (i == count) return usage("a word is missing after ", words[i - 1]);
        } else if (strncmp(words[i], "-D", 2) == 0) {
            if (!words[i][2] && i + 1 == count) return usage("a word is missing after ", words[i]);
            if (arguments.define_count == MAX_DEFINES) return usage("at most 64 -D, not also ", words[i]);
            arguments.defines[arguments.define_count++].text = words[i][2] ? words[i] + 2 : words[++i];
        } else if (is_kernel || into || passes || strcmp(words[i], "-o") == 0) {
            if (i + 1 == count) return usage("a word is missing after ", words[i]);
            *(is_kernel ? &arguments.kernel
              : into    ? &arguments.into
              : passes  ? &arguments.passes
                        : &arguments.output) = words[i + 1];
            i++;
        } else if (words[i][0] == '-') {
            return usage("unknown option ", words[i]);
        } else if (!arguments.command) {
            arguments.command = words[i];
        } else if (!arguments.file) {
            arguments.file = words[i];
        } else {
            return usage("one file at a time, not also ", words[i]);
        }
    }
    if (!arguments.command) return usage("which command?", NULL);
    const bool is_asm = strcmp(arguments.command, "asm") == 0, is_reuse = strcmp(arguments.command, "reuse") == 0;
    if (!is_asm && !is_reuse && strcmp(arguments.command, "dis") != 0 && strcmp(arguments.command, "lint") != 0) {
        return usage("unknown command ", arguments.command);
    }
    if (!arguments.file) return usage("which file?", NULL);
    if (banks_error(&arguments)) return usage(banks_error(&arguments), NULL);
    if (is_asm && !arguments.into && !arguments.output)
        return usage("asm needs -o FILE.cubin or --into FILE.cubin", NULL);
    if (misplaced(&arguments)) return usage(misplaced(&arguments), NULL);
    if (is_reuse && !arguments.output) return usage("reuse needs -o OUT.cubin", NULL);
    if (arguments.passes && !reuse_passes(arguments.passes))
        return usage("--passes takes some of banks,order,flags,trim, not ", arguments.passes);
    const char *target = arguments.output ? arguments.output : arguments.into;
    struct sass_error error = {0};
    if (target && !file_writable(target, error.message, sizeof error.message)) return failed(&error);
    if (is_asm) return assemble_file(&arguments);
    if (is_reuse) return with_cubin(&arguments, reuse);
    return with_cubin(&arguments, strcmp(arguments.command, "dis") == 0 ? dis : lint);
}
