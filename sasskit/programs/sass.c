// build/sass: prints, assembles, checks and rewrites machine code of cubins. `sass --help` lists
// the commands, their options (sass.def) and the exit statuses. Every command but asm also takes a
// file named *.sass, and assembles it first.
#include "asm/assemble.h"
#include "base/channel.h"
#include "base/file.h"
#include "isa/banks.h"
#include "isa/chip.h"
#include "isa/codec.h"
#include "isa/mangled.h"
#include "isa/text.h"
#include "lint/distances.h"
#include "lint/lint.h"
#include "reuse/reuse.h"
#include "tune/tune.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 28, MAX_DEFINES = 64, NOT_TRIED = 2 };

enum command { DIS = 1, ASM = 2, LINT = 4, REUSE = 8, TUNE = 16, DISTANCES = 32, COMMANDS = 6 };

static const char *const command_names[] = {"dis", "asm", "lint", "reuse", "tune", "distances"};

// The options' indices, in the order of sass.def.
#define OPTION(id, letter, name, value, commands, doc) id,
enum given {
#include "sass.def"
    OPTIONS
};
#undef OPTION

enum { FIRST_KEY = 256 }; // argp's keys of options without a letter start here
#define OPTION(id, letter, name, value, commands, doc) \
    {name, letter ? letter : FIRST_KEY + id, value, 0, doc, 0},
static struct argp_option option_table[] = {
#include "sass.def"
    {0}};
#undef OPTION

#define OPTION(id, letter, name, value, commands, doc) commands,
static const unsigned commands_of[OPTIONS] = {
#include "sass.def"
};
#undef OPTION

struct arguments {
    unsigned command; // a value of enum command; 0 before the command was read
    const char *file;
    // per option: its value, or "" if it takes none; NULL if it was not given
    const char *option[OPTIONS];
    struct program_define defines[MAX_DEFINES];
    int define_count;
    const char *trials[TUNE_MAX_TRIALS];
    int trial_count;
};

// Parses the value of --banks or --keep, a digit. Returns 0 if not given, and -1 if it is invalid.
static int digit(const char *word) {
    return !word ? 0 : word[0] >= '1' && word[0] <= '9' && !word[1] ? word[0] - '0' : -1;
}

static int usage(const char *what, const char *detail) {
    char message[400];
    snprintf(message, sizeof message, "%s%.200s", what, detail ? detail : "");
    fprintf(stderr, "sass: %s (sass --help lists the commands)\n", message);
    channel_error(&(struct channel_error){.kind = "usage", .message = message});
    return NOT_TRIED;
}

static int failed(const struct error *error) {
    fprintf(stderr, "sass: %s\n", error->message);
    channel_error(&(struct channel_error){.kind = "file", .message = error->message});
    return NOT_TRIED;
}

// Returns true if --kernel NAME chose this kernel, or was not given. NAME is a kernel's name in the
// cubin; if no kernel has it, a name in the source, which several kernels may share.
static bool chosen(const struct arguments *arguments, const struct sass_cubin *cubin,
                   const struct sass_kernel *kernel) {
    const char *name = arguments->option[KERNEL];
    if (!name) return true;
    return cubin_kernel(cubin, name) ? strcmp(kernel->name, name) == 0
                                     : name_fits(kernel->name, name);
}

// Checks that tune got exactly one kernel, other commands at least one; prints a message if not.
static bool check_kernel(const struct arguments *arguments, const struct sass_cubin *cubin) {
    const char *name = arguments->option[KERNEL];
    int fits = 0;
    for (int i = 0; i < cubin->kernel_count; i++)
        fits += chosen(arguments, cubin, &cubin->kernels[i]);
    if (fits == 1 || (fits && arguments->command != TUNE)) return true;
    if (fits)
        fprintf(stderr, "sass: %s: it has several kernels: expected --kernel NAME, one of",
                cubin->path);
    if (!fits) fprintf(stderr, "sass: %s: there is no kernel %s: it has", cubin->path, name);
    for (int i = 0; i < cubin->kernel_count; i++) fprintf(stderr, " %s", cubin->kernels[i].name);
    fprintf(stderr, "\n");
    return false;
}

