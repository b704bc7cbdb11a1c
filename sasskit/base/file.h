// Reads files, writes them completely or not at all, and guards the three standard streams.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Guards the standard streams. Requires: main() calls this function first. Ensures: if output to
// stdout is lost, the program prints one line and ends with status 1; no file gets the descriptor
// of a closed stream; write() beyond the file size limit fails, without a signal.
void streams_guard(void);

// Returns true if `path` names the standard output: "-" or "/dev/stdout".
bool file_is_stdout(const char *path);

// Returns the contents of a regular file of at most `most` bytes, followed by a zero byte, and sets
// *size. The caller frees them. On failure returns NULL and sets errno: EFBIG if the file is larger
// or not a regular file.
char *file_read(const char *path, size_t most, size_t *size);

// Makes `path` a file with these bytes, or changes nothing: fills a new file in the target's folder
// (following symbolic links) and renames it. An existing target must be a regular, writable file;
// the new file gets its mode. On failure returns false and sets `message` to "PATH: why".
bool file_write(const char *path, const void *bytes, size_t count, char *message, size_t size);

// Returns true if file_write() can be expected to succeed; call it before hours of work. Creates
// nothing. On failure returns false and sets `message` like file_write().
bool file_writable(const char *path, char *message, size_t size);
