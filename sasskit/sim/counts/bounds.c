// Computes lower bounds of a launch's time. A bound is the least number of SM cycles that one part
// of the machine needs for the counted work, if the work is spread evenly over all SMs and nothing
// ever waits. The real time is longer than the largest bound. Work that some schedule could avoid
// does not count.
//
// Figures of the H200: SMs, clock and FMA lanes are measured (docs/h200.md); FP64 lanes are half as
// many. 4 issue slots and one shared wavefront per cycle are Nsight Compute's "peak sustained" of
// sm_90. DRAM's 4,800 GB/s are from NVIDIA's data sheet.
//
// Register file: each of its two banks (even and odd registers) serves one read per cycle. The
// bound is the number of reads of the busier bank. So a conflict costs nothing if a neighbouring
// instruction leaves that bank free.
//
// L1: the rates were measured by steps/00_machine and steps/01_naive. Per cycle, L1 serves at most
// one load, with one word per bank and up to four lines, or 128 bytes of stores and texture
// fetches. Local memory counts like global memory. Copies to shared memory are left out.
#include "base/h200.h"
#include "sim/machine/kernel.h"

#include <math.h>
#include <string.h>

const struct sim_machine sim_h200 = {.name = "H200",
                                     .multiprocessors = H200_SMS,
                                     .clock_ghz = 1.98,
                                     .fma_lanes = 128,
                                     .fp64_lanes = 64,
                                     .issue_slots = 4,
                                     .shared_wavefronts = 1,
                                     .l1_sectors = 4,
                                     .l1_lines = 4,
                                     .dram_gbytes = 4800,
                                     .file_schedulers = 4};

int sim_bounds(const struct sim_result *r, const struct sim_machine *m, double dram_bytes,
               struct sim_bound bounds[SIM_BOUNDS]) {
    const double instructions = sim_counter(r, "smsp__inst_executed.sum"), sms = m->multiprocessors;
    const double fma = counters_active(r, SASS_PIPE_FMA);
    const double fp64 = counters_active(r, SASS_PIPE_FP64);
    const double wavefronts =
        sim_counter(r, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum") +
        sim_counter(r, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum") +
        sim_counter(r, "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum");
    const double sectors = sim_counter(r, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") +
                           sim_counter(r, "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum") +
                           sim_counter(r, "l1tex__t_sectors_pipe_tex_mem_texture.sum");
    const struct counters_least least = counters_least(r);
    const double banks = fmax(least.bank_reads[0], least.bank_reads[1]);
    const double l1 = fmax(least.bank_cycles + sectors / m->l1_sectors, least.lines / m->l1_lines);
    const struct sim_bound all[SIM_BOUNDS] = {
        {"FMA pipe", "sim__bound_fma_pipe.cycles", fma * 32 / m->fma_lanes / sms},
        {"FP64 pipe", "sim__bound_fp64_pipe.cycles", fp64 * 32 / m->fp64_lanes / sms},
        {"issue slots", "sim__bound_issue_slots.cycles", instructions / m->issue_slots / sms},
        {"register file", "sim__bound_register_file.cycles", banks / m->file_schedulers / sms},
        {"shared memory", "sim__bound_shared_memory.cycles",
         wavefronts / m->shared_wavefronts / sms},
        {"L1", "sim__bound_l1.cycles", l1 / sms},
        {"DRAM", "sim__bound_dram.cycles", dram_bytes / m->dram_gbytes * m->clock_ghz},
    };
    int largest = 0;
    memcpy(bounds, all, sizeof all);
    for (int i = 1; i < SIM_BOUNDS; i++) {
        if (all[i].cycles > all[largest].cycles) largest = i;
    }
    return largest;
}

double sim_bound_tflops(const struct sim_result *r, const struct sim_machine *m, double cycles) {
    const double fma = sim_counter(r, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") +
                       sim_counter(r, "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum");
    return 2e-3 * fma * m->clock_ghz / cycles;
}
