// The table of modelled chips, and the parser of names such as "h100,l1_latency=30".
#include "sm.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct sm_machine sm_machines[] = {{
                                             .name = "h200",
                                             .arch = 90,
#define NUMBER(name, h200, h100, unit, what, source) .name = h200,
#include "machine.def"
#undef NUMBER
                                         },
                                         {
                                             .name = "h100",
                                             .arch = 90,
#define NUMBER(name, h200, h100, unit, what, source) .name = h100,
#include "machine.def"
#undef NUMBER
                                         },
                                         {.name = NULL}};

// Chips that this project has not measured, as differences from the H200. Occupancy limits are in
// isa/chip.c. A figure that is not listed is the H200's, and so a guess: latencies within an SM,
// register banks, launch times. Sources:
//   data sheet          SMs, boost clock, size of L2
//   Quasarzone          the RTX 4090's clock while power does not limit it: 2.72 GHz, the mean of
//                       five games at stock settings (hardwaretimes.com)
//   programming guide   size of L1, FP64 rate, FMA pipes (an A100 scheduler has one)
//   RRZE gpu-benches    latencies and L2 bandwidth of A40, A100, L40 at the clock stated there; the
//                       L40's bandwidth is scaled by SMs; an A100's L2 halves have latencies of 213
//                       and 425 cycles; 64 bytes of L1 per cycle and SM on an A40 (gpu-cache:
//                       9.35 TB/s, 84 SMs at 1.74 GHz) and an L40 (22.6 TB/s, 142 at 2.49 GHz)
//   Huerta et al.       A6000: `queue`; memory instructions are 4 cycles apart per scheduler
//                       (address_cycles) and 2 per SM
//   tools/published.sh  an A6000 and an RTX 3090: a wide load takes 4 cycles per wavefront
//   gpu-stream          DRAM bandwidth
//   GA102 white paper   Turing's shared memory delivers 64 bytes per cycle, half of GA102's
//   guesses             the RTX 3090's DRAM; rates of sectors, stores and writes (the H200's
//                       ratios)
// The rows t4, l4, rtx-5080 and rtx-5090 have SMs, boost clock, size of L2, size of L1, FP64 rate
// and FMA pipes from the sources above. Their other figures:
//   t4                  Jia et al., "Dissecting the NVidia Turing T4 GPU" (2019), recalled without
//                       the report: 220 of 320 GB/s of DRAM, latencies, L2's rate. Guesses: queue
//                       and address_cycles (GA102's)
//   l4                  RRZE gpu-benches, L40, the same architecture: L1, L2 and DRAM latencies at
//                       2.49 GHz, L2's rate per SM and cycle. Guess: 91 % of the data sheet's DRAM
//                       bandwidth, the RTX 4090's share
//   rtx-5090            github.com/markdewing/AI_kernels (latency): 360 and 936 cycles for L2 and
//                       DRAM, assumed to be at 2.6 GHz; its figures for an RTX 4090 and an H200 are
//                       within 7 % of the sources above. Guesses: rates by l4's ratios; the light
//                       clock exceeds the data sheet's as the RTX 4090's does; all else GA102's
//   rtx-5080            Jarmusch et al., "Dissecting the NVIDIA Blackwell Architecture with
//                       Microbenchmarks" (2025), recalled: L2 and DRAM latency; the rest as above
//
// On each of these chips but a100, L1 delivers 64 bytes per cycle and SM: memory_turns=2, or on the
// t4 shared_wavefronts=0.5. Figures are set in the order of a row. The last clock_ghz of a row is
// the chip's own; an earlier one is the clock at which the next latencies were measured.
#define GA102 \
    "clock_ghz=1.74,l1_kbytes=128,l1_latency=35,l2_latency=253,memory_latency=553,l2_mbytes=6," \
    "l2_gbytes=2490,l2_sector_gbytes=1420,l2_store_gbytes=1130,flush_mbytes=1.3,fp64_cycles=64," \
    "memory_turns=2,address_cycles=4,queue=5"
