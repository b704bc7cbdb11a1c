// How far apart a fixed-latency producer and its reader must be.
//
// Source: the smallest distances in 23,000 instructions of nvcc 13.0 for sm_90 (this course's kernels and the probes of
// tests), by producer and by the reader's pipe. ptxas may know a shorter one that did not occur.
#include "sass.h"

enum { ANY_PIPE = SASS_PIPE_COUNT, GUARD_DISTANCE = 13 };

// The first row that fits counts. OPCODE_ANY: every opcode of the pipe.
static const struct {
    int producer; // enum sass_opcode, or -1 - pipe for a whole pipe
    int reader;   // enum sass_pipe
    uint8_t cycles;
} rows[] = {
    {SASS_IMAD, SASS_PIPE_FMA, 2},
    {SASS_IMAD, ANY_PIPE, 3},
    {SASS_IMAD_WIDE, SASS_PIPE_ALU, 3},
    {SASS_MOV, SASS_PIPE_FMA, 3},
    {SASS_SEL, SASS_PIPE_FMA, 3},
    {SASS_LEA, SASS_PIPE_FMA, 3},
    {SASS_SHF, SASS_PIPE_FMA, 3},
    {SASS_ISETP, SASS_PIPE_ALU, 2},
    {SASS_HFMA2_MMA, ANY_PIPE, 6},
    {SASS_R2UR, ANY_PIPE, 12},
    {SASS_ULDC, ANY_PIPE, 2},
    {SASS_UMOV, ANY_PIPE, 2},
    {-1 - SASS_PIPE_UNIFORM, SASS_PIPE_UNIFORM, 4},
    {-1 - SASS_PIPE_UNIFORM, ANY_PIPE, 6},
    {-1 - SASS_PIPE_FP64, SASS_PIPE_FP64, 6},
    {-1 - SASS_PIPE_FP64, SASS_PIPE_XU, 6},
    {-1 - SASS_PIPE_FP64, SASS_PIPE_ALU, 6},
    {-1 - SASS_PIPE_FP64, ANY_PIPE, 7},
};

int sass_distance(const struct sass_instruction *producer, const struct sass_instruction *consumer,
                  const struct sass_touch *read) {
    const int opcode = (int)producer->form->opcode, pipe = -1 - (int)producer->form->pipe;
    if (!producer->form->latency) return 0;
    if (read->predicate && read->role == 0 && !read->uniform) return GUARD_DISTANCE;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const bool made = rows[i].producer == opcode || rows[i].producer == pipe;
        const bool meets = rows[i].reader == ANY_PIPE || rows[i].reader == (int)consumer->form->pipe;
        if (made && meets) {
            const bool arithmetic = opcode != SASS_DSETP && opcode >= SASS_DMUL && opcode <= SASS_DFMA;
            return arithmetic && consumer->form->pipe == SASS_PIPE_FP64 ? producer->form->latency : rows[i].cycles;
        }
    }
    return producer->form->latency;
}
