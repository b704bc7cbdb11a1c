// The C library's functions for arguments, files, clocks, stdout, stderr and exit, on a page.
// The page (worker.js) takes the place of the operating system. A file is read completely when it
// is opened, and written completely when it is closed. The linker prefers these functions to the
// C library's own, which need descriptors and folders.
#include "csv.h"
#include "replaces.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FROM_PAGE(name) __attribute__((import_module("page"), import_name(name)))
// Copies the arguments to `to`, each with a NUL after it, if `to` is not NULL. Returns the number
// of bytes.
FROM_PAGE("words") size_t page_words(char *to);
// Returns the size of a file in bytes; -1 if there is no such file.
FROM_PAGE("size") int page_size(const char *path, size_t length);
// Returns true if there is such a file or folder.
FROM_PAGE("there") int page_there(const char *path, size_t length);
FROM_PAGE("read") void page_read(const char *path, size_t length, char *to);
FROM_PAGE("create") void page_create(const char *path, size_t length);
FROM_PAGE("append")
void page_append(const char *path, size_t length, const char *from, size_t count);
FROM_PAGE("say") void page_say(int stream, const char *from, size_t count);
FROM_PAGE("exit") _Noreturn void page_exit(int status);
FROM_PAGE("clock") double page_clock(void);                 // ms
FROM_PAGE("time") double page_time(void);                   // seconds since 1970
FROM_PAGE("date") int page_date(double seconds, int field); // field: a member of struct tm, from 0

int main(int argc, char **argv);
void _start(void);
void __wasm_call_ctors(void); // defined by the linker

void _start(void) {
    const size_t bytes = page_words(NULL);
    char *words = malloc(bytes), **argv = calloc(bytes + 1, sizeof *argv);
    int argc = 0;
    if (!words || !argv) abort();
    page_words(words);
    for (size_t at = 0; at < bytes; at += strlen(words + at) + 1) argv[argc++] = words + at;
    __wasm_call_ctors();
    exit(main(argc, argv));
}

REPLACES(_Noreturn void, exit, int status) {
    fflush(stdout);
    page_exit(status);
}

// --- stdio.h: bytes in memory --------------------------------------------------------------------

struct _IO_FILE {
    char *bytes;
    size_t count, room, at; // `at` is the position of the next read
    int stream;             // 1 for stdout, 2 for stderr, 0 for a file
    bool fixed;             // for fmemopen(): the caller owns `bytes`, which cannot grow
    bool failed;            // true if some bytes did not fit
    const char *path;       // name of a file that is written; NULL if there is none
    char **text;            // for open_memstream(): fclose() sets *text and *length
    size_t *length;
};

static FILE streams[] = {{.stream = 1}, {.stream = 2}};
FILE *const stdout = &streams[0];
FILE *const stderr = &streams[1];

REPLACES(FILE *, fopen, const char *restrict path, const char *restrict mode) {
    const size_t length = strlen(path);
    const int size = page_size(path, length);
    if (*mode == 'r' && size < 0) return errno = ENOENT, NULL;
    FILE *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    if (*mode != 'r') {
        file->path = path; // the caller must keep the name until fclose()
        return file;
    }
    *file = (FILE){.bytes = malloc((size_t)size + 1), .count = (size_t)size};
    if (file->bytes) return page_read(path, length, file->bytes), file;
    return free(file), NULL;
}

REPLACES(FILE *, fmemopen, void *restrict bytes, size_t room, const char *restrict mode) {
    FILE *file = calloc(1, sizeof *file);
    if (file) *file = (FILE){.bytes = bytes, .room = room, .fixed = true};
    return file;
}

REPLACES(FILE *, open_memstream, char **text, size_t *length) {
    FILE *file = calloc(1, sizeof *file);
    if (file) *file = (FILE){.text = text, .length = length};
    return file;
}

REPLACES(int, fflush, FILE *file) {
    if (file->stream) {
        page_say(file->stream, file->bytes, file->count);
        file->count = 0;
    }
    return 0;
}

REPLACES(int, fclose, FILE *file) {
    const bool failed = file->failed;
    if (file->text) {
        *file->text = file->bytes;
        *file->length = file->count;
    } else if (file->path && !failed) {
        page_create(file->path, strlen(file->path));
        page_append(file->path, strlen(file->path), file->bytes, file->count);
    }
    if (!file->text && !file->fixed) free(file->bytes);
    free(file);
    return failed ? EOF : 0;
}

REPLACES(size_t, fread, void *restrict to, size_t size, size_t count, FILE *restrict file) {
    const size_t left = (file->count - file->at) / size, taken = count < left ? count : left;
    memcpy(to, file->bytes + file->at, taken * size);
    file->at += taken * size;
    return taken;
}

