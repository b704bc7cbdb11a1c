// Register-file banks and the reuse cache: where operands come from and how many cycles that takes.
#pragma once

#include "instruction.h"

// Cycles for reading operand slots A, B, C from the register file, at least 1, by the two-bank rule
// (docs, h200.md): one 32-bit read per bank and cycle; hits in the slot's reuse cache are free.
struct sass_reuse_cache {   // initially zeros
    int16_t place[2][3][2]; // [FP64 or not][slot][bank]: register + 1; 0 if there is none
};
bool sass_empties_reuse_cache(const struct sass_instruction *instruction);
// Returns the first instruction before `end` that hits the reuse-cache entry of this operand (a
// role, A to C) of the instruction at `at`, which must be flagged. Returns `end` if none does, or
// if the register is written first.
int sass_next_reader(const struct sass_instruction *code, int at, int end, int role);
// Returns true if the reuse cache gives this operand (a role, A to C) an outdated value: an earlier
// instruction flagged its register, which was then written while the entry remained (banks.c).
// Requires: `before` instructions precede this one, `stride` bytes apart.
bool sass_is_stale(const struct sass_instruction *in, size_t stride, size_t before, int role);
int sass_bank_cycles(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
// Sets the number of registers that each bank reads, by the rule of sass_bank_cycles().
void sass_bank_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache, int reads[2]);

// Like sass_bank_cycles(), with the banks as queues: issue continues while a bank is one read
// behind, so that adjacent instructions balance each other. Step 00's rows of one and two warps
// support such a queue.
enum { SASS_BANK_QUEUE = 1 };
struct sass_bank_queue {
    struct sass_reuse_cache cache;
    int behind[2]; // queued reads per bank
};
int sass_queue_cycles(const struct sass_instruction *instruction, struct sass_bank_queue *queue);
// Returns the cycles that an instruction occupies its pipe at full rate: 2 for FP64 (16 lanes per
// scheduler) and for FFMA2 and its like (two operations per lane), otherwise 1.
int sass_pipe_cycles(const struct sass_instruction *instruction);

// Where an instruction's operands come from. reads: operands that name a register other than RZ;
// hits: those found in the reuse cache; cycles: those of the other reads at one register per bank
// and cycle, at least 1.
struct sass_reads {
    int reads, hits, cycles;
};

// Maxwell's rules, as in Scott Gray's assembler maxas: four banks (register mod 4); a register
// named twice is read once; a slot keeps `keep` registers (1 to SASS_MAX_KEEP; two in hardware). A
// register stays until an operand names it again without .reuse or a newer one replaces it; other
// instructions do not affect it. Requires: the cache is initially zeros.
enum { SASS_MAX_KEEP = 8 };
struct sass_maxwell_cache {
    int keep;
    int count[3];
    int16_t slot[3][SASS_MAX_KEEP]; // oldest first
};
struct sass_reads sass_maxwell_reads(const struct sass_instruction *instruction, struct sass_maxwell_cache *cache);
// The H200's rules, by sass_bank_cycles().
struct sass_reads sass_h200_reads(const struct sass_instruction *instruction, struct sass_reuse_cache *cache);