static int dis(const struct arguments *arguments, struct sass_cubin *cubin) {
    struct label_list labels = {0};
    struct error error = {0};
    bool good = true;
    printf("// %s, %s\n", cubin->path, cubin->chip->name);
    for (int i = 0; i < cubin->kernel_count; i++) {
        const struct sass_kernel *kernel = &cubin->kernels[i];
        if (!chosen(arguments, cubin, kernel)) continue;
        const int unknown = text_write(stdout, kernel, &labels, &error);
        good &= unknown == 0 || arguments->option[RAW];
        if (unknown > 0 && !arguments->option[RAW])
            fprintf(stderr,
                    "sass: %s: kernel %s: %d instruction%s not known and stand%s as .word, the "
                    "first: %s\n",
                    cubin->path, kernel->name, unknown, unknown > 1 ? "s are" : " is",
                    unknown > 1 ? "" : "s", error.message);
    }
    labels_clear(&labels);
    return good ? 0 : 1;
}

// Parses the value of --was into a NOP with these control fields. Returns the index of the
// instruction that had them; -1 if the value is invalid.
static int64_t parse_was(const char *word, struct sass_instruction *had) {
    char line[64], *end;
    struct error error = {0};
    const unsigned long long address = strtoull(word, &end, 0);
    snprintf(line, sizeof line, "%s NOP ;", *end ? end + 1 : "");
    return *end == '=' && address % SASS_BYTES == 0 && address < INT_MAX && strchr(line, ':') &&
                   sass_parse(line, 0, NULL, had, &error)
               ? (int64_t)(address / SASS_BYTES)
               : -1;
}

static int lint(const struct arguments *arguments, struct sass_cubin *cubin) {
    int findings = 0;
    struct sass_instruction had = {0};
    const char *was = arguments->option[WAS];
    const struct lint_options options = {.out = stdout,
                                         .all = arguments->option[ALL] != NULL,
                                         .was = was ? &had.control : NULL,
                                         .was_at = was ? (size_t)parse_was(was, &had) : 0,
                                         .banks = digit(arguments->option[BANKS]),
                                         .keep = digit(arguments->option[KEEP])};
    for (int i = 0; i < cubin->kernel_count; i++) {
        struct error error = {0};
        if (!chosen(arguments, cubin, &cubin->kernels[i])) continue;
        findings += lint_kernel(&options, &cubin->kernels[i], &error);
    }
    return findings ? 1 : 0;
}

static int distances(const struct arguments *arguments, struct sass_cubin *cubin) {
    distances_print(stdout, cubin);
    return 0;
}

static int reuse(const struct arguments *arguments, struct sass_cubin *cubin) {
    struct error error = {0};
    const unsigned passes =
        arguments->option[PASSES] ? reuse_passes(arguments->option[PASSES]) : REUSE_ALL;
    for (int i = 0; i < cubin->kernel_count; i++) {
        struct sass_kernel *kernel = &cubin->kernels[i];
        if (!chosen(arguments, cubin, kernel) ||
            reuse_kernel(stdout, cubin, kernel, passes, &error))
            continue;
        fprintf(stderr, "sass: %s: kernel %s: %s\n", cubin->path, kernel->name, error.message);
        return 1;
    }
    return cubin_write(cubin, arguments->option[OUTPUT], &error) ? 0 : failed(&error);
}

// Parses a positive integer. Returns `otherwise` if `word` is NULL, and 0 if it is invalid.
static unsigned long long number(const char *word, unsigned long long otherwise) {
    char *end;
    if (!word) return otherwise;
    errno = 0;
    const unsigned long long value = strtoull(word, &end, 10);
    return *word >= '0' && *word <= '9' && *end == 0 && errno == 0 ? value : 0;
}

