// The program build/exercise: shows an exercise, and judges what the reader wrote.
#include "checker.h"
#include "base/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char USAGE[] =
    "One exercise: builds what you wrote, runs it on the simulator, and says what was expected and "
    "what was found.\n\n"
    "    build/exercise                 the state of all exercises\n"
    "    build/exercise 01c             check mine; the first time: put a copy to work on into "
    "my/\n"
    "    build/exercise 01c hint        one hint more\n"
    "    build/exercise 01c answer      the answer\n"
    "    build/exercise 01c solution    mine beside the reference solution\n"
    "    build/exercise 01c again       start over (what was there is kept as my/....old)\n"
    "    build/exercise 01c judge       check what is in the folder MY; ask and explain nothing\n\n"
    "`make exercise EX=01c SHOW=hint` calls this. It asks a terminal for your predictions; "
    "elsewhere\n"
    "PREDICT='sectors_none=1024/8, cycles_none=about 60' in the environment has them. MY is the "
    "folder of the copies.\n"
    "Exit status: 0 solved, shown or not begun yet; 1 not right yet; 2 wrong usage.\n";

static bool has_nvcc(void) {
    return run("tools/nvcc.sh >/dev/null 2>&1") == 0;
}

static bool is_solved(const struct exercise *e) {
    return exists("%s/solved", e->mine);
}

// --- all exercises -------------------------------------------------------------------------------

static void list(const struct exercise *all) {
    static const char row[] = "%-24s %3s %-7s %-6s %-7s %s\n";
    int count = 0, solved = 0, compiled = 0;
    printf(row, "exercise", "min", "level", "needs", "status", "task");
    for (const struct exercise *e = all; e->name; e++) {
        const char *state = is_solved(e) ? "solved" : exists("%s", e->mine) ? "begun" : "-";
        printf(row, e->name, text_of("%d", e->minutes), e->level, e->needs_nvcc ? "nvcc" : "",
               state, e->title);
        count++;
        solved += is_solved(e);
        compiled += e->needs_nvcc;
    }
    printf("%d exercises, %d solved. %d need nvcc, which %s.\n", count, solved, compiled,
           has_nvcc() ? "is here" : "is not here: tools/setup.sh run fetches it");
}

// Prints the rows of the table for exercises/README.md.
static void print_table(const struct exercise *all) {
    for (const struct exercise *e = all; e->name; e++)
        printf("| [%s](%s/task.md) | %s | %d | %s | %s |\n", e->id, e->name, e->title, e->minutes,
               e->level, e->needs_nvcc ? "nvcc" : "");
}

// Returns true if the reader may mean this exercise by `name`: 04a_lanes_8x4 by "4a", "04", "4" or
// "lanes".
static bool may_mean(const struct exercise *e, const char *name) {
    const char *number = name + strspn(name, "0"), *id = e->id + strspn(e->id, "0");
    const size_t digits = strspn(number, "0123456789"), length = strlen(number);
    if (digits == 0) return strcasestr(e->name, name) != NULL;
    if (strspn(id, "0123456789") != digits || strncmp(id, number, digits) != 0) return false;
    return length == digits || length > digits + 1 || strcasecmp(id, number) == 0;
}

// Returns the exercise of a name such as "04a" or "04a_lanes_8x4". Without one, suggests exercises
// and ends the program.
static const struct exercise *find_exercise(const struct exercise *all, const char *name) {
    const char *meant = "";
    for (const struct exercise *e = all; e->name; e++) {
        if (strcmp(e->id, name) == 0 || strcmp(e->name, name) == 0) return e;
        if (may_mean(e, name)) meant = text_of("%s%s%s", meant, *meant ? ", " : "", e->id);
    }
    if (*meant)
        die("there is no exercise '%s': did you mean %s? make exercises lists all", name, meant);
    die("there is no exercise '%s': make exercises lists them", name);
}

// Prints the next exercise after `e` that is not solved and that this machine can check.
static void offer_next(const struct exercise *e) {
    const bool any = has_nvcc();
    do e++;
    while (e->name && (is_solved(e) || (e->needs_nvcc && !any)));
    if (e->name)
        printf("Next: make exercise EX=%s (%s, %d minutes)\n", e->id, e->title, e->minutes);
}

// --- one exercise --------------------------------------------------------------------------------

static void begin(const struct exercise *e) {
    give(e, e->mine);
    print_text(read_text("%s/task.md", e->folder));
    puts("");
    const bool has_line =
        strstr(read_text("%s/key.patch", e->folder), text_of("--- %s\n", e->source));
    say("Your copy is in %s: %s%s%srun this again; it asks for your prediction.", e->mine,
        has_line ? "edit " : "", has_line ? e->source : "", has_line ? ", then " : "");
}

static void start_over(const struct exercise *e) {
    if (exists("%s", e->mine)) run("mv -T --backup=numbered '%s' '%s.old'", e->mine, e->mine);
    begin(e);
}

