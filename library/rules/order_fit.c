// build/order_fit. The fit is a file of its own, fit.c, so that a test has it without a main.
#include "base/file.h"
#include "fit.c"

int main(int argc, char **argv) {
    streams_guard();
    return order_fit(argc, argv);
}