static int tune(const struct arguments *arguments, struct sass_cubin *cubin) {
    const char *const *o = arguments->option;
    struct error error = {0};
    struct sass_kernel *kernel = cubin->kernels;
    // check_kernel() has ensured that a kernel was chosen
    while (!chosen(arguments, cubin, kernel)) kernel++;
    struct tune_options options = {.problem = o[PROBLEM],
                                   .trial_count = arguments->trial_count,
                                   .judges = sass_judges,
                                   .judge = o[JUDGE],
                                   .seconds = (double)number(o[SECONDS], 60),
                                   .seed = number(o[SEED], 1),
                                   .out = stdout};
    memcpy(options.trials, arguments->trials, sizeof options.trials);
    if (o[LOG] && !(options.log = fopen(o[LOG], "w"))) {
        fprintf(stderr, "sass: --log %s: %s\n", o[LOG], strerror(errno));
        return NOT_TRIED;
    }
    const bool good = tune_kernel(&options, cubin, kernel, &error);
    if (options.log) fclose(options.log);
    if (!good) {
        fprintf(stderr, "sass: %s: kernel %s: %s\n", cubin->path, kernel->name, error.message);
        return error.misuse ? NOT_TRIED : 1;
    }
    return cubin_write(cubin, o[OUTPUT], &error) ? 0 : failed(&error);
}

static char *read_text(const char *path, struct error *error) {
    size_t size;
    char *text = file_read(path, MAX_TEXT, &size);
    if (text && strlen(text) == size) return text;
    if (!text && errno != EFBIG)
        snprintf(error->message, sizeof error->message, "%s: cannot be opened: %s", path,
                 strerror(errno));
    else
        snprintf(error->message, sizeof error->message, "%s: not a text file", path);
    free(text);
    return NULL;
}

static void syntax_to_json(const char *path, const char *line, const struct error *error) {
    char text[512];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\r\n"), line);
    channel_error(&(struct channel_error){.kind = "syntax",
                                          .message = error->message,
                                          .file = path,
                                          .line = error->line,
                                          .column = error->column,
                                          .text = text,
                                          .context = error->context});
}

// Prints "FILE:line:column: message", then the line with a caret under the column. Of a long line,
// only the part around the column is printed.
static void show_error(const char *path, const char *text, const struct error *error) {
    if (!error->line) {
        fprintf(stderr, "%s: %s\n", path, error->message);
        channel_error(
            &(struct channel_error){.kind = "syntax", .message = error->message, .file = path});
        return;
    }
    for (int line = 1; line < error->line && strchr(text, '\n'); line++)
        text = strchr(text, '\n') + 1;
    syntax_to_json(path, text, error);
    enum { PART = 120 };
    const int column = error->column > 0 ? error->column : 1,
              from = column > PART ? column - PART / 2 : 0;
    text += from;
    const size_t rest = strcspn(text, "\r\n");
    const int length = rest < PART ? (int)rest : PART;
    fprintf(stderr, "%s:%d:%d: %s\n%.*s\n", path, error->line, column, error->message, length,
            text);
    for (int i = 0; i < column - 1 - from && i < length; i++)
        fputc(text[i] == '\t' ? '\t' : ' ', stderr);
    fprintf(stderr, "^\n");
    if (error->context[0]) fprintf(stderr, "%s\n", error->context);
}

// Returns the chip that `word` names, such as sm_86 or 86; sm_90 if `word` is NULL. Returns NULL if
// there is no such chip or its latencies are unknown.
static const struct sass_chip *chip_of(const char *word) {
    const char *digits = word && strncmp(word, "sm_", 3) == 0 ? word + 3 : word;
    const struct sass_chip *chip = sass_chip((int)number(digits, 90));
    return chip && chip->latencies ? chip : NULL;
}

static int write_new(const struct arguments *arguments, const char *text) {
    struct error error = {0};
    size_t size;
    const struct assemble_options options = {arguments->file, arguments->defines,
                                             arguments->define_count, !arguments->option[NO_LINT],
                                             chip_of(arguments->option[ARCH])};
    uint8_t *bytes = assemble(text, &options, &size, &error);
    if (!bytes && error.misuse) return usage(error.message, NULL);
    if (!bytes) return show_error(arguments->file, text, &error), 1;
    const struct sass_cubin cubin = {.bytes = bytes, .size = size};
    const bool good = cubin_write(&cubin, arguments->option[OUTPUT], &error);
    if (good && options.chip != sass_chip(90))
        printf("%s: distances between instructions are %s\n", options.chip->name,
               options.chip->latencies);
    free(bytes);
    return good ? 0 : failed(&error);
}

static int write_into(const struct arguments *arguments, const char *text) {
    struct error error = {0};
    struct sass_cubin cubin;
    if (!cubin_open(&cubin, arguments->option[INTO], &error)) return failed(&error);
    const char *to =
        arguments->option[OUTPUT] ? arguments->option[OUTPUT] : arguments->option[INTO];
    int status = 0;
    if (!text_read(text, &cubin, &error))
        show_error(arguments->file, text, &error), status = 1;
    else if (!cubin_write(&cubin, to, &error))
        status = failed(&error);
    cubin_close(&cubin);
    return status;
}

