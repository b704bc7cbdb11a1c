// A program's output channel: opens and closes it, counts findings, and writes the JSON lines of
// type `end`, `error` and `note`.
#include "channel.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *program;
    FILE *json;
    bool silent;
    int errors, warnings;
} channel = {.program = "simulator"};

// Returns a stream to the original standard output. Discards all later output to stdout.
static FILE *take_stdout(void) {
#ifdef __wasm__
    return stdout;
#else
    fflush(stdout);
    const int own = dup(STDOUT_FILENO);
    FILE *file = own >= 0 ? fdopen(own, "w") : NULL;
    if (file && !freopen("/dev/null", "w", stdout)) {
        fclose(file);
        file = NULL;
    }
    return file;
#endif
}

bool channel_open(const char *program, const char *path, char *message, size_t size) {
    channel.program = program;
    if (!path) return true;
    channel.silent = !*path;
    channel.json = *path ? fopen(path, "wb") : take_stdout();
    if (!channel.json) snprintf(message, size, "--json %s: %s", path, strerror(errno));
    return channel.json != NULL;
}

int channel_close(int status) {
    if (!channel.json) return status;
    struct json j = channel_line("end");
    json_integer(&j, "status", status);
    json_integer(&j, "errors", channel.errors);
    json_integer(&j, "warnings", channel.warnings);
    json_end(&j);
    const bool lost = ferror(channel.json) != 0;
    if (fclose(channel.json) != 0 || lost) {
        fprintf(stderr, "%s: the JSON lines could not be written whole\n", channel.program);
        if (!status) status = 1;
    }
    channel.json = NULL;
    return status;
}

FILE *channel_json(void) {
    return channel.json;
}
bool channel_text(void) {
    return !channel.silent;
}
const char *channel_program(void) {
    return channel.program;
}
struct json channel_line(const char *type) {
    return json_begin(channel.json, channel.program, type);
}
void channel_count(bool is_warning) {
    *(is_warning ? &channel.warnings : &channel.errors) += 1;
}

static void put_whole(struct json *j, const char *name, int value) {
    if (value)
        json_integer(j, name, value);
    else
        json_null(j, name);
}

void channel_error(const struct channel_error *e) {
    channel.errors++;
    if (!channel.json) return;
    struct json j = channel_line("error");
    json_text(&j, "kind", e->kind);
    json_text(&j, "severity", "error");
    json_text(&j, "message", e->message);
    put_whole(&j, "code", e->code);
    json_text(&j, "file", e->file);
    put_whole(&j, "line", e->line);
    put_whole(&j, "column", e->column);
    json_text(&j, "text", e->text);
    json_text(&j, "context", e->context && *e->context ? e->context : NULL);
    json_text(&j, "remedy", e->remedy && *e->remedy ? e->remedy : NULL);
    json_end(&j);
}

void channel_note(const char *kind, const char *message) {
    if (!channel.json) return;
    struct json j = channel_line("note");
    json_text(&j, "kind", kind);
    json_text(&j, "message", message);
    json_end(&j);
}
