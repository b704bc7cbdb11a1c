// The verdict on a solution: builds it, runs it on the simulator, and compares results, machine
// code, counts and predictions with the rows of `wishes`.
#include "checker.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// A kernel's counts must agree with the expected ones, those of nvcc 13.0's code, within
// COUNT_SHARE. If another version of nvcc compiled the kernel, within OTHER_SHARE.
static const double COUNT_SHARE = 0.005, OTHER_SHARE = 0.1;

static bool failed;

static void say_good(const char *text) {
    say("  right:   %s", text);
}
static void say_bad(const char *text) {
    say("  not yet: %s", text);
    failed = true;
}

// --- building and running ------------------------------------------------------------------------

// Builds the kernel in `folder` as NAME.cubin in the exercise's build folder.
static bool build_kernel(const struct exercise *e, const char *folder, const char *name,
                         const char *arch) {
    static const char find_nvcc[] =
        "nvcc=$(tools/nvcc.sh) || { echo 'there is no nvcc here, which compiles a .cu file: "
        "install the CUDA toolkit, 12 or 13, or let tools/setup.sh run fetch one'; exit 1; }";
    const struct wish *flags = find_wish(e, "flags");
    const char *command =
        e->needs_nvcc
            ? text_of("%s\n\"$nvcc\" -O3 -std=c++17 -cubin -arch=%s -lineinfo", find_nvcc, arch)
            : "build/sass asm";
    return run("mkdir -p %s && { %s %s -o %s/%s.cubin '%s/%s'; } >%s/said 2>&1", e->work, command,
               flags ? flags->field[0] : "", e->work, name, folder, e->source, e->work) == 0;
}

// Builds one of the exercise's solutions, unless its cubin is up to date. Returns false on failure.
static bool build_solution(const struct exercise *e, const char *name) {
    const char *folder = text_of("%s/%s", e->work, name);
    if (exists("%s.cubin", folder) &&
        !*output("find %s %s build/sass -newer %s.cubin", e->folder, e->base, folder))
        return true;
    put_solution(e, name, folder);
    return build_kernel(e, folder, name, "sm_90");
}

// Copies NAME.cubin to the folder in which the launching program looks for it.
static void place_kernel(const struct exercise *e, const char *name, const char *arch) {
    const char *folder = text_of("%s/cubin/%s/%s", e->work, arch, e->name);
    run("mkdir -p %s && cp %s/%s.cubin %s/mine.cubin", folder, e->work, name, folder);
}

// Builds the program that launches the solution. The file `said` receives the errors.
static bool build_program(const struct exercise *e) {
    return run("make -s %s/run >%s/said 2>&1", e->work, e->work) == 0;
}

// Builds the solution in `folder`.
static bool build(const struct exercise *e, const char *folder) {
    // A kernel.c is part of lesson 14's program, which launches other lessons' kernels.
    if (strcmp(e->source, "kernel.c") == 0)
        return run("mkdir -p %s && cd %s && rm -rf run cubin && ln -s ../../cubin cubin", e->work,
                   e->work) == 0 &&
               run("cp '%s/kernel.c' %s/mine.c", folder, e->work) == 0 && build_program(e);
    if (!build_kernel(e, folder, "mine", "sm_90")) return false;
    if (!find_wish(e, "launch")) return true;
    place_kernel(e, "mine", "sm_90");
    return getenv("RUNS_ARE_MADE") || build_program(e); // the tests make all programs at once
}

// Runs a program for at most $PATIENCE seconds, 300 by default. Its output goes to the file `said`.
// Returns the exit status.
static int run_program(const struct exercise *e, const char *command) {
    const char *patience = getenv("PATIENCE") ? getenv("PATIENCE") : "300";
    const int status = run("timeout '%s' %s >%s/said 2>&1", patience, command, e->work);
    if (status == 124)
        run("echo 'it still ran after %s seconds: does every loop end?' >>%s/said", patience,
            e->work);
    return status;
}

// Prints the first report of the last run; else three lines about wrong elements; else the last
// line. Also prints that the run was stopped after $PATIENCE seconds.
static void print_findings(const struct exercise *e) {
    char *text = read_text("%s/said", e->work), *last = "";
    int reports = 0, wrong = 0;
    bool is_first = false, is_headed = false;
    for (char *line; (line = next_line(&text)); last = line) {
        if (*line != ' ')
            is_first = strncmp(line, "error[", strlen("error[")) == 0 && reports++ == 0;
        if (is_first) puts(line);
        if (strncmp(line, "    ", 4) == 0 && is_headed && !reports && wrong++ < 3)
            say("           %s", line + 4);
        is_headed |= strstr(line, "faults: ") != NULL; // ends the problem's description
    }
    if (!reports && !wrong) say("           %s", last);
    if (reports + wrong > 0 && strncmp(last, "it still ran", strlen("it still ran")) == 0)
        puts(last);
}

