// A block that holds before each instruction.
#include "step.h"
#include "launch.h"

#include <stdlib.h>

struct step {
    struct launch_state launch;
    struct block *block;
    struct tally *tally;
    struct sim_picture picture;
    struct sim_request request;
    char *reports; // what the launch prints at its end: it was told before
    size_t reports_size;
    FILE *file;
};

static bool open_block(struct step *s, uint64_t block, struct sim_error *error) {
    struct launch_state *l = &s->launch;
    l->blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    l->fit = l->resident = 1;
    if (l->cluster[0] * l->cluster[1] * l->cluster[2] > 1)
        return sim_refuse(error, "its blocks run in clusters, and one block alone is stepped");
    if (block >= l->blocks)
        return sim_refuse(error, "there is no block %llu; the last is %llu", (unsigned long long)block,
                          (unsigned long long)l->blocks - 1);
    s->tally = calloc((size_t)l->program->count + 2, sizeof *s->tally);
    s->block = s->tally ? block_open(l, s->tally) : NULL;
    if (!s->block) return sim_fail(error, "not enough host memory");
    block_start(s->block, block);
    return true;
}

struct step *step_open(struct sim_kernel *kernel, struct sim_memory *memory, const struct sim_launch *launch,
                       uint64_t block, struct sim_error *error) {
    struct step *s = calloc(1, sizeof *s);
    if (s) s->file = open_memstream(&s->reports, &s->reports_size);
    if (!s || !s->file) return sim_fail(error, "not enough host memory"), free(s), NULL;
    struct sim_launch own = *launch;
    s->picture.latest = &s->request;
    own.picture = &s->picture;
    own.reports = s->file;
    if (launch_prepare(&s->launch, kernel, memory, &own, error)) {
        progress_begin(&s->launch, false);
        if (open_block(s, block, error)) return s;
    }
    step_close(s);
    return NULL;
}

void step_close(struct step *s) {
    struct sim_error told;
    if (!s) return;
    block_close(s->block);
    free(s->tally);
    launch_finish(&s->launch, &told);
    fclose(s->file);
    free(s->reports);
    free(s);
}

bool step_once(struct step *s, uint32_t warp) {
    if (s->launch.stop || s->block->warp[warp].state != WARP_READY) return false;
    s->request.mask = 0;
    block_step(s->block, warp);
    return true;
}

const struct block *step_block(const struct step *s) {
    return s->block;
}

uint32_t step_place(const struct warp *w) {
    if (w->state == WARP_DONE) return w->block->launch->program->count;
    return w->state == WARP_WAITS && w->group_count ? w->group[0].pc : w->pc;
}

const struct sim_request *step_request(const struct step *s) {
    return s->request.mask ? &s->request : NULL;
}

bool step_is_unwritten(const struct step *s, uint32_t address) {
    return shadow_is_unwritten(s->block, address, sizeof(uint32_t));
}

const char *step_report(const struct step *s, int number) {
    return reports_text(s->launch.reports, number);
}

void step_text(const struct step *s, uint32_t index, char *text, size_t size) {
    const struct program *p = s->launch.program;
    char control[16] = "", body[SASS_MAX_TEXT] = "?";
    if (index < p->count && p->detail[index].instruction.form) {
        sass_print_control(p->detail[index].instruction.control, control);
        sass_print(&p->detail[index].instruction, NULL, body, sizeof body);
    }
    snprintf(text, size, "%-13s %s", control, body);
}

uint32_t step_line(const struct step *s, uint32_t index, const char **file) {
    const struct sass_line *line = cubin_line(s->launch.program->kernel, index * SASS_BYTES);
    if (file) *file = line ? line->own_line ? line->own_file : line->file : NULL;
    return !line ? 0 : line->own_line ? line->own_line : line->line;
}
