// Files that programs write: whole or not at all. And the guard of the three streams that every program has.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// First call of main(). From here on a program whose standard output cannot be written ends with status 1 and one line, no
// file that it opens takes the place of a closed stream, and a file that may not grow is an error of write().
void streams_guard(void);

// Whether `path` is a name of the standard output: "-" or "/dev/stdout".
bool file_is_stdout(const char *path);

// Makes `path` a file of these bytes. It is written under a fresh name beside the file that `path` names, through symbolic
// links, and then renamed, with the mode of the file that it replaces: at any moment the old file or the new one is there.
// What is there and is no regular file, or may not be written, is refused. False with one line, "PATH: why", in message.
bool file_write(const char *path, const void *bytes, size_t count, char *message, size_t size);

// Whether file_write() has a chance: to be asked before hours of work. False as above. Nothing is made.
bool file_writable(const char *path, char *message, size_t size);
