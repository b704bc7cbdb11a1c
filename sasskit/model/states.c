// Prints warp cycles by stall reason, as tables under Nsight Compute's names.
#include "isa/codec.h"
#include "isa/cubin.h"
#include "sm.h"

#define STATES \
    STATE(SM_SELECTED, "selected") \
    STATE(SM_NOT_SELECTED, "not_selected") \
    STATE(SM_WAIT, "wait") \
    STATE(SM_SHORT_SCOREBOARD, "short_scoreboard") \
    STATE(SM_LONG_SCOREBOARD, "long_scoreboard") \
    STATE(SM_BARRIER, "barrier") \
    STATE(SM_MIO_THROTTLE, "mio_throttle") \
    STATE(SM_LG_THROTTLE, "lg_throttle") \
    STATE(SM_TEX_THROTTLE, "tex_throttle") \
    STATE(SM_MATH_PIPE_THROTTLE, "math_pipe_throttle") \
    STATE(SM_DISPATCH_STALL, "dispatch_stall") \
    STATE(SM_NO_INSTRUCTION, "no_instruction") \
    STATE(SM_BRANCH_RESOLVING, "branch_resolving")

#define STATE(state, name) [state] = name,
const char *const sm_state_names[SM_STATES] = {STATES};
#undef STATE
#define STATE(state, name) \
    [state] = "smsp__average_warps_issue_stalled_" name "_per_issue_active.ratio",
const char *const sm_counter_names[SM_STATES] = {STATES};

void sm_add_states(const struct sm_result *r, struct sm_totals *totals) {
    totals->instructions += r->instructions;
    for (size_t i = 0; r->state && i < r->count; i++) {
        for (int s = 0; s < SM_STATES; s++) totals->state[s] += r->state[i][s];
    }
}

static uint64_t cycles_of(const uint64_t state[SM_STATES]) {
    uint64_t sum = 0;
    for (int s = 0; s < SM_STATES; s++) sum += state[s];
    return sum;
}

static void print_totals(const struct sm_result *r, uint64_t all, FILE *file) {
    fprintf(file, "%-20s %10s %14s\n", "warp state", "% of time", "per issue");
    for (int s = 0; s < SM_STATES; s++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < r->count; i++) sum += r->state[i][s];
        if (sum == 0) continue;
        fprintf(file, "%-20s %10.1f %14.3f\n", sm_state_names[s], 100.0 * (double)sum / (double)all,
                (double)sum / (double)r->instructions);
    }
}

// Returns the state, other than `selected`, in which the instruction spent the most cycles.
static int longest(const uint64_t state[SM_STATES]) {
    int most = SM_NOT_SELECTED;
    for (int s = SM_NOT_SELECTED; s < SM_STATES; s++) most = state[s] > state[most] ? s : most;
    return most;
}

void sm_print_states(const struct sm_result *r, const struct sim_kernel *kernel, FILE *file) {
    uint64_t all = 0;
    uint32_t line = 0;
    for (size_t i = 0; i < r->count; i++) all += cycles_of(r->state[i]);
    if (all == 0) return;
    print_totals(r, all, file);
    fprintf(file, "\n%7s %10s %7s  %-20s %s\n", "address", "issued", "% time", "waits longest for",
            "instruction");
    for (size_t i = 0; i < r->count; i++) {
        const uint64_t cycles = cycles_of(r->state[i]);
        const struct sass_line *source = cubin_line(sim_code(kernel), (uint32_t)i * SASS_BYTES);
        char text[SASS_MAX_TEXT];
        bool control, observed;
        const struct sass_instruction *in = sim_instruction(kernel, i, &control, &observed);
        if (cycles == 0 || !in) continue;
        if (source && source->line != line)
            fprintf(file, "%s:%u\n", source->file ? source->file : "?", line = source->line);
        sass_print(in, NULL, text, sizeof text);
        const int most = longest(r->state[i]);
        fprintf(file, "%7zx %10llu %7.2f  %-20s %s\n", i * SASS_BYTES,
                (unsigned long long)r->state[i][SM_SELECTED], 100.0 * (double)cycles / (double)all,
                r->state[i][most] ? sm_state_names[most] : "", text);
    }
}
