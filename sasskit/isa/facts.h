// The properties of an instruction family that its encodings share: the FACTS of opcodes.def.
#pragma once

#include "latency.h"

// How many registers a result or a source takes.
enum sass_width {
    SINGLE,
    PAIR,
    PAIR_C,         // a pair for the addend only
    PAIR_IF_WIDE,   // a pair unless .32
    PAIR_BY_TYPE,   // a pair in a conversion to 64 bits
    PAIR_BY_SOURCE, // a pair in a conversion from 64 bits
    BY_SIZE,        // by the modifier `size`: U8 S8 U16 S16 32 64 128
    BY_POWER,       // 2 to the power of the modifier `size`: 1, 2 or 4
    BY_ATOM,        // by the type of an atomic
    TEXEL,          // by the number of channels of a texture fetch
    QUAD,
    OCTET,       // the requested words of one half of a 256-bit load
    PAIR_OR_BOTH // F32x2: a pair, or with .F32 one register for both numbers
};

// Kinds of producers and readers. Instructions of one kind have equal distances (distances.def). A
// family whose facts name no kind has the kind of its pipe.
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
    TO_GUARD,      // a guard, or an operand of a vote, branch, memory or texture instruction
    TO_SOURCE,     // any other operand, such as a carry or a condition
    TO_OTHER_PIPE, // such an operand in the FMA or FP64 pipe, if the producer's pipe is another
    PREDICATE_READERS
};

struct sass_facts {
    uint8_t result, source; // enum sass_width
    uint8_t from, to;       // enum sass_producer, enum sass_reader
    uint8_t unit;           // enum sass_unit
    bool late;              // true if it may read its registers long after issue
    bool memory;            // true for a load, store, atomic or LDGSTS with an address per lane
    bool load;              // true for a load; false for atomics and copies
    bool shared;            // true if the address is in shared or local memory
    bool atomic;            // true for an atomic or RED in device memory or at a generic address
    bool mbarrier;          // true for an arrival, a wait, or a copy that signals an mbarrier
    bool floating, integer; // true if -x and |x| act on this type, unlike the pipe's usual one
    bool halves;            // true if each operand is a pair of 16-bit floats
    bool selects;           // true if a bit of the result depends on at most one bit of each source
};
extern const struct sass_facts sass_facts[SASS_OPCODE_COUNT];

static inline const struct sass_facts *sass_facts_of(const struct sass_instruction *in) {
    return &sass_facts[in->form->opcode];
}
