// Reads the recorded streams of a block's warps (sim/observer.h), and cuts iterations out of their
// long loops.
#pragma once

#include "parts.h"

// Iterates over the instructions of a warp's recorded stream.
struct stream_reader {
    const uint32_t *at, *end;
    // `next` is NULL if the next word of the stream names the next instruction
    const struct instruction *instruction, *next;
    const uint32_t *word; // the `words` words that follow the instruction's event word
    uint32_t words;
};
// Moves to the next instruction; returns false at the end of the stream.
bool stream_next(const struct sm *sm, struct stream_reader *r);

// Shortens the streams of a block's warps to about `most` warp instructions in all: cuts iterations
// out of the loop that they repeat most often. Marks the cut, and the window of iterations before
// it, whose time warp.c measures. Cuts only if all warps repeat the same loop equally often and use
// neither mbarriers (a wait counts arrivals from the block's start) nor bulk copies. Sets *left_out
// to the number of warp instructions that were cut. Returns false if the host has too little
// memory.
bool stream_shorten(const struct sm *sm, struct sim_stream *stream, uint32_t warps, double most,
                    double *left_out);