// Runs NAME.cubin, which writes NAME.out. Returns false if the run fails or reports anything.
static bool write_out(const struct exercise *e, const char *name, const char *options) {
    const char *out = strstr(options, "OUT");
    if (!out) die("%s/wishes: no OUT in '%s'", e->folder, options);
    return run_program(e, text_of("build/simrun %s/%s.cubin %.*s%s/%s.out%s", e->work, name,
                                  (int)(out - options), options, e->work, name,
                                  out + strlen("OUT"))) == 0;
}

// --- results and machine code --------------------------------------------------------------------

static void check_results(const struct exercise *e, const char *options) {
    if (run_program(e, text_of("%s/run --backend sim --check only %s", e->work, options)) == 0) {
        say_good(text_of("results at %s", options));
    } else {
        say_bad(text_of("the result is wrong, or the simulator found a mistake (%s):", options));
        print_findings(e);
    }
}

// An element of a .out file.
union element {
    int32_t integer;
    float real;
};
enum { MAX_ELEMENTS = 1 << 16 };

static int read_out(const struct exercise *e, const char *name, union element *elements) {
    FILE *file = fopen(text_of("%s/%s.out", e->work, name), "rb");
    if (!file) die("%s/%s.out: cannot be read", e->work, name);
    const size_t count = fread(elements, sizeof *elements, MAX_ELEMENTS, file);
    fclose(file);
    return (int)count;
}

// Returns a text about the first element that differs between mine.out and NAME.out; NULL if they
// are equal. `names` names the elements: with "a;b", even elements are called a and odd elements b.
// %i in a name becomes the element's number among the elements with this name.
static char *difference(const struct exercise *e, const char *name, const char *options,
                        const char *names) {
    static union element mine[MAX_ELEMENTS], theirs[MAX_ELEMENTS];
    const int count = read_out(e, "mine", mine);
    int first = -1, differ = 0, kinds = 1;
    if (read_out(e, name, theirs) != count) die("%s: the outputs have different lengths", e->name);
    for (int i = count - 1; i >= 0; i--) {
        if (mine[i].integer == theirs[i].integer) continue;
        first = i;
        differ++;
    }
    if (!differ) return NULL;
    for (const char *c = names; *c; c++) kinds += *c == ';';
    for (int i = 0; i < first % kinds; i++) names = strchr(names, ';') + 1;
    char *called = text_of("%.*s", (int)strcspn(names, ";"), names), *number = strstr(called, "%i");
    if (number)
        called = text_of("%.*s%d%s", (int)(number - called), called, first / kinds, number + 2);
    const char *type = strstr(options, "=out:");
    while (type > options && type[-1] != ' ') type--;
    const bool whole = strncmp(type, "i32", 3) == 0;
    return text_of("%s is %.9g, expected %.9g (%d of %d numbers differ)", called,
                   whole ? mine[first].integer : mine[first].real,
                   whole ? theirs[first].integer : theirs[first].real, differ, count);
}

// The row `same`: the kernel must write the same output as the key's kernel.
static void check_same(const struct exercise *e, const char *options, const char *names) {
    if (!write_out(e, "mine", options)) {
        say_bad(text_of("the run ended with a report (%s):", options));
        print_findings(e);
        return;
    }
    if (!build_solution(e, "key") || !write_out(e, "key", options))
        die("%s: the key fails: %s", e->name, read_text("%s/said", e->work));
    const char *found = difference(e, "key", options, *names ? names : "number %i of the output");
    if (found)
        say_bad(text_of("another result than expected: %s", found));
    else
        say_good("the result");
}

// The row `unlike`: the kernel's output must differ from that of the solution `name`.
static void check_unlike(const struct exercise *e, const char *options, const char *words,
                         const char *name) {
    if (!build_solution(e, name) || !write_out(e, name, options))
        die("%s: %s fails: %s", e->name, name, read_text("%s/said", e->work));
    if (write_out(e, "mine", options) && !difference(e, name, options, "%i")) say_bad(words);
}

// The row `code`: a text must occur in exactly `times` lines of the machine code.
static void check_code(const struct exercise *e, const char *wanted, int times, const char *words) {
    char *text = output("build/sass dis %s/mine.cubin", e->work);
    for (char *line; (line = next_line(&text));) times -= strstr(line, wanted) != NULL;
    if (times != 0) say_bad(words);
}

