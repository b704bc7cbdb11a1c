// Runs one block step by step, one instruction of a chosen warp per step.
#include "stepping.h"
#include "isa/codec.h"
#include "isa/cubin.h"
#include "launch.h"
#include "sim/machine/progress.h"

#include <stdlib.h>

struct stepping {
    struct launch_state launch;
    struct block *block;
    struct tally *tally;
    struct sim_picture picture;
    struct sim_request request;
    // the launch's final output; it is discarded, because the caller has read the reports already
    char *reports;
    size_t reports_size;
    FILE *file;
};

static bool open_block(struct stepping *s, uint64_t block, struct error *error) {
    struct launch_state *l = &s->launch;
    l->blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    l->fit = l->resident = 1;
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 1)
        return error_refuse(error, "the blocks run in clusters, and --step runs one block alone");
    if (block >= l->blocks)
        return error_refuse(error, "there is no block %llu: the last one is %llu",
                            (unsigned long long)block, (unsigned long long)l->blocks - 1);
    s->tally = calloc((size_t)l->program->count + 2, sizeof *s->tally);
    s->block = s->tally ? block_open(l, s->tally) : NULL;
    if (!s->block) return error_fail(error, "not enough host memory");
    block_start(s->block, block);
    return true;
}

struct stepping *stepping_open(struct sim_kernel *kernel, struct sim_memory *memory,
                               const struct sim_launch *launch, uint64_t block,
                               struct error *error) {
    struct stepping *s = calloc(1, sizeof *s);
    if (s) s->file = open_memstream(&s->reports, &s->reports_size);
    if (!s || !s->file) return error_fail(error, "not enough host memory"), free(s), NULL;
    struct sim_launch own = *launch;
    s->picture.latest = &s->request;
    own.picture = &s->picture;
    own.reports = s->file;
    if (launch_prepare(&s->launch, kernel, memory, &own, error)) {
        progress_begin(&s->launch, false);
        if (open_block(s, block, error)) return s;
    }
    stepping_close(s);
    return NULL;
}

void stepping_close(struct stepping *s) {
    struct error ignored = {0};
    if (!s) return;
    block_close(s->block);
    free(s->tally);
    launch_finish(&s->launch, &ignored);
    fclose(s->file);
    free(s->reports);
    free(s);
}

bool stepping_step(struct stepping *s, uint32_t warp) {
    if (s->launch.stop || s->block->warp[warp].state != WARP_READY) return false;
    s->request.mask = 0;
    block_step(s->block, warp);
    return true;
}

const struct block *stepping_block(const struct stepping *s) {
    return s->block;
}

uint32_t stepping_place(const struct warp *w) {
    if (w->state == WARP_DONE) return w->block->launch->program->count;
    return w->state == WARP_WAITS && w->group_count ? w->group[0].pc : w->pc;
}

const struct sim_request *stepping_request(const struct stepping *s) {
    return s->request.mask ? &s->request : NULL;
}

bool stepping_is_unwritten(const struct stepping *s, uint32_t address) {
    return shadow_is_unwritten(s->block, address, sizeof(uint32_t));
}

const char *stepping_report(const struct stepping *s, int number) {
    return reports_text(s->launch.reports, number);
}

void stepping_reports_to_json(struct stepping *s) {
    if (s->launch.reports) reports_to_json(&s->launch);
}

void stepping_text(const struct stepping *s, uint32_t index, char *text, size_t size) {
    const struct program *p = s->launch.program;
    char control[24] = "", body[SASS_MAX_TEXT] = "?";
    if (index < p->count && p->detail[index].instruction.form) {
        sass_print_control(&p->detail[index].instruction, control);
        sass_print(&p->detail[index].instruction, NULL, body, sizeof body);
    }
    snprintf(text, size, "%-13s %s", control, body);
}

uint32_t stepping_line(const struct stepping *s, uint32_t index, const char **file) {
    const struct sass_line *line = cubin_line(s->launch.program->kernel, index * SASS_BYTES);
    if (file) *file = line ? line->own_line ? line->own_file : line->file : NULL;
    return !line ? 0 : line->own_line ? line->own_line : line->line;
}
