// Reads files, writes them completely or not at all, and guards the three standard streams.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Guards the standard streams. Requires: the first call of main(). Afterwards a program that cannot
// write its standard output ends with status 1 and one line, no file takes the descriptor of a
// closed stream, and exceeding the file size limit is an error of write().
void streams_guard(void);

// Returns true if `path` names the standard output: "-" or "/dev/stdout".
bool file_is_stdout(const char *path);

// Returns the bytes of a regular file of at most `most` bytes, followed by a zero, and sets *size.
// The caller frees them. On failure returns NULL and sets errno, to EFBIG if the file is larger or
// is no regular file.
char *file_read(const char *path, size_t most, size_t *size);

// Makes `path` a file with these bytes, atomically: writes a new file beside the target (following
// symbolic links) and renames it. The file keeps the mode of the one that it replaces. Refuses a
// target that is not a regular file or may not be written. Returns false with one line, "PATH:
// why", in `message`.
bool file_write(const char *path, const void *bytes, size_t count, char *message, size_t size);

// Returns true if file_write() is expected to succeed, for use before hours of work. Creates
// nothing. Returns false like file_write().
bool file_writable(const char *path, char *message, size_t size);