static int assemble_file(const struct arguments *arguments) {
    struct error error = {0};
    char *text = read_text(arguments->file, &error);
    if (!text) return failed(&error);
    const int status =
        arguments->option[INTO] ? write_into(arguments, text) : write_new(arguments, text);
    free(text);
    return status;
}

// Opens the cubin, or assembles a file *.sass in memory. Returns the exit status.
static int open_either(const struct arguments *arguments, struct sass_cubin *cubin) {
    struct error error = {0};
    const size_t length = strlen(arguments->file), size_of_end = strlen(".sass");
    if (length < size_of_end || strcmp(arguments->file + length - size_of_end, ".sass") != 0)
        return cubin_open(cubin, arguments->file, &error) ? 0 : failed(&error);
    const struct assemble_options options = {arguments->file, arguments->defines,
                                             arguments->define_count, true, NULL};
    size_t size = 0;
    char *text = read_text(arguments->file, &error);
    if (!text) return failed(&error);
    uint8_t *bytes = assemble(text, &options, &size, &error);
    const bool good = bytes && cubin_open_memory(cubin, arguments->file, bytes, size, &error);
    if (!good) show_error(arguments->file, text, &error);
    free(bytes);
    free(text);
    return good ? 0 : 1;
}

static int with_cubin(const struct arguments *arguments,
                      int (*act)(const struct arguments *, struct sass_cubin *)) {
    struct sass_cubin cubin;
    int status = open_either(arguments, &cubin);
    if (status) return status;
    status = check_kernel(arguments, &cubin) ? act(arguments, &cubin) : NOT_TRIED;
    cubin_close(&cubin);
    return status;
}

static error_t take_word(struct arguments *a, const char *word) {
    if (a->command)
        return a->file ? usage("expected one file, not also ", word) : (a->file = word, 0);
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(word, command_names[i]) == 0) a->command = 1u << i;
    }
    return a->command ? 0 : usage("expected dis, asm, lint, reuse, tune or distances, not ", word);
}

static error_t take(int key, char *text, struct argp_state *state) {
    struct arguments *a = state->input;
    const int option = key == 'o' ? OUTPUT : key == 'D' ? DEFINE : key - FIRST_KEY;
    if (key == ARGP_KEY_ARG) return take_word(a, text);
    if (option < 0 || option >= OPTIONS) return ARGP_ERR_UNKNOWN;
    if (option == DEFINE && a->define_count == MAX_DEFINES)
        return usage("expected at most 64 -D, not also ", text);
    if (option == DEFINE) a->defines[a->define_count++].text = text;
    if (option == TRIAL && a->trial_count == TUNE_MAX_TRIALS)
        return usage("expected at most 16 --trial, not also ", text);
    if (option == TRIAL) a->trials[a->trial_count++] = text;
    a->option[option] = text ? text : "";
    return 0;
}

// Returns a message such as "--banks goes with lint only".
static const char *misplaced(int option) {
    static char text[96];
    const struct argp_option *row = &option_table[option];
    int at = row->name ? snprintf(text, sizeof text, "--%s goes with ", row->name)
                       : snprintf(text, sizeof text, "-%c goes with ", row->key);
    for (int i = 0; i < COMMANDS; i++) {
        if (!(commands_of[option] >> i & 1)) continue;
        const unsigned rest = commands_of[option] >> (i + 1);
        at += snprintf(text + at, sizeof text - (size_t)at, "%s%s", command_names[i],
                       !rest               ? " only"
                       : rest & (rest - 1) ? ", "
                                           : " and ");
    }
    return text;
}

