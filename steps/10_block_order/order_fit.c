// build/order_fit: fit.c says what it does.
#include "file/file.h"
#include "fit.h"

int main(int argc, char **argv) {
    streams_guard();
    return order_fit(argc, argv);
}
