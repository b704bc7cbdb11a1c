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

// Producers and readers that keep the same distances (distances.def); where a family has no own, its pipe's.
enum sass_producer {
#define PRODUCER(id) FROM_##id,
#include "distances.def"
#undef PRODUCER
    PRODUCERS
};
enum sass_reader {
#define READER(id) TO_##id,
#include "distances.def"
#undef READER
    READERS
};
enum sass_predicate {
#define PREDICATE_PRODUCER(id) BY_##id,
#include "distances.def"
#undef PREDICATE_PRODUCER
    PREDICATE_PRODUCERS
};
enum sass_predicate_reader {
    TO_GUARD,      // a vote, a branch
    TO_SOURCE,     // a carry, a selection, a comparison
    TO_OTHER_PIPE, // such a source in the FMA or FP64 pipe, where the producer is in another
    PREDICATE_READERS
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
