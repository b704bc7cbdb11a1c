// Appending lines to a CSV file.
#include "csv.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINE = 4096 };

// Whether the file begins with the header's line and ends with a newline.
static bool header_fits(const struct csv *csv, int64_t bytes) {
    char start[MAX_LINE], last;
    const size_t length = strlen(csv->header);
    const ssize_t got = pread(csv->file, start, sizeof start, 0);
    if (got < (ssize_t)length + 1 || memcmp(start, csv->header, length) != 0 || start[length] != '\n') {
        return complain("%s: its first line is not the header of this program's CSV: choose another file", csv->path);
    }
    if (pread(csv->file, &last, 1, bytes - 1) == 1 && last == '\n') return true;
    return complain("%s: its last line is cut short: mend the file or choose another", csv->path);
}

bool csv_open(struct csv *csv, const char *path, const char *header) {
    struct stat status;
    *csv = (struct csv){.path = path, .header = header, .file = -1};
    if (!path) return true;
    csv->created = access(path, F_OK) != 0;
    csv->file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (csv->file < 0 || fstat(csv->file, &status) != 0) {
        csv->created = false;
        return complain("%s: cannot be written: %s", path, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        csv_close(csv);
        return complain("%s: is not a regular file", path);
    }
    csv->empty = status.st_size == 0;
    if (csv->empty || header_fits(csv, status.st_size)) return true;
    csv_close(csv);
    return false;
}

bool csv_append(struct csv *csv, const char *line) {
    char text[2 * MAX_LINE];
    if (!csv->path) return true;
    const int length =
        snprintf(text, sizeof text, "%s%s%s\n", csv->empty ? csv->header : "", csv->empty ? "\n" : "", line);
    const ssize_t written = length < (int)sizeof text ? write(csv->file, text, (size_t)length) : -1;
    if (written != length) {
        // A part of a line must not stay: the file ends where it ended before.
        const off_t end = lseek(csv->file, 0, SEEK_END);
        const int reason = errno;
        if (written > 0 && ftruncate(csv->file, end - written) != 0) return complain("%s: cut short", csv->path);
        return complain("%s: cannot be written: %s", csv->path, written > 0 ? "no space left" : strerror(reason));
    }
    csv->empty = false;
    csv->lines++;
    return true;
}

void csv_close(struct csv *csv) {
    if (csv->file >= 0) close(csv->file);
    if (csv->path && csv->created && csv->lines == 0) unlink(csv->path);
    csv->file = -1;
    csv->path = NULL;
}
