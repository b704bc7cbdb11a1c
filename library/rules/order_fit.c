// main() of build/order_fit. The program is in fit.c, so that a test can include it without main().
#include "base/file.h"
#include "fit.c"

int main(int argc, char **argv) {
    streams_guard();
    return order_fit(argc, argv);
}