// Returns false if a condition on the solution's macros is false or does not compile. Names in
// machine code, such as `.let ROWS = 2`, count as macros.
static bool macros_fulfil(const struct exercise *e, const char *folder, const char *condition) {
    return run("{ sed -n 's/^ *\\.let \\([A-Z]*\\) = \\(.*\\)/#define \\1 (\\2)/; /^ "
               "*#/{/include/!p;}' '%s/%s';"
               " echo '_Static_assert(%s, \"\");'; } | ${CC:-cc} -fsyntax-only -x c - 2>/dev/null",
               folder, e->source, condition) == 0;
}

// The row `holds`: a condition on the solution's macros. If it does not compile, it counts as true.
static void check_macros(const struct exercise *e, const char *folder, const char *condition,
                         const char *words) {
    if (!macros_fulfil(e, folder, condition) &&
        macros_fulfil(e, folder, text_of("1 + 0 * (%s)", condition)))
        say_bad(words);
}

// --- counts --------------------------------------------------------------------------------------

// The counts of the latest run.
static struct count {
    const char *name;
    double value;
} counts[256];
static int count_of_counts;

static void add_count(const char *name, double value) {
    if (count_of_counts < 256) counts[count_of_counts++] = (struct count){name, value};
}

// Returns the number under a name in a line of JSON; 0 if the name does not occur.
static double member(const char *line, const char *name) {
    const char *before = text_of("\"%s\": ", name), *at = strstr(line, before);
    return at ? strtod(at + strlen(before), NULL) : 0;
}

// The row `lint`: takes the figures of the loop with the largest share of FFMA and DFMA.
static void count_loop(const struct exercise *e) {
    char *text = output("build/sass lint --json %s/mine.cubin", e->work), *best = NULL;
    double most = 0;
    for (char *line; (line = next_line(&text));) {
        const double share =
            (member(line, "ffma") + member(line, "dfma")) / member(line, "instructions");
        if (!strstr(line, "\"type\": \"loop\"") || !(share > most)) continue;
        most = share;
        best = line;
    }
    if (!best) return;
    add_count("instructions", member(best, "instructions"));
    add_count("arithmetic", member(best, "ffma") + member(best, "dfma"));
    add_count("conflicts", member(best, "bank_conflicts"));
}

// The rows `run` and `simrun`: takes the counters of a launch, which writes lines that end with
// NAME,VALUE to a file.
static void count_launch(const struct exercise *e, const char *command) {
    run("rm -f %s/counters.csv", e->work);
    run_program(e, text_of("%s --counters %s/counters.csv", command, e->work));
    char *text = read_text("%s/counters.csv", e->work);
    for (char *line, *value; (line = next_line(&text)) && (value = strrchr(line, ','));) {
        *value++ = '\0';
        add_count(strrchr(line, ',') ? strrchr(line, ',') + 1 : line, atof(value));
    }
}

// The row `predict`: takes the last row of the table that lesson 14's program predicts.
static void count_predicted(const struct exercise *e, const char *options) {
    static const char *const columns[] = {"received_gb", "travel_ms", "compute_ms",
                                          "tflops",      "times_one", "ms"};
    double v[6];
    run_program(e, text_of("%s/run --predict %s", e->work, options));
    char *text = read_text("%s/said", e->work), *last = "";
    for (char *line; (line = next_line(&text));) last = line;
    if (sscanf(last, "%*s %*s %*s %*s %*s %lf %lf %lf %lf %lf %lf", v, v + 1, v + 2, v + 3, v + 4,
               v + 5) != 6)
        return;
    for (int i = 0; i < 6; i++) add_count(columns[i], v[i]);
}

// Returns the value of an expression such as "COUNTER / COUNTER / NUMBER".
static double value_of(const struct exercise *e, const char *expression) {
    char *text = text_of("%s", expression), *part, name[128];
    double result = NAN;
    while ((part = strsep(&text, "/")) && sscanf(part, "%127s", name) == 1) {
        char *end;
        double value = strtod(name, &end);
        for (int i = 0; i < count_of_counts && *end; i++) {
            if (strcmp(counts[i].name, name) != 0) continue;
            value = counts[i].value;
            end = "";
        }
        if (*end) die("%s/wishes: there is no counter '%s'", e->folder, name);
        result = isnan(result) ? value : value != 0 ? result / value : 0;
    }
    return result;
}

static bool is_near(double a, double b, double share, double slack) {
    return fabs(a - b) <= fmax(share * fabs(b), slack);
}