static void hint(const struct exercise *e) {
    const char *path = text_of("%s/hints", e->mine), *seen = read_text("%s", path);
    const int count = seen ? atoi(seen) : 0;
    char *text = read_text("%s/hints.md", e->folder), *next = strstr(text, "\n---\n");
    if (!exists("%s", e->mine)) give(e, e->mine);
    for (int i = 0; i < count && next; i++) {
        text = next + strlen("\n---\n");
        next = strstr(text, "\n---\n");
    }
    print_text(next ? text_of("%.*s", (int)(next - text), text) : text);
    if (next)
        write_text(path, text_of("%d\n", count + 1));
    else
        puts("(That was the last hint; SHOW=answer has the rest.)");
}

// Prints the answer without its HTML comments, which tools/docs.py needs.
static void answer(const struct exercise *e) {
    char *text = read_text("%s/answer.md", e->folder);
    for (char *from = text, *to; (from = strstr(from, "<!--")) && (to = strstr(from, "-->"));)
        memmove(from, to + strlen("-->"), strlen(to + strlen("-->")) + 1);
    print_text(text);
}

static bool is_untouched(const struct exercise *e) {
    const char *given = text_of("%s/given", e->work);
    give(e, given);
    return run("cd '%s' && cmp -s %s \"$OLDPWD\"/%s/%s && cmp -s prediction "
               "\"$OLDPWD\"/%s/prediction",
               e->mine, e->source, given, e->source, given) == 0;
}

// Checks the reader's solution. Returns an exit status.
static int check_mine(const struct exercise *e) {
    if (!exists("%s", e->mine)) return begin(e), 0;
    printf("%s: %s\n", e->name, e->title);
    take_predictions(e);
    if (is_untouched(e)) {
        say("Nothing is changed in %s yet: edit %s or predict, then run this again.", e->mine,
            e->source);
        return 0;
    }
    if (!judge(e, e->mine)) {
        printf("Not solved yet. make exercise EX=%s SHOW=hint helps.\n", e->id);
        if (e->predicted->name)
            printf("Change a prediction in %s/prediction, or by PREDICT='%s=...'.\n", e->mine,
                   e->predicted->name);
        return 1;
    }
    write_text(text_of("%s/solved", e->mine), "");
    print_model_time(e);
    measure(e);
    puts("");
    answer(e);
    printf("\nYour solution beside the reference one: make exercise EX=%s SHOW=solution\n", e->id);
    offer_next(e);
    return 0;
}

static void show_solution(const struct exercise *e) {
    const char *folder = text_of("%s/reference", e->work);
    if (!is_solved(e)) {
        printf("The reference solution is shown when %s is solved.\n"
               "make exercise EX=%s SHOW=answer shows the answer before.\n",
               e->name, e->id);
        return;
    }
    put_solution(e, "key", folder);
    if (run("diff -u --label 'yours: %s/%s' --label 'the reference solution' '%s/%s' %s/%s",
            e->mine, e->source, e->mine, e->source, folder, e->source) == 0)
        printf("%s: yours is the reference solution, word for word.\n", e->source);
    offer_next(e);
}

// Enters the project's folder, whose build/ contains this program.
static void enter_project(void) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    for (int i = 0; i < 2 && strrchr(path, '/'); i++) *strrchr(path, '/') = '\0';
    if (chdir(path) != 0) die("'%s': cannot enter the project's folder", path);
}

int main(int argc, char **argv) {
    const char *const name = argc > 1 ? argv[1] : "", *const word = argc > 2 ? argv[2] : "",
                      *my = getenv("MY");
    streams_guard();
    setenv("LC_ALL", "C", 1);
    enter_project();
    if (my && strchr(my, '\''))
        die("MY=%s: expected a folder without an apostrophe in its name", my);
    const struct exercise *all = exercises_open(), *e;
    if (strcmp(name, "-h") == 0 || strcmp(name, "--help") == 0) return print_text(USAGE), 0;
    if (strcmp(name, "--table") == 0) return print_table(all), 0;
    if (argc == 1) return list(all), 0;
    if (argc > 3 && (argc != 5 || strcmp(word, "solution") != 0))
        die("expected at most an exercise and one of hint, answer, solution, again");
    e = find_exercise(all, name);
    if (argc == 5) return put_solution(e, argv[3], argv[4]), 0; // called by the tests
    if (!*word) return check_mine(e);
    if (strcmp(word, "hint") == 0) return hint(e), 0;
    if (strcmp(word, "answer") == 0)
        return answer(e), printf("\n%s", read_text("%s/key.patch", e->folder)), 0;
    if (strcmp(word, "again") == 0) return start_over(e), 0;
    if (strcmp(word, "solution") == 0) return show_solution(e), 0;
    if (strcmp(word, "judge") == 0) return judge(e, my && *my ? my : e->mine) ? 0 : 1;
    if (strcmp(word, "step") == 0) return print_step(e), 0; // called by make
    die("'%s': expected hint, answer, solution or again", word);
}
