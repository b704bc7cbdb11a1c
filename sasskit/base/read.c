// Reads files.
#include "file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

char *file_read(const char *path, size_t most, size_t *size) {
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    const bool fits = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
                      (uintmax_t)status.st_size <= most;
    char *bytes = fits ? malloc((size_t)status.st_size + 1) : NULL;
    *size = bytes ? fread(bytes, 1, (size_t)status.st_size, file) : 0;
    if (bytes) bytes[*size] = '\0';
    fclose(file);
    if (!fits) errno = EFBIG;
    return bytes;
}
