// Control fields of automatic lines.
#include "assemble.h"

bool schedule(struct assembled *kernel, struct sass_error *error) {
    (void)error;
    unsigned set = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_control *control = &kernel->code[i].control;
        if (!kernel->automatic[i]) {
            if (control->write_barrier < 6) set |= 1U << control->write_barrier;
            if (control->read_barrier < 6) set |= 1U << control->read_barrier;
            continue;
        }
        *control = (struct sass_control){.stall = 15, .yield = true, .write_barrier = SASS_NO_BARRIER,
                                         .read_barrier = SASS_NO_BARRIER, .wait = (uint8_t)set, .reuse = control->reuse};
        if (kernel->code[i].form->latency == 0 && kernel->code[i].form->pipe != SASS_PIPE_CBU) {
            control->write_barrier = 0;
            control->read_barrier = 1;
            set |= 3;
        }
    }
    return true;
}
