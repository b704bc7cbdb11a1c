// What is said of a race in shared memory; shared.c and global.c find them.
#include "sim/machine/machine.h"

void race_report(struct warp *w, const struct uop *u, int lane, uint32_t address, uint32_t other, bool other_wrote,
                 bool writes) {
    const uint32_t offset = address - w->block->launch->shared_reserved, who = other & 63;
    const char *verb = writes ? "writes" : "reads";
    if (other == COPY_STAMP) {
        report(w, REPORT_RACE, u->detail->index, lane, false,
               "%s shared memory at 0x%x, where an asynchronous copy that nobody waited for is under way", verb,
               offset);
    } else if (who == STAMP_MANY) {
        report(w, REPORT_RACE, u->detail->index, lane, false,
               "%s shared memory at 0x%x, which several other warps read since the last barrier", verb, offset);
    } else {
        report(w, REPORT_RACE, u->detail->index, lane, false,
               "%s shared memory at 0x%x, which warp %u %s since the last barrier", verb, offset, who,
               other_wrote ? "wrote" : "read");
    }
}
