// Two small programs for the boxes of the pages, in which readers run kernels:
//
//     launch STEP VARIANT N
//         Prints simrun's options that launch a variant's kernel for N x N x N.
//     banks load|store WIDTH ADDRESS...
//         Prints one shared-memory request as CSV, a row per lane; WIDTH is in bytes per lane. On
//         stderr: the number of its wavefronts, and their number without bank conflicts.
#include "extras.h"
#include "launch_gemm.h"
#include "sim/counts/banks.h"
#include "sim/sim.h"
#include "steps.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int launch_main(int argc, char **argv);
int banks_main(int argc, char **argv);

int launch_main(int argc, char **argv) {
    static struct choice choices[MAX_CHOICES];
    int count = 0;
    const int n = argc == 4 ? atoi(argv[3]) : 0;
    if (n <= 0 || !choose_variants(linked_steps(), argv[1], argv[2], choices, &count)) return 2;
    const struct variant *v = choices[0].variant;
    if (variant_chooses(v)) return 2; // such a variant has no kernel to launch
    const long long across = (n + v->block_n - 1) / v->block_n,
                    down = (n + v->block_m - 1) / v->block_m;
    const bool whole = launches_whole(v);
    const struct blocks h200 = {.at_once = sim_h200.multiprocessors};
    const long long square = (long long)n * n;
    printf("--entry %s --grid %lld,%lld --block %d --shared %d", choices[0].step->kernel,
           whole ? (long long)row_of_blocks(v, h200, across * down) : across, whole ? 1 : down,
           v->threads, v->shared_bytes);
    const char *type = step_extras_of(choices[0].step)->element == FP64 ? "f64" : "f32";
    printf(
        " --arg i32:%d --arg i32:%d --arg i32:%d --arg %s:1 --arg %s[%lld]:random:1 --arg i32:%d",
        n, n, n, type, type, square, n);
    printf(" --arg %s[%lld]:random:2 --arg i32:%d --arg %s:0 --arg %s[%lld]:nan --arg i32:%d\n",
           type, square, n, type, type, square, n);
    return 0;
}

int banks_main(int argc, char **argv) {
    enum { LANES = 32 };
    uint32_t address[LANES] = {0}, mask = 0;
    int8_t phase[LANES] = {0};
    if (argc < 4 || argc > 3 + LANES) return 2;
    const int width = atoi(argv[2]);
    for (int l = 0; l + 3 < argc; l++) {
        address[l] = (uint32_t)strtoul(argv[l + 3], NULL, 10);
        mask |= 1u << l;
    }
    const struct wavefronts w =
        (strcmp(argv[1], "load") == 0 ? banks_load : banks_store)(address, mask, width, phase);
    printf("lane,address,phase,first_bank,last_bank\n");
    for (int l = 0; l + 3 < argc; l++)
        printf("%d,%u,%d,%u,%u\n", l, address[l], phase[l], address[l] / 4 % 32,
               (address[l] + (uint32_t)width - 1) / 4 % 32);
    fprintf(stderr, "%d %d\n", w.count, w.least);
    return 0;
}
