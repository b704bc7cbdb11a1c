// Fuzzes the readers of CSV files: the one of measurements for step 10's fit, and the one of the
// header of a file to append to.
#include "../../library/rules/fit.c"

#include "csv.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct samples samples;
    char path[64];
    struct csv csv;
    const int file = memfd_create("samples", 0);
    if (file < 0) abort();
    if (write(file, bytes, size) != (ssize_t)size) abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    samples.count = 0;
    if (read_samples(path, &samples)) arrange(&samples);
    if (csv_open(&csv, path, result_header())) csv_close(&csv);
    close(file);
    return 0;
}