// Returns true if `found` is near one of the values in `wanted`, and sets *right to this value.
// `wanted` has values, "4096 or 3584", or a value and the tolerance of its prediction, "1546~10".
static bool is_wanted(const char *wanted, double found, double share, double *right) {
    for (const char *at = wanted; at;
         at = strstr(at, " or ") ? strstr(at, " or ") + strlen(" or ") : NULL) {
        *right = atof(at);
        if (is_near(found, *right, share, 0)) return true;
    }
    return false;
}

// Returns nvcc's version, or "" if it is 13.0, by which the expected counts were made.
static const char *other_nvcc(void) {
    static char *version;
    if (!version) version = output("tools/nvcc.sh release 2>/dev/null");
    version[strcspn(version, "\n")] = '\0';
    return strcmp(version, "13.0") == 0 ? "" : version;
}

// The row `near`: returns ": " and the row's explanation of this wrong prediction; "" if no row
// explains it.
static const char *what_is_missing(const struct exercise *e, const char *name, struct answer p) {
    for (const struct wish *w = e->wish; w->kind; w++) {
        if (strcmp(w->kind, "near") != 0 || strcmp(w->field[0], name) != 0) continue;
        const struct answer near = understand(w->field[1]);
        const bool is_this = near.is_number
                                 ? p.is_number && is_near(p.number, near.number, COUNT_SHARE, 0)
                                 : strcasecmp(p.text, near.text) == 0;
        if (is_this) return text_of(": %s", w->field[2]);
    }
    return "";
}

// The row `count`: compares the kernel's count with the expected count, and then the prediction
// with the expected count.
static void compare_count(const struct exercise *e, const struct wish *w, const char *folder) {
    const char *wanted = w->field[1], *words = w->field[3], *slack = strchr(wanted, '~'),
               *other = "";
    const double found = value_of(e, w->field[2]);
    const struct answer p = predicted(folder, w->field[0]);
    const char *missing = what_is_missing(e, w->field[0], p);
    double right;
    if (!is_wanted(wanted, found, COUNT_SHARE, &right)) {
        other = other_nvcc();
        if (!*other || !is_wanted(wanted, found, OTHER_SHARE, &right)) {
            say_bad(text_of("%s: your kernel has %.10g, expected %.*s (you predicted %s)", words,
                            found, (int)strcspn(wanted, "~"), wanted, p.text));
            return;
        }
    }
    const char *by = *other ? text_of("; by nvcc %s your kernel has %.10g", other, found) : "";
    if (p.is_number && is_near(p.number, right, COUNT_SHARE, 0))
        say_good(text_of("%s: %.10g, as you predicted%s", words, right, by));
    else if (p.is_number && is_near(p.number, right, 0, slack ? atof(slack + 1) : 0))
        say_good(
            text_of("%s: %.10g, and %s, as you predicted, is near enough", words, right, p.text));
    else if (*other)
        say_bad(
            text_of("%s: your prediction, %s, is not right. (%s; expected is nvcc 13.0's count.)",
                    words, p.text, by + 2));
    else
        say_bad(text_of("%s: your kernel is right, %.10g; your prediction, %s, is not%s", words,
                        found, p.text,
                        *missing ? missing : ". Which part of the sum was different?"));
}

// The row `say`: compares the prediction of a word, or of a number that no launch counts.
static void compare_answer(const struct exercise *e, const struct wish *w, const char *folder) {
    const char *name = w->field[0], *wanted = w->field[1], *words = w->field[2];
    const struct answer p = predicted(folder, name), key = understand(wanted);
    const bool is_right = p.is_number && key.is_number
                              ? is_near(p.number, key.number, COUNT_SHARE, 0)
                              : strcasecmp(p.text, wanted) == 0;
    if (is_right)
        say_good(text_of("%s: %s", words, wanted));
    else
        say_bad(text_of("%s: '%s' is not right%s", words, p.text, what_is_missing(e, name, p)));
}

// Returns the milliseconds at N = 1024 that the model of an SM predicts; 0 if it predicts none.
static double model_ms(const struct exercise *e, const char *program) {
    run("rm -f %s/time", e->work);
    run_program(e, text_of("%s --backend sim --time --check off --size 1024 --json=%s/time",
                           program, e->work));
    const char *text = read_text("%s/time", e->work),
               *line = text ? strstr(text, "\"type\": \"time\"") : NULL;
    return line ? member(line, "milliseconds") : 0;
}