#define GB20X GA102 ",clock_ghz=2.62,l1_latency=36,l2_latency=358,memory_latency=877"
static const struct {
    const char *name;
    int arch;
    const char *figures;
} others[] = {
    {"a100", 80,
     "multiprocessors=108,clock_ghz=1.41,tensor_clock_ghz=1.41,l1_kbytes=192,l1_latency=35,"
     "l2_latency=319,l2_far=106,memory_latency=572,l2_mbytes=40,l2_gbytes=4650,"
     "l2_sector_gbytes=2650,l2_store_gbytes=2110,dram_gbytes=1500,dram_write_gbytes=1420,"
     "dram_copy_gbytes=1300,flush_mbytes=8.8,fma_pipes=1,fp64_cycles=4"},
    {"a6000", 86,
     GA102 ",multiprocessors=84,clock_ghz=1.8,tensor_clock_ghz=1.8,dram_gbytes=750,"
           "dram_write_gbytes=710,dram_copy_gbytes=650"},
    {"rtx-3090", 86,
     GA102 ",multiprocessors=82,clock_ghz=1.695,tensor_clock_ghz=1.695,dram_gbytes=870,"
           "dram_write_gbytes=820,dram_copy_gbytes=755"},
    {"rtx-4090", 89,
     GA102 ",multiprocessors=128,clock_ghz=2.49,l1_latency=36,l2_latency=277,memory_latency=631,"
           "clock_ghz=2.52,light_clock_ghz=2.72,tensor_clock_ghz=2.52,l2_mbytes=72,"
           "l2_gbytes=5210,l2_sector_gbytes=2970,l2_store_gbytes=2370,flush_mbytes=16,"
           "dram_gbytes=921,dram_write_gbytes=870,dram_copy_gbytes=800"},
    {"t4", 75,
     "clock_ghz=1.59,tensor_clock_ghz=1.59,multiprocessors=40,l1_kbytes=96,l1_latency=32,"
     "shared_latency=19,l2_latency=188,memory_latency=460,l2_mbytes=4,l2_gbytes=1270,"
     "l2_sector_gbytes=724,l2_store_gbytes=577,flush_mbytes=0.9,dram_gbytes=220,"
     "dram_write_gbytes=208,dram_copy_gbytes=191,fma_pipes=1,fp64_cycles=64,"
     "shared_wavefronts=0.5,address_cycles=4,queue=5"},
    {"l4", 89,
     GA102 ",clock_ghz=2.49,l1_latency=36,l2_latency=277,memory_latency=631,clock_ghz=2.04,"
           "tensor_clock_ghz=2.04,multiprocessors=58,l2_mbytes=48,l2_gbytes=1911,"
           "l2_sector_gbytes=1090,l2_store_gbytes=869,flush_mbytes=11,dram_gbytes=274,"
           "dram_write_gbytes=259,dram_copy_gbytes=238"},
    {"rtx-5080", 120,
     GB20X ",clock_ghz=2.62,light_clock_ghz=2.83,tensor_clock_ghz=2.62,multiprocessors=84,"
           "l2_mbytes=64,l2_gbytes=3555,l2_sector_gbytes=2026,l2_store_gbytes=1617,"
           "flush_mbytes=14,dram_gbytes=877,dram_write_gbytes=829,dram_copy_gbytes=762"},
    {"rtx-5090", 120,
     GB20X ",clock_ghz=2.6,l2_latency=360,memory_latency=936,clock_ghz=2.41,light_clock_ghz=2.6,"
           "tensor_clock_ghz=2.41,multiprocessors=170,l2_mbytes=96,l2_gbytes=6617,"
           "l2_sector_gbytes=3772,l2_store_gbytes=3010,flush_mbytes=21,dram_gbytes=1637,"
           "dram_write_gbytes=1547,dram_copy_gbytes=1422"},
};
enum { OTHERS = sizeof others / sizeof *others };

#ifdef __wasm__ // the browser edition never prints the table
#define NOTES(unit, what, source) "", "", ""
#else
#define NOTES(unit, what, source) unit, what, source
#endif

