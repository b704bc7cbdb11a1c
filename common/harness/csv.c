// Appends lines to a CSV file.
#include "csv.h"
#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINE = 4096 };

// Returns true if the file begins with the header's line and ends with a newline.
static bool header_fits(const struct csv *csv, int64_t bytes) {
    char start[MAX_LINE], last;
    const size_t length = strlen(csv->header);
    const ssize_t got = pread(csv->file, start, sizeof start, 0);
    if (got < (ssize_t)length + 1 || memcmp(start, csv->header, length) != 0 ||
        start[length] != '\n') {
        return say_error(
            "%s: its first line is not the header of this program's CSV: choose another file",
            csv->path);
    }
    if (pread(csv->file, &last, 1, bytes - 1) == 1 && last == '\n') return true;
    return say_error("%s: its last line is incomplete: repair it or choose another file",
                     csv->path);
}

// Opens the file if it is not open or another process has removed it, and locks it. Lines are whole
// even if the file system has no locks, because one call writes each line.
static bool lock_file(struct csv *csv) {
    struct stat ours, there;
    for (;;) {
        if (csv->file < 0)
            csv->file = open(csv->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        if (csv->file < 0) return false;
        while (flock(csv->file, LOCK_EX) != 0 && errno == EINTR) continue;
        if (fstat(csv->file, &ours) == 0 && stat(csv->path, &there) == 0 &&
            ours.st_ino == there.st_ino && ours.st_dev == there.st_dev)
            return true;
        close(csv->file);
        csv->file = -1;
    }
}

static int64_t bytes_of(const struct csv *csv) {
    struct stat status;
    return fstat(csv->file, &status) == 0 ? status.st_size : -1;
}

static bool is_ours(const struct csv *csv) {
    struct stat status;
    if (fstat(csv->file, &status) != 0 || !S_ISREG(status.st_mode))
        return say_error("%s: expected a regular file", csv->path);
    return status.st_size == 0 || header_fits(csv, status.st_size);
}

bool csv_open(struct csv *csv, const char *path, const char *header) {
    *csv = (struct csv){.path = path, .header = header, .file = -1};
    if (!path) return true;
    if (strcmp(path, "-") == 0) return say_error("-: CSV is appended to a file: name a file");
    csv->created = access(path, F_OK) != 0;
    if (!lock_file(csv)) {
        csv->created = false;
        return say_error("%s: cannot be written: %s", path, strerror(errno));
    }
    const bool good = is_ours(csv);
    if (!good) csv_close(csv);
    if (good) flock(csv->file, LOCK_UN);
    return good;
}

bool csv_append(struct csv *csv, const char *line) {
    char text[2 * MAX_LINE];
    if (!csv->path) return true;
    if (!lock_file(csv)) return say_error("%s: cannot be written: %s", csv->path, strerror(errno));
    const int64_t end = bytes_of(csv);
    // Another program may have replaced the file since csv_open().
    if (csv->lines == 0 && end > 0 && !header_fits(csv, end)) return false;
    const int length = snprintf(text, sizeof text, "%s%s%s\n", end == 0 ? csv->header : "",
                                end == 0 ? "\n" : "", line);
    const ssize_t written = length < (int)sizeof text ? write(csv->file, text, (size_t)length) : -1;
    const int reason = written >= 0 ? ENOSPC : errno;
    // An incomplete line must not stay in the file.
    const bool whole = written == length,
               cut = !whole && written > 0 && ftruncate(csv->file, end) != 0;
    flock(csv->file, LOCK_UN);
    csv->lines += whole;
    if (cut) return say_error("%s: its last line is incomplete now: repair it", csv->path);
    return whole || say_error("%s: cannot be written: %s", csv->path, strerror(reason));
}

// Removes an empty file only while this process has the lock, because then no other program is
// writing to it.
void csv_close(struct csv *csv) {
    if (csv->file >= 0 && csv->created && csv->lines == 0 && lock_file(csv) && bytes_of(csv) == 0)
        unlink(csv->path);
    if (csv->file >= 0) close(csv->file);
    csv->file = -1;
    csv->path = NULL;
}
