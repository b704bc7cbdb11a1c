// Register-file banks and the reuse cache: where operands come from and how many cycles that takes.
#pragma once

#include "instruction.h"

// The reuse cache of one scheduler, initially zeros.
struct sass_reuse_cache {
    // [0, or 1 for FP64][slot][bank]: register number + 1; 0 if the entry is empty
    int16_t place[2][3][2];
};
// Returns true if bit 109 is clear, and for the CBU's instructions except BAR, NOP and DEPBAR.
bool sass_empties_reuse_cache(const struct sass_instruction *instruction);
// Returns the index of the first instruction after `at` and before `end` that finds operand `role`
// (A to C) of instruction `at` in the reuse cache; `end` if none does, or if the register is
// written first. Requires: the operand has a reuse flag.
int sass_next_reader(const struct sass_instruction *code, int at, int end, int role);
// Returns true if the reuse cache gives this operand (a role, A to C) an outdated value: an earlier
// instruction flagged its register, which was then written while the entry remained (banks.c).
// Requires: `before` instructions precede this one, `stride` bytes apart in memory.
bool sass_is_stale(const struct sass_instruction *in, size_t stride, size_t before, int role);
// Returns the cycles, at least 1, for reading operands A, B and C from the register file by the
// two-bank rule (docs/h200.md): a bank reads one 32-bit register per cycle, and hits in the
// operand's reuse cache are free. Updates the cache.
int sass_bank_cycles(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
// Sets reads[] to the number of registers that each bank reads, by the rule of sass_bank_cycles().
void sass_bank_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache,
                     int reads[2]);

// Like sass_bank_cycles(), but at least sass_pipe_cycles(), and each bank can queue one read while
// issue continues, so that neighbouring instructions balance each other. Step 00's measurements
// with one and two warps support such a queue.
enum { SASS_BANK_QUEUE = 1 };
struct sass_bank_queue {
    struct sass_reuse_cache cache;
    int behind[2]; // number of queued reads per bank
};
int sass_queue_cycles(const struct sass_instruction *instruction, struct sass_bank_queue *queue);
// Returns the cycles that an instruction occupies its pipe at full rate: 2 for FP64 (16 lanes per
// scheduler) and for FFMA2 and its like (two operations per lane), otherwise 1.
int sass_pipe_cycles(const struct sass_instruction *instruction);

// The operand reads of an instruction. `reads` counts operands that name a register other than RZ;
// `hits` those found in the reuse cache; `cycles` is the time of the other reads at one register
// per bank and cycle, at least 1.
struct sass_reads {
    int reads, hits, cycles;
};

// Maxwell's rules, as in Scott Gray's assembler maxas: four banks (register mod 4); a register
// named twice is read once; a slot keeps `keep` registers (1 to SASS_MAX_KEEP; two in hardware). A
// register stays until an operand names it again without .reuse or a newer one replaces it; other
// instructions do not affect it. Requires: all but `keep` is initially zero.
enum { SASS_MAX_KEEP = 8 };
struct sass_maxwell_cache {
    int keep;
    int count[3];
    int16_t slot[3][SASS_MAX_KEEP]; // oldest first
};
struct sass_reads sass_maxwell_reads(const struct sass_instruction *instruction,
                                     struct sass_maxwell_cache *cache);
// Like sass_maxwell_reads(), by the H200's rules, those of sass_bank_cycles().
struct sass_reads sass_h200_reads(const struct sass_instruction *instruction,
                                  struct sass_reuse_cache *cache);
