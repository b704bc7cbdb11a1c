// Register-file banks and the reuse cache: where operands come from, and the cycles to read them.
#pragma once

#include "instruction.h"

// The reuse cache of one scheduler; all zeros if it is empty.
struct sass_reuse_cache {
    // [0: FMA, ALU, HALF; 1: FP64][slot A, B, C][bank]: number of the cached register + 1; 0: empty
    int16_t place[2][3][2];
};
// Returns true if the instruction empties the reuse cache: bit 109 (yield) is clear, or it belongs
// to the CBU and is not BAR, NOP or DEPBAR.
bool sass_empties_reuse_cache(const struct sass_instruction *instruction);
// Returns the index of the first instruction after `at` and before `end` that finds operand `role`
// (A to C) of instruction `at` in the reuse cache. Returns `end` if none does, for example because
// the register is written first. Requires: the operand has a reuse flag.
int sass_next_reader(const struct sass_instruction *code, int at, int end, int role);
// Returns true if operand `role` (A to C) gets an outdated value from the reuse cache: an earlier
// instruction flagged the register, which was then written while its entry remained. Requires:
// `before` instructions precede it, `stride` bytes apart (the last 64 are examined).
bool sass_is_stale(const struct sass_instruction *in, size_t stride, size_t before, int role);
// Returns the cycles (at least 1) for reading operands A, B and C by the two-bank rule
// (docs/h200.md): a bank reads one 32-bit register per cycle, and hits in the reuse cache cost
// nothing. Updates the cache. The rule covers pipes up to SASS_PIPE_XU; for others, it returns 1.
int sass_bank_cycles(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
// Sets reads[] to the number of registers that each bank reads, by the rule of sass_bank_cycles().
void sass_bank_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache,
                     int reads[2]);

// Like sass_bank_cycles(), but a bank may be one read behind while the next instruction issues, so
// that neighbouring instructions balance each other. Returns at least sass_pipe_cycles(). Step 00's
// measurements with one and two warps support such a queue.
enum { SASS_BANK_QUEUE = 1 };
struct sass_bank_queue {
    struct sass_reuse_cache cache;
    int behind[2]; // per bank: reads that are not done yet
};
int sass_queue_cycles(const struct sass_instruction *instruction, struct sass_bank_queue *queue);
// Returns the cycles that an instruction occupies its pipe at full rate: 2 for FP64 (16 lanes per
// scheduler) and for FFMA2, FMUL2 and FADD2 (two operations per lane), otherwise 1.
int sass_pipe_cycles(const struct sass_instruction *instruction);

// The operand reads of an instruction. `reads` counts operands that name a register other than RZ.
// `hits` counts those whose register is in the reuse cache. `cycles` (at least 1) is the time of
// the other reads. Past SASS_PIPE_XU (memory, tensor cores ...), `reads` and `hits` are 0.
struct sass_reads {
    int reads, hits, cycles;
};

// Maxwell's rules, as in Scott Gray's assembler maxas. There are four banks (register mod 4). An
// instruction that names a register twice reads it once. Each operand slot (A, B, C) caches `keep`
// registers (1 to SASS_MAX_KEEP; two in hardware). A register leaves its slot when the operand
// names it again without .reuse, or when a newer one replaces it. All but `keep` starts at zero.
enum { SASS_MAX_KEEP = 8 };
struct sass_maxwell_cache {
    int keep;
    int count[3];
    int16_t slot[3][SASS_MAX_KEEP]; // oldest first
};
struct sass_reads sass_maxwell_reads(const struct sass_instruction *instruction,
                                     struct sass_maxwell_cache *cache);
// Like sass_maxwell_reads(), but by the H200's rules (sass_bank_cycles()).
struct sass_reads sass_h200_reads(const struct sass_instruction *instruction,
                                  struct sass_reuse_cache *cache);