REPLACES(int, fgetc, FILE *file) {
    unsigned char byte;
    return fread(&byte, 1, 1, file) == 1 ? byte : EOF;
}

REPLACES(int, ferror, FILE *file) {
    return file->failed;
}

REPLACES(long, ftell, FILE *file) {
    return (long)file->count;
}

// Appends bytes, and a NUL that is not counted.
REPLACES(size_t, fwrite, const void *restrict from, size_t size, size_t count,
         FILE *restrict file) {
    enum { LEAST_ROOM = 1 << 12 };
    const size_t bytes = size * count, end = file->count + bytes;
    if (end >= file->room) {
        const size_t room = 2 * end + LEAST_ROOM;
        char *more = file->fixed ? NULL : realloc(file->bytes, room);
        if (!more)
            return file->failed = true, file->count = file->fixed ? file->room : file->count, 0;
        file->bytes = more;
        file->room = room;
    }
    memcpy(file->bytes + file->count, from, bytes);
    file->bytes[end] = '\0';
    file->count = end;
    if (file->stream == 2 || (file->stream && end >= LEAST_ROOM)) fflush(file);
    return count;
}

REPLACES(int, fputc, int letter, FILE *file) {
    const char byte = (char)letter;
    return fwrite(&byte, 1, 1, file) == 1 ? letter : EOF;
}
REPLACES(int, fputs, const char *restrict text, FILE *restrict file) {
    return fwrite(text, 1, strlen(text), file) > 0 || !*text ? 0 : EOF;
}
REPLACES(int, putchar, int letter) {
    return fputc(letter, stdout);
}
REPLACES(int, puts, const char *text) {
    return fputs(text, stdout) == EOF ? EOF : putchar('\n');
}
REPLACES(int, printf, const char *restrict format, ...) {
    va_list list;
    va_start(list, format);
    const int count = vfprintf(stdout, format, list);
    va_end(list);
    return count;
}

// --- csv.h ---------------------------------------------------------------------------------------

bool csv_open(struct csv *csv, const char *path, const char *header) {
    *csv = (struct csv){.path = path, .header = header};
    return true;
}

bool csv_append(struct csv *csv, const char *line) {
    const char *const begin[] = {csv->header, "\n", line, "\n"};
    const size_t length = csv->path ? strlen(csv->path) : 0;
    const int first = csv->path && page_size(csv->path, length) > 0 ? 2 : 0;
    for (int i = first; csv->path && i < 4; i++)
        page_append(csv->path, length, begin[i], strlen(begin[i]));
    return true;
}

void csv_close(struct csv *csv) {
    csv->path = NULL;
}

// --- files by name, memory, time -----------------------------------------------------------------

REPLACES(int, access, const char *path, int mode) {
    return page_there(path, strlen(path)) ? 0 : -1;
}

REPLACES(int, fileno, FILE *file) {
    return (int)(intptr_t)file;
}

REPLACES(int, fstat, int number, struct stat *status) {
    const FILE *file = (FILE *)(intptr_t)number; // NOLINT(performance-no-int-to-ptr)
    *status = (struct stat){.st_mode = S_IFREG, .st_size = (off_t)file->count};
    return 0;
}

// stat() and readlink() always fail: files have no times, and programs have no folder.
REPLACES(int, stat, const char *restrict path, struct stat *restrict status) {
    return -1;
}
REPLACES(ssize_t, readlink, const char *restrict path, char *restrict to, size_t room) {
    return -1;
}
REPLACES(char *, dirname, char *path) {
    return ".";
}
REPLACES(char *, getenv, const char *name) {
    return NULL;
}
REPLACES(int, isatty, int number) {
    return 0;
}
REPLACES(int, sched_yield, void) {
    return 0;
}

// Allocates memory; it cannot map files.
REPLACES(void *, mmap, void *at, size_t bytes, int protection, int flags, int file, off_t offset) {
    void *zeros = calloc(1, bytes);
    return zeros ? zeros : MAP_FAILED;
}
REPLACES(int, munmap, void *at, size_t bytes) {
    return free(at), 0;
}

REPLACES(int, clock_gettime, clockid_t clock, struct timespec *now) {
    const double ms = page_clock();
    *now = (struct timespec){(time_t)(ms / 1000),
                             (long)(ms * 1e6 - (double)(time_t)(ms / 1000) * 1e9)};
    return 0;
}

REPLACES(time_t, time, time_t *now) {
    return (time_t)page_time();
}

REPLACES(struct tm *, gmtime_r, const time_t *restrict seconds, struct tm *restrict parts) {
    int *const field[] = {&parts->tm_sec,  &parts->tm_min, &parts->tm_hour,
                          &parts->tm_mday, &parts->tm_mon, &parts->tm_year};
    for (int i = 0; i < 6; i++) *field[i] = page_date((double)*seconds, i);
    return parts;
}