// Returns what is wrong with the command's options; NULL if nothing is.
static const char *wrong_options(const struct arguments *a) {
    const char *const *o = a->option;
    const int banks = digit(o[BANKS]), keep = digit(o[KEEP]);
    for (int i = 0; i < OPTIONS; i++) {
        if (o[i] && !(commands_of[i] & a->command)) return misplaced(i);
    }
    return a->command == ASM && !o[INTO] && !o[OUTPUT]
               ? "asm: expected -o FILE.cubin or --into FILE.cubin"
           : o[INTO] && (o[DEFINE] || o[NO_LINT] || o[ARCH])
               ? "-D, --no-lint and --arch go without --into"
           : !chip_of(o[ARCH])
               ? "--arch: expected a chip whose latencies are known, sm_75 to sm_121"
           : a->command == REUSE && !o[OUTPUT] ? "reuse: expected -o OUT.cubin"
           : a->command == TUNE && !o[OUTPUT]  ? "tune: expected -o OUT.cubin"
           : a->command == TUNE && !o[PROBLEM]
               ? "tune: expected --problem, the options of simrun for a launch"
           : !number(o[SECONDS], 60) ? "--seconds: expected a whole number from 1"
           : !number(o[SEED], 1)     ? "--seed: expected a whole number from 1"
           : o[JUDGE] && strcmp(o[JUDGE], "gpu") != 0 && strcmp(o[JUDGE], "model") != 0
               ? "--judge: expected gpu or model"
           : o[WAS] && parse_was(o[WAS], &(struct sass_instruction){0}) < 0
               ? "--was: expected an address and control fields, as in 0x40=01:-:2:-:4"
           : banks && banks != 2 && banks != 4 ? "--banks: expected 2 (an H200) or 4 (Maxwell)"
           : keep && banks != 4                ? "--keep goes with --banks 4 only"
           : keep < 0 || keep > SASS_MAX_KEEP  ? "--keep: expected 1 to 8 registers per slot"
           : o[ALL] && banks                   ? "--all goes without --banks"
                                               : NULL;
}

// Checks that the options fit together, then executes the command. Returns the exit status.
static int obey(const struct arguments *a) {
    struct error error = {0};
    if (!a->command)
        return usage("expected a command: dis, asm, lint, reuse, tune or distances", NULL);
    if (!a->file) return usage("expected a file after the command", NULL);
    if (wrong_options(a)) return usage(wrong_options(a), NULL);
    const char *passes = a->option[PASSES];
    if (passes && !reuse_passes(passes))
        return usage("--passes: expected some of banks,pairs,order,flags,trim, not ", passes);
    const char *target = a->option[OUTPUT] ? a->option[OUTPUT] : a->option[INTO];
    if (target && !file_writable(target, error.message, sizeof error.message))
        return failed(&error);
    if (a->command == ASM) return assemble_file(a);
    return with_cubin(a, a->command == REUSE  ? reuse
                         : a->command == TUNE ? tune
                         : a->command == DIS  ? dis
                         : a->command == LINT ? lint
                                              : distances);
}

int main(int count, char **words) {
    static const struct argp argp = {
        option_table,
        take,
        "dis FILE.cubin\nasm FILE.sass\nlint FILE.cubin\nreuse FILE.cubin\ntune "
        "FILE.cubin\ndistances FILE.cubin",
        "Prints, assembles, checks and rewrites machine code of cubins.\v"
        "dis: prints code as nvdisasm does, with wait:read:write:yield:stall in front. "
        "asm: assembles source to a whole cubin (sasskit/docs/assembler.md), or text into a cubin. "
        "lint: reports hazards, register-bank conflicts and loops. "
        "reuse: chooses registers, order and reuse flags of the FFMAs in hot loops anew. "
        "tune: searches for a faster order with the same results. "
        "distances: prints the least distances between results and their readers, as CSV "
        "(sasskit/docs/distances.md). Exit status: 0 success; 1 a finding of lint, an error in the "
        "text or code, or reuse or tune failed; 2 wrong usage, or a file or kernel is missing.",
        NULL,
        NULL,
        NULL};
    struct arguments arguments = {0};
    struct error error = {0};
    streams_guard();
    argp_err_exit_status = NOT_TRIED;
#ifndef WASM_ARGP_H // --json may lack its value, except in a web page
    option_table[JSON].arg = "FILE";
    option_table[JSON].flags = OPTION_ARG_OPTIONAL;
#endif
    if (argp_parse(&argp, count, words, 0, NULL, &arguments) != 0) return NOT_TRIED;
    if (!channel_open("sass", arguments.option[JSON], error.message, sizeof error.message))
        return failed(&error);
    return channel_close(obey(&arguments));
}