// The row `faster`: by the model, the kernel must be faster than another program by a factor.
static void compare_speed(const struct exercise *e, const struct wish *w, const char *folder) {
    const double mine = model_ms(e, text_of("%s/run", e->work)), theirs = model_ms(e, w->field[2]);
    const struct answer p = predicted(folder, w->field[0]);
    const char *gain = text_of("%.2f", theirs / mine);
    if (mine <= 0 || theirs <= 0)
        say_bad(text_of("the model gives no time for %s", mine <= 0 ? "your kernel" : w->field[2]));
    else if (atof(gain) < atof(w->field[1]))
        say_bad(text_of("%s %s; expected %s (you predicted %s)", gain, w->field[3], w->field[1],
                        p.text));
    else
        say_good(text_of("%s %s; you predicted %s", gain, w->field[3], p.text));
}

// --- all rows ------------------------------------------------------------------------------------

// The rows of `wishes` are judged group by group, in this order. A mistake ends the judging after
// its group.
enum group { RESULTS, OUTPUTS, CODE, COUNTS, SPEED, GROUPS };

// Judges by one row if the row belongs to the group. Returns false if the group's further rows
// cannot be judged.
static bool judge_row(const struct exercise *e, const struct wish *w, enum group group,
                      const char *folder) {
    const char *const kind = w->kind, *const *f = w->field;
#define IS(of, name) (group == (of) && strcmp(kind, name) == 0)
    if (IS(RESULTS, "check")) return check_results(e, f[0]), !failed;
    if (IS(OUTPUTS, "same")) return check_same(e, f[0], f[1]), !failed;
    if (IS(OUTPUTS, "unlike")) return check_unlike(e, f[0], f[1], f[2]), !failed;
    if (IS(CODE, "code")) return check_code(e, f[0], atoi(f[1]), f[2]), true;
    if (IS(CODE, "holds")) return check_macros(e, folder, f[0], f[1]), true;
    if (IS(COUNTS, "count")) return compare_count(e, w, folder), true;
    if (IS(COUNTS, "say")) return compare_answer(e, w, folder), true;
    if (IS(SPEED, "faster")) return compare_speed(e, w, folder), true;
    const bool lint = IS(COUNTS, "lint"), launch = IS(COUNTS, "run"), simrun = IS(COUNTS, "simrun"),
               predict = IS(COUNTS, "predict");
#undef IS
    if (!lint && !launch && !simrun && !predict) return true;
    count_of_counts = 0;
    if (lint) count_loop(e);
    if (launch) count_launch(e, text_of("%s/run --backend sim --check off %s", e->work, f[0]));
    if (simrun) count_launch(e, text_of("build/simrun %s/mine.cubin %s", e->work, f[0]));
    if (predict) count_predicted(e, f[0]);
    if (count_of_counts > 0) return true;
    say_bad("the run ended without counts:");
    print_findings(e);
    return false;
}

bool judge(const struct exercise *e, const char *folder) {
    if (*missing_predictions(e, folder, "")) {
        say("Predict first: %s. A wrong prediction costs nothing, and teaches most.",
            missing_predictions(e, folder, ""));
        printf("Enter your numbers (or words) in this way:\n    make exercise EX=%s PREDICT='%s'\n",
               e->id, missing_predictions(e, folder, "=..."));
        return false;
    }
    failed = false;
    if (!build(e, folder)) {
        say_bad("it does not compile:");
        run("head -n 8 %s/said", e->work);
    }
    for (enum group group = 0; group < GROUPS && !failed; group++) {
        const struct wish *w = e->wish;
        while (w->kind && judge_row(e, w, group, folder)) w++;
    }
    return !failed;
}

void print_model_time(const struct exercise *e) {
    const char *program = text_of("%s/run", e->work);
    if (!find_wish(e, "launch") || !exists("%s", program)) return;
    const double mine = model_ms(e, program);
    place_kernel(e, build_solution(e, "given") ? "given" : "mine", "sm_90");
    const double first = model_ms(e, program);
    place_kernel(e, "mine", "sm_90");
    if (mine > 0)
        say("The model predicts %.3f ms at N = 1024 on an H200, and %.3f for what you began with "
            "(sasskit/docs/timing.md).",
            mine, first);
}

void measure(const struct exercise *e) {
    int major, minor;
    if (!find_wish(e, "launch") || !find_wish(e, "run") || !exists("%s/run", e->work)) return;
    if (sscanf(output("nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null"),
               "%d.%d", &major, &minor) < 2)
        return;
    const char *arch = text_of("sm_%d%d", major, minor);
    if (!build_kernel(e, e->mine, arch, arch)) return;
    place_kernel(e, arch, arch);
    run("%s/run --backend gpu --size 4096", e->work);
}
