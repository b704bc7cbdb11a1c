// Writes a file completely or not at all: fills a new file in the same folder, then renames it.
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The file that is created or replaced.
struct output_file {
    char path[PATH_MAX];   // path of the file itself, after following symbolic links
    char folder[PATH_MAX]; // the folder of `path`
    mode_t mode;
    uid_t owner;
    gid_t group;
    bool exists;
};

struct message {
    char *text;
    size_t size;
};

static bool fail(const struct message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(const struct message *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, message->size, format, arguments);
    va_end(arguments);
    return false;
}

bool file_is_stdout(const char *path) {
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

// Returns true for a name of an open stream, such as /dev/stdout, which must not be replaced.
static bool names_a_stream(const char *path) {
    return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/", 6) == 0;
}

static bool find_old(const char *path, struct output_file *target, const struct stat *status,
                     const struct message *message) {
    if (S_ISDIR(status->st_mode)) return fail(message, "%s: is a directory; name a file", path);
    if (!S_ISREG(status->st_mode))
        return fail(message, "%s: is not a regular file; name another", path);
    if (!realpath(path, target->path) || access(target->path, W_OK) != 0)
        return fail(message, "%s: cannot be written: %s", path, strerror(errno));
    target->exists = true;
    target->mode = status->st_mode & 07777;
    target->owner = status->st_uid;
    target->group = status->st_gid;
    return true;
}

static bool find_new(const char *path, struct output_file *target, const struct message *message) {
    struct stat link;
    const mode_t mask = umask(0);
    umask(mask);
    target->mode = 0666 & ~mask;
    if (lstat(path, &link) == 0)
        return fail(message, "%s: is a symbolic link that leads nowhere; name a file", path);
    snprintf(target->path, sizeof target->path, "%s", path);
    return true;
}

static bool find_target(const char *path, struct output_file *target,
                        const struct message *message) {
    struct stat status;
    char copy[PATH_MAX];
    *target = (struct output_file){0};
    if (!*path || strcmp(path, "-") == 0 || names_a_stream(path))
        return fail(message, "'%s' is no file's name here; name a regular file", path);
    if (strlen(path) >= PATH_MAX) return fail(message, "%.60s...: the name is too long", path);
    if (stat(path, &status) == 0) {
        if (!find_old(path, target, &status, message)) return false;
    } else if (errno != ENOENT) {
        return fail(message, "%s: cannot be written: %s", path, strerror(errno));
    } else if (!find_new(path, target, message)) {
        return false;
    }
    memcpy(copy, target->path, sizeof copy);
    snprintf(target->folder, sizeof target->folder, "%s", dirname(copy));
    return true;
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

// Writes the bytes to the new file and closes it. Gives it the owner and mode of the file that it
// replaces. If this user may not set the owner, the mode loses its set-ID bits and sticky bit.
static bool fill(int file, const struct output_file *target, const void *bytes, size_t count) {
    const bool kept = !target->exists || fchown(file, target->owner, target->group) == 0;
    const bool written = write_all(file, bytes, count) &&
                         fchmod(file, kept ? target->mode : target->mode & 0777) == 0 &&
                         fsync(file) == 0;
    const int reason = errno;
    const bool closed = close(file) == 0;
    if (!written) errno = reason;
    return written && closed;
}

bool file_write(const char *path, const void *bytes, size_t count, char *text, size_t size) {
    const struct message message = {text, size};
    struct output_file target;
    char fresh[PATH_MAX + 16];
    if (!find_target(path, &target, &message)) return false;
    snprintf(fresh, sizeof fresh, "%s/.new-XXXXXX", target.folder);
    const int file = mkostemp(fresh, O_CLOEXEC);
    if (file < 0) return fail(&message, "%s: cannot be written: %s", path, strerror(errno));
    if (fill(file, &target, bytes, count) && rename(fresh, target.path) == 0) return true;
    const int reason = errno;
    unlink(fresh);
    return fail(&message, "%s: cannot be written: %s", path, strerror(reason));
}

bool file_writable(const char *path, char *text, size_t size) {
    const struct message message = {text, size};
    struct output_file target;
    if (!find_target(path, &target, &message)) return false;
    return access(target.folder, W_OK | X_OK) == 0 ||
           fail(&message, "%s: cannot be written: %s", path, strerror(errno));
}