static const struct number {
    const char *name;
    size_t offset;
    const char *unit, *what, *source;
} numbers[] = {
#define NUMBER(name, h200, h100, unit, what, source) \
    {#name, offsetof(struct sm_machine, name), NOTES(unit, what, source)},
#include "machine.def"
#undef NUMBER
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static double *number_of(struct sm_machine *machine, const struct number *n) {
    return (double *)(void *)((char *)machine + n->offset);
}

// Keeps the part of memory_latency beyond L2 constant in nanoseconds when the SM clock changes:
// device memory has a clock of its own.
static void keep_memory_time(struct sm_machine *machine, double clock_ghz) {
    const double beyond = machine->memory_latency - machine->l2_latency;
    machine->memory_latency = machine->l2_latency + beyond * clock_ghz / machine->clock_ghz;
}

static bool change(struct sm_machine *machine, const char *name, size_t length, const char *value,
                   const char *end, struct error *error) {
    char *stop;
    const double v = strtod(value, &stop);
    if (stop != end || value == end || !(v >= 0 && v < 1e12))
        return error_refuse(error, "machine: %.*s=%.*s: expected a number that is not negative",
                            (int)length, name, (int)(end - value), value);
    for (int i = 0; i < NUMBERS; i++) {
        if (strlen(numbers[i].name) != length || strncmp(numbers[i].name, name, length) != 0)
            continue;
        if (numbers[i].offset == offsetof(struct sm_machine, clock_ghz)) {
            keep_memory_time(machine, v);
            machine->light_clock_ghz = v;
        }
        *number_of(machine, &numbers[i]) = v;
        return true;
    }
    return error_refuse(error, "machine: there is no figure %.*s: --machine list prints them",
                        (int)length, name);
}

// Ranges of figures. Outside them, the model would divide by zero, overrun a table, or never end.
#define MOST 1e12
#define POSITIVE(name) \
    { #name, offsetof(struct sm_machine, name), 1e-9, MOST }
#define RANGE(name, least, most) \
    { #name, offsetof(struct sm_machine, name), least, most }
static const struct range {
    const char *name;
    size_t offset;
    double least, most;
} ranges[] = {POSITIVE(clock_ghz),
              POSITIVE(light_clock_ghz),
              POSITIVE(tensor_clock_ghz),
              POSITIVE(l2_gbytes),
              POSITIVE(l2_sector_gbytes),
              POSITIVE(l2_store_gbytes),
              POSITIVE(l2_port),
              POSITIVE(store_port),
              POSITIVE(dram_gbytes),
              POSITIVE(dram_write_gbytes),
              POSITIVE(dram_copy_gbytes),
              POSITIVE(shared_wavefronts),
              POSITIVE(l1_tags),
              POSITIVE(texture_words),
              RANGE(hgmma_columns, 0.01, MOST),
              RANGE(multiprocessors, 1, MOST),
              RANGE(warps, 1, 64),
              RANGE(blocks, 1, MOST),
              RANGE(registers, 1, MOST),
              RANGE(schedulers, 1, 4),
              RANGE(fma_pipes, 1, MOST),
              RANGE(write_parts, 0, 8),
              RANGE(queue, 1, 64),
              RANGE(global_queue, 1, MOST),
              RANGE(l1_pending, 1, MOST)};

// Returns false and sets *error if a figure is out of its range.
static bool is_sane(const struct sm_machine *m, struct error *error) {
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const struct range *r = &ranges[i];
        const double value = *(const double *)(const void *)((const char *)m + r->offset);
        if (value >= r->least && value <= r->most) continue;
        if (r->most < MOST)
            return error_refuse(error, "machine: %s=%g: expected %g to %g", r->name, value,
                                r->least, r->most);
        return error_refuse(error, "machine: %s=%g: expected %g or more", r->name, value, r->least);
    }
    if (m->memory_spread <= m->memory_latency) return true;
    return error_refuse(error, "machine: memory_spread=%g: expected at most memory_latency=%g",
                        m->memory_spread, m->memory_latency);
}

// Parses FIGURE=VALUE,FIGURE=VALUE...; an empty text changes nothing.
static bool change_all(struct sm_machine *machine, const char *text, struct error *error) {
    for (const char *at = text, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, ",");
        const char *equals = at + strcspn(at, "=");
        if (equals >= end)
            return error_refuse(error, "machine: %.*s: expected FIGURE=VALUE", (int)(end - at), at);
        if (!change(machine, at, (size_t)(equals - at), equals + 1, end, error)) return false;
    }
    return true;
}

static bool is_called(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static bool refuse_name(const char *text, size_t length, struct error *error) {
    char names[256] = "";
    for (const struct sm_machine *m = sm_machines; m->name; m++)
        strcat(strcat(names, m->name), ", ");
    strcat(names, "and not measured by this project");
    for (int i = 0; i < OTHERS; i++) strcat(strcat(names, i ? ", " : " "), others[i].name);
    return error_refuse(error, "machine: there is no machine %.*s: choose from %s", (int)length,
                        text, names);
}

// Sets *machine to the H200's figures, then to those of others[which], and its occupancy limits to
// those of isa/chip.c.
static bool make_other(int which, struct sm_machine *machine, struct error *error) {
    const struct sim_sm sm = sim_sm_of(others[which].arch);
    *machine = sm_machines[0];
    machine->name = others[which].name;
    machine->arch = others[which].arch;
    machine->guessed = true;
    machine->warps = sm.warps;
    machine->blocks = sm.blocks;
    machine->shared_kbytes = sm.shared_bytes / 1024;
    return change_all(machine, others[which].figures, error);
}

bool sm_machine_parse(const char *text, struct sm_machine *machine, struct error *error) {
    *machine = sm_machines[0];
    if (!text) return true;
    const size_t length = strcspn(text, ",");
    const struct sm_machine *m = sm_machines;
    int other = 0;
    while (m->name && !is_called(m->name, text, length)) m++;
    while (!m->name && other < OTHERS && !is_called(others[other].name, text, length)) other++;
    if (other == OTHERS) return refuse_name(text, length, error);
    if (m->name)
        *machine = *m;
    else if (!make_other(other, machine, error))
        return false;
    return change_all(machine, text + length + (text[length] == ','), error) &&
           is_sane(machine, error);
}

void sm_machine_print(const struct sm_machine *machine, FILE *file) {
    struct sm_machine copy = *machine;
    for (int i = 0; i < NUMBERS; i++) {
        fprintf(file, "%-18s %9.6g %-8s %s (%s)\n", numbers[i].name, *number_of(&copy, &numbers[i]),
                numbers[i].unit, numbers[i].what, numbers[i].source);
    }
    for (int i = 0; i < OTHERS; i++)
        fprintf(file,
                "%s (sm_%d, not measured by this project; sources and guesses: "
                "sasskit/model/machine.c): %s\n",
                others[i].name, others[i].arch, others[i].figures);
}
