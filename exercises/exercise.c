// Reads the folders of exercises. Writes the files that a reader starts from, solutions, and the
// step.c by which the harness launches a reader's kernel.
#include "checker.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_wishes(struct exercise *e) {
    char *text = read_text("%s/wishes", e->folder);
    struct wish *w = e->wish;
    for (char *line; (line = next_line(&text));) {
        if (!*line || *line == '#') continue;
        if (w == e->wish + MAX_WISHES - 1)
            die("%s/wishes: more than %d rows", e->folder, MAX_WISHES - 1);
        w->kind = strsep(&line, "|");
        for (int i = 0; i < MAX_FIELDS; i++) w->field[i] = line ? strsep(&line, "|") : "";
        w++;
    }
}

static void read_predictions(struct exercise *e) {
    char *text = read_text("%s/prediction", e->folder), *meaning = "", name[64];
    struct prediction *p = e->predicted;
    bool after_comment = false;
    for (char *line; (line = next_line(&text)); after_comment = *line == '#') {
        if (*line == '#')
            meaning = after_comment ? text_of("%s %s", meaning, line + 2) : line + 2;
        else if (sscanf(line, "%63[a-z_0-9] =", name) == 1 &&
                 p < e->predicted + MAX_PREDICTIONS - 1)
            *p++ = (struct prediction){text_of("%s", name), meaning};
    }
}

const struct wish *find_wish(const struct exercise *e, const char *kind) {
    const struct wish *w = e->wish;
    while (w->kind && strcmp(w->kind, kind) != 0) w++;
    return w->kind ? w : NULL;
}

static void open_one(struct exercise *e, const char *folder) {
    const char *my = getenv("MY");
    e->folder = text_of("%s", folder);
    e->name = e->folder + strlen("exercises/");
    e->id = text_of("%.*s", (int)strcspn(e->name, "_"), e->name);
    e->work = text_of("build/exercises/%s", e->name);
    e->mine = text_of("%s/%s", my && *my ? my : "my", e->name);
    read_wishes(e);
    read_predictions(e);
    const struct wish *base = find_wish(e, "base");
    e->base = base ? base->field[0] : NULL;
    for (int i = 0; i < 3 && !e->base; i++) {
        const char *file =
            text_of("%s/kernel.%s", e->folder, ((const char *[]){"cu", "sass", "c"})[i]);
        if (exists("%s", file)) e->base = file;
    }
    if (!e->base) die("%s: expected kernel.cu, kernel.sass or kernel.c", e->folder);
    e->source = text_of("kernel%s", strrchr(e->base, '.'));
    e->needs_nvcc = strcmp(e->source, "kernel.cu") == 0;
    const char *task = read_text("%s/task.md", e->folder), *about = strstr(task, "About ");
    sscanf(task, "# %127[^\n]", e->title);
    while (about && sscanf(about, "About %d minutes, %15[a-z]", &e->minutes, e->level) < 2)
        about = strstr(about + 1, "About ");
}

struct exercise *exercises_open(void) {
    glob_t found;
    if (glob("exercises/*/task.md", 0, NULL, &found) != 0) die("there is no folder exercises/");
    struct exercise *all = calloc(found.gl_pathc + 1, sizeof *all);
    for (size_t i = 0; all && i < found.gl_pathc; i++) {
        *strrchr(found.gl_pathv[i], '/') = '\0';
        open_one(&all[i], found.gl_pathv[i]);
    }
    globfree(&found);
    return all;
}

void give(const struct exercise *e, const char *folder) {
    bool is_marked[MAX_WISHES] = {false};
    char *text = read_text("%s", e->base);
    if (run("mkdir -p '%s' && cp '%s/prediction' '%s'", folder, e->folder, folder)) exit(2);
    FILE *file = text ? fopen(text_of("%s/%s", folder, e->source), "w") : NULL;
    if (!file) die("cannot copy '%s' into '%s'", e->base, folder);
    for (char *line; (line = next_line(&text));) {
        for (const struct wish *w = e->wish; w->kind; w++) {
            if (is_marked[w - e->wish] || strcmp(w->kind, "mark") != 0 ||
                !strstr(line, w->field[0]))
                continue;
            is_marked[w - e->wish] = true;
            fprintf(file, "%*s// ---- your line%s ----\n", (int)strspn(line, " "), "", w->field[1]);
        }
        fprintf(file, "%s\n", line);
    }
    fclose(file);
}

// Writes to `to` the part of a patch that changes the file `name`.
static void write_changes(FILE *to, char *patch, const char *name) {
    bool is_on = false;
    patch = text_of("%s", patch);
    for (char *line; (line = next_line(&patch));) {
        if (strncmp(line, "--- ", 4) == 0) is_on = strcmp(line + 4, name) == 0;
        if (is_on) fprintf(to, "%s\n", line);
    }
}

// Returns the solution `which` in a text: a line "=== NAME: ..." and a patch. Returns NULL if the
// text has no such solution.
static char *find_solution(char *text, const char *which) {
    const char *head = text_of("=== %s", which);
    for (char *at = text; at && (at = strstr(at, head)); at++) {
        char *next = strstr(at, "\n=== ");
        if ((at > text && at[-1] != '\n') || !strchr(":,", at[strlen(head)])) continue;
        if (next) next[1] = '\0';
        return at;
    }
    return NULL;
}

void put_solution(const struct exercise *e, const char *which, const char *folder) {
    char *key = read_text("%s/key.patch", e->folder), *patch = key;
    run("rm -rf '%s'", folder);
    give(e, folder);
    if (strcmp(which, "given") == 0) return;
    if (strcmp(which, "key") != 0) patch = find_solution(read_text("%s/wrong", e->folder), which);
    if (!patch) patch = find_solution(read_text("%s/other", e->folder), which);
    if (!patch || !key)
        die("%s: no solution '%s'; expected given, key, or a name in wrong or other", e->folder,
            which);
    FILE *to = popen(text_of("patch -s -d '%s'", folder), "w");
    if (!to) die("no shell can be run");
    fputs(patch, to);
    const char *with_key = strstr(patch, ", the key's kernel:");
    if (with_key && with_key < strchr(patch, '\n')) write_changes(to, key, e->source);
    if (patch != key && !strstr(patch, "--- prediction\n")) write_changes(to, key, "prediction");
    if (pclose(to) != 0)
        die("%s: the solution '%s' cannot be made: is `patch` installed?", e->folder, which);
}

void print_step(const struct exercise *e) {
    const struct wish *launch = find_wish(e, "launch");
    if (!launch) die("%s/wishes: no row 'launch'", e->folder);
    printf("#include \"extras.h\"\n\nstatic const struct step exercise = {\n"
           "    .name = \"%s\",\n    .kernel = \"%s\",\n    .title = \"Exercise %s\",\n    .idea = "
           "\"the reader's "
           "kernel\",\n"
           "    .variants = (const struct variant[]){{.name = \"mine\", .idea = \"yours\", %s}, "
           "{0}},\n};\n\n"
           "REGISTER_STEP(exercise);\n",
           e->name, launch->field[0], e->id, launch->field[1]);
}
