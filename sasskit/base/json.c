// Writes JSON lines.
#include "json.h"

#include <math.h>

// Returns the length of the UTF-8 sequence at `text`; 0 if it is invalid by RFC 3629 (cut short,
// overlong, a surrogate, or above U+10FFFF). The range of the second byte depends on the first.
static int sequence(const unsigned char *text) {
    const int length = text[0] < 0x80                      ? 1
                       : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                       : (text[0] & 0xf0) == 0xe0          ? 3
                       : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                           : 0;
    const unsigned least = text[0] == 0xe0   ? 0xa0
                           : text[0] == 0xf0 ? 0x90
                                             : 0x80,
                   most = text[0] == 0xed   ? 0x9f
                          : text[0] == 0xf4 ? 0x8f
                                            : 0xbf;
    for (int i = 1; i < length; i++)
        if (text[i] < (i == 1 ? least : 0x80) || text[i] > (i == 1 ? most : 0xbf)) return 0;
    return length;
}

static void put_string(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const int length = sequence(at);
        if (*at == '"' || *at == '\\') {
            fprintf(file, "\\%c", *at);
        } else if (length == 1 && (*at < ' ' || *at == 0x7f)) {
            fprintf(file, "\\u00%c%c", '0' + (*at >> 4), "0123456789abcdef"[*at & 15]);
        } else if (length == 0) {
            fputs("\\ufffd", file);
        } else {
            fwrite(at, 1, (size_t)length, file);
        }
        at += length ? length : 1;
    }
    fputc('"', file);
}

static void begin_member(struct json *j, const char *name) {
    if (j->follows) fputs(", ", j->file);
    j->follows = true;
    if (!name) return;
    put_string(j->file, name);
    fputs(": ", j->file);
}

struct json json_begin(FILE *file, const char *program, const char *type) {
    struct json j = {file, false};
    fputc('{', file);
    json_integer(&j, "schema", JSON_SCHEMA);
    json_text(&j, "type", type);
    json_text(&j, "program", program);
    return j;
}

void json_end(struct json *j) {
    fputs("}\n", j->file);
    fflush(j->file);
}

void json_null(struct json *j, const char *name) {
    begin_member(j, name);
    fputs("null", j->file);
}

void json_text(struct json *j, const char *name, const char *text) {
    if (!text) {
        json_null(j, name);
        return;
    }
    begin_member(j, name);
    put_string(j->file, text);
}

void json_number(struct json *j, const char *name, double value) {
    begin_member(j, name);
    if (isfinite(value))
        fprintf(j->file, "%.15g", value);
    else
        put_string(j->file, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

void json_integer(struct json *j, const char *name, long long value) {
    begin_member(j, name);
    fprintf(j->file, "%lld", value);
}

void json_address(struct json *j, const char *name, uint64_t address) {
    begin_member(j, name);
    fprintf(j->file, "\"0x%llx\"", (unsigned long long)address);
}

void json_bool(struct json *j, const char *name, bool value) {
    begin_member(j, name);
    fputs(value ? "true" : "false", j->file);
}

void json_open(struct json *j, const char *name, char bracket) {
    begin_member(j, name);
    fputc(bracket, j->file);
    j->follows = false;
}

void json_close(struct json *j, char bracket) {
    fputc(bracket, j->file);
    j->follows = true;
}

void json_triple(struct json *j, const char *name, const uint32_t value[3]) {
    if (!value) {
        json_null(j, name);
        return;
    }
    json_open(j, name, '[');
    for (int i = 0; i < 3; i++) json_integer(j, NULL, value[i]);
    json_close(j, ']');
}
