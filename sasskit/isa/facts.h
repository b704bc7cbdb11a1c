// What is true of an instruction family whatever the form: the FACTS of opcodes.def.
#pragma once

#include "latency.h"

// How many registers a result or a source has.
enum sass_width {
    SINGLE,
    PAIR,
    PAIR_C,         // the addend alone
    PAIR_IF_WIDE,   // .64
    PAIR_BY_TYPE,   // of a conversion to 64 bits
    PAIR_BY_SOURCE, // from 64 bits
    BY_SIZE,        // U8 S8 U16 S16 32 64 128
    BY_POWER,       // 1, 2, 4
    BY_ATOM,
    TEXEL,
    QUAD,
    OCTET,       // of 256 bits, the words of its half that are asked for
    PAIR_OR_BOTH // of F32x2: one register stands for both (.F32)
};

// Producers and readers that keep the same distances (latency.c); where a family has no own, its pipe's.
enum sass_producer {
    FROM_ALU,
    FROM_FMA,
    FROM_HALF,
    FROM_FP64, // HFMA2.MMA too, but before sm_90 a half's
    FROM_CS2R,
    FROM_WIDE,
    FROM_UNIFORM,
    FROM_QUICK,
    FROM_R2UR,
    FROM_MATRIX,       // HMMA: 8 k's of TF32, 16 of FP16 and BF16; no experiment, what nvcc leaves
    FROM_SHORT_MATRIX, // half as many
    FROM_SMALL_MATRIX, // 8 rows, IMMA and BMMA
    PRODUCERS
};
enum sass_reader {
    TO_ADDRESS, // of memory, where no other row says so
    TO_ALU,
    TO_FMA, // VIADD too
    TO_HALF,
    TO_FP64,
    TO_ADDEND, // of IMAD.WIDE and IMAD.HI
    TO_SLOW,   // MUFU, conversions, bit counts
    TO_STORE,  // address of STS
    TO_LOAD,   // address of LDG
    TO_INDEX,  // of LDC
    TO_DATA,   // of STS and STG; SHFL
    TO_REDUX,
    TO_R2UR,
    TO_BRANCH, // and textures
    TO_UNIFORM,
    TO_UMOV,
    TO_MATRIX,
    READERS
};

struct sass_facts {
    uint8_t result, source; // enum sass_width
    uint8_t from, to;       // enum sass_producer, enum sass_reader
    uint8_t unit;           // enum sass_unit
    bool late;              // its registers may be read long after issue
    bool memory;            // load, store, atomic, copy of each lane
    bool load;              // a plain one
    bool shared;            // its addresses are of shared or local memory
    bool atomic;            // in device memory or at a generic address, with a result or without
    bool meets;             // at barriers in shared memory: who arrives, who waits, copies that they count
    bool floating, integer; // what the signs of operands are, though those of its pipe are not
    bool halves;            // operands are two halves
    bool selects;           // each bit of the result is one of its sources', or none
};
extern const struct sass_facts sass_facts[SASS_OPCODE_COUNT];

static inline const struct sass_facts *sass_facts_of(const struct sass_instruction *in) {
    return &sass_facts[in->form->opcode];
}
