// build/order_fit. fit.c is a separate file so that a test can include it without main().
#include "base/file.h"
#include "fit.c"

int main(int argc, char **argv) {
    streams_guard();
    return order_fit(argc, argv);
}
