// Reads files, writes them completely or not at all, and guards the three standard streams.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Guards the standard streams. Requires: main() calls this function first. Ensures: if standard
// output cannot be written, the program prints one line and ends with status 1; no file gets the
// descriptor of a closed stream; write() beyond the file size limit fails, without a signal.
void streams_guard(void);

// Returns true if `path` names the standard output: "-" or "/dev/stdout".
bool file_is_stdout(const char *path);

// Returns the contents of a regular file of at most `most` bytes, with a zero behind them, and sets
// *size. The caller frees them. On failure returns NULL and sets errno, to EFBIG if the file is
// larger or is not a regular file.
char *file_read(const char *path, size_t most, size_t *size);

// Makes `path` a file with these bytes, atomically: writes a new file beside the target (following
// symbolic links) and renames it. An existing target must be a regular file that may be written;
// the new file gets its mode. Returns false with one line, "PATH: why", in `message`.
bool file_write(const char *path, const void *bytes, size_t count, char *message, size_t size);

// Returns true if file_write() is expected to succeed; called before hours of work. Creates
// nothing. On failure returns false and sets `message` like file_write().
bool file_writable(const char *path, char *message, size_t size);
