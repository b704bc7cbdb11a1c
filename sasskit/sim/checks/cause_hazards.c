// Rules for hazards: stall counts, scoreboards and the reuse cache.
#include "causes.h"

static void hazard_place(struct suspect *s) {
    if (s->evidence->other) set_cause_place(s, s->evidence->other - 1);
}

bool rule_short_stall(struct suspect *s) {
    const struct evidence *v = s->evidence;
    if (!(v->facts & FACT_SHORT_STALL)) return false;
    hazard_place(s);
    TEXT(s, cause, "too few cycles after `%.100s` at 0x%x: %lld, and it needs %lld",
         s->finding->other.instruction, s->finding->other.address, (long long)v->actual,
         (long long)v->expected);
    TEXT(s, remedy,
         "add %lld to the stall counts from there on, or put independent instructions in between",
         (long long)(v->expected - v->actual));
    return true;
}

bool rule_scoreboard_not_waited(struct suspect *s) {
    const struct evidence *v = s->evidence;
    const uint32_t here = s->entry->index * SASS_BYTES;
    if (!(v->facts & FACT_NOT_WAITED)) return false;
    hazard_place(s);
    TEXT(s, cause,
         "scoreboard %u guards `%.100s` at 0x%x, and nothing waits for it before instruction 0x%x",
         v->scoreboard, s->finding->other.instruction, s->finding->other.address, here);
    TEXT(s, remedy,
         "wait for scoreboard %u in the control column of instruction 0x%x, or of one before it",
         v->scoreboard, here);
    return true;
}

bool rule_no_scoreboard(struct suspect *s) {
    const struct evidence *v = s->evidence;
    if (!(v->facts & FACT_NO_SCOREBOARD)) return false;
    hazard_place(s);
    TEXT(s, cause,
         "`%.100s` at 0x%x takes variable time and has no %s scoreboard that could be waited for",
         s->finding->other.instruction, s->finding->other.address,
         v->facts & FACT_SOURCE ? "read" : "write");
    TEXT(s, remedy, "give it a %s scoreboard, and wait for that scoreboard here",
         v->facts & FACT_SOURCE ? "read" : "write");
    return true;
}

bool rule_group_not_waited(struct suspect *s) {
    if (!(s->evidence->facts & FACT_GROUP)) return false;
    hazard_place(s);
    TEXT(s, cause, "the warp group's product is still under way: no WARPGROUP.DEPBAR waits for it");
    TEXT(s, remedy, "wgmma.wait_group (WARPGROUP.DEPBAR) before this instruction");
    return true;
}

bool rule_reuse_without_register(struct suspect *s) {
    const struct sass_instruction *in = code_at(s->program, s->entry->index);
    for (int role = SASS_A; role <= SASS_C; role++) {
        const struct sass_operand *o = &in->operand[role];
        if (!o->reuse || (o->kind == SASS_REGISTER && o->number != SASS_RZ)) continue;
        TEXT(s, cause, "the reuse cache keeps registers only, and operand %c is none (RZ is zero)",
             'A' + role - SASS_A);
        TEXT(s, remedy, "take the .reuse flag off this operand");
        return true;
    }
    return false;
}

bool rule_stale_reuse(struct suspect *s) {
    TEXT(s, cause,
         "an earlier instruction keeps the operand (.reuse), and its register has been written "
         "since");
    TEXT(s, remedy, "take the .reuse flag off the earlier instruction");
    return true;
}
