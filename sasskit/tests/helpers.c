// Helpers of the unit tests.
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int saved_out = -1, saved_error = -1;
static FILE *capture;

void listen_to_user_messages(void) {
    fflush(stdout);
    fflush(stderr);
    saved_out = dup(STDOUT_FILENO);
    saved_error = dup(STDERR_FILENO);
    capture = tmpfile();
    dup2(fileno(capture), STDOUT_FILENO);
    dup2(fileno(capture), STDERR_FILENO);
}

const char *heard(void) {
    static char text[65536];
    fflush(stdout);
    fflush(stderr);
    dup2(saved_out, STDOUT_FILENO);
    dup2(saved_error, STDERR_FILENO);
    close(saved_out);
    close(saved_error);
    rewind(capture);
    text[fread(text, 1, sizeof text - 1, capture)] = '\0';
    fclose(capture);
    return text;
}

bool is_built(const char *what, const char *path) {
    if (access(path, R_OK) == 0) return true;
    printf("ok - %s # SKIP needs %s, which make builds\n", what, path);
    return false;
}

void assert_holds(const char *text, const char *part, const char *file, int line) {
    if (strstr(text, part)) return;
    print_error("expected \"%s\" in \"%s\"\n", part, text);
    _fail(file, line);
}
