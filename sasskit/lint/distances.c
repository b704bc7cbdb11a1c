// Measures the distances that a compiler keeps in machine code (sasskit/docs/distances.md). Walks
// each kernel in the order of addresses. Code can run past a label, so the compiler allows every
// distance that is found across labels, too. Nothing is known after a call, an unknown instruction,
// or a jump or exit that is always taken.
#include "distances.h"
#include "isa/codec.h"

#include "isa/arena.h"
#include "isa/chip.h"
#include "isa/facts.h"

#include <string.h>

enum { FILES = 4, REGISTERS = 256, FAR = 40 }; // distances above FAR cycles are ignored

struct last_writer {
    bool set;
    int64_t issued;
    size_t at;
    struct sass_instruction in;
};

// A row of the CSV: all pairs of a producer and a reader that are of one kind. result_word and
// operand_word are the index of the register within the result and within the operand.
struct distance_pair {
    const struct sass_form *producer, *reader;
    int role, result_word, operand_word;
    bool uniform, predicate;
    struct sass_pair classes;
    int least, seen, at_least, required;
    const char *kernel; // kernel in which a pair has the least distance
    size_t producer_at, reader_at;
};

struct distance_walk {
    struct arena memory;
    struct distance_pair *pairs;
    size_t count, capacity;
    struct last_writer last[FILES][REGISTERS];
    const struct sass_kernel *kernel;
    size_t at;
    int64_t clock;
    // issue cycle of the last instruction that waited, and of the last that held back its successor
    int64_t waited, held;
};

#define PRODUCER(id) #id,
static const char *const producer_names[] = {
#include "isa/distances.def"
};
#undef PRODUCER
#define READER(id) #id,
static const char *const reader_names[] = {
#include "isa/distances.def"
};
#undef READER
#define PREDICATE_PRODUCER(id) "PREDICATE_" #id,
static const char *const predicate_names[] = {
#include "isa/distances.def"
};
#undef PREDICATE_PRODUCER
static const char *const predicate_reader_names[] = {"GUARD", "SOURCE", "OTHER_PIPE"};
_Static_assert(sizeof predicate_reader_names / sizeof(char *) == PREDICATE_READERS,
               "a name for each");

// Returns true for IMAD.MOV, which compilers treat unlike other IMADs.
static bool is_move(const struct sass_form *form) {
    return form->opcode == SASS_IMAD && strstr(form->mnemonic, ".MOV");
}

static bool is_alike(const struct sass_form *a, const struct sass_form *b) {
    return a->opcode == b->opcode && a->pipe == b->pipe && is_move(a) == is_move(b);
}

static struct distance_pair *find(struct distance_walk *walk, const struct distance_pair *like) {
    for (size_t i = 0; i < walk->count; i++) {
        struct distance_pair *p = &walk->pairs[i];
        if (is_alike(p->producer, like->producer) && is_alike(p->reader, like->reader) &&
            p->role == like->role && p->uniform == like->uniform &&
            p->predicate == like->predicate && p->result_word == like->result_word &&
            p->operand_word == like->operand_word && p->required == like->required &&
            p->classes.from == like->classes.from && p->classes.to == like->classes.to)
            return p;
    }
    if (walk->count == walk->capacity) {
        struct distance_pair *more;
        walk->capacity = walk->capacity ? 2 * walk->capacity : 1024;
        ARENA_NEW(&walk->memory, more, walk->capacity);
        if (walk->count) memcpy(more, walk->pairs, walk->count * sizeof *more);
        walk->pairs = more;
    }
    walk->pairs[walk->count] = *like;
    walk->pairs[walk->count].least = FAR + 1;
    return &walk->pairs[walk->count++];
}

static void note_read(struct distance_walk *walk, const struct sass_instruction *in,
                      const struct sass_touch *read, int i) {
    const int number = read->first + i;
    const struct last_writer *from = &walk->last[read->uniform + 2 * read->predicate][number];
    const int64_t distance = walk->clock - from->issued;
    if (!from->set || distance > FAR || walk->waited > from->issued || walk->held >= from->issued)
        return;
    const int word = number - from->in.operand[SASS_D].number,
              guess = sass_guessed_distance(&from->in, in, read);
    const struct distance_pair like = {
        .producer = from->in.form,
        .reader = in->form,
        .role = read->role,
        .result_word = read->predicate || word < 0 || word > 3 ? 0 : word,
        .operand_word = i,
        .uniform = read->uniform,
        .predicate = read->predicate,
        .classes = sass_pair(&from->in, in, read),
        .required = guess ? -guess : sass_distance(&from->in, in, read)};
    struct distance_pair *pair = find(walk, &like);
    pair->seen++;
    if (distance < pair->least) {
        pair->least = (int)distance;
        pair->at_least = 0;
        pair->kernel = walk->kernel->name;
        pair->producer_at = from->at;
        pair->reader_at = walk->at;
    }
    pair->at_least += distance == pair->least;
}

static void note_write(struct distance_walk *walk, const struct sass_instruction *in,
                       const struct sass_touch *write, int i) {
    struct last_writer *to = &walk->last[write->uniform + 2 * write->predicate][write->first + i];
    *to = (struct last_writer){in->form->latency && !sass_is_variable(in), walk->clock, walk->at,
                               *in};
}

static void step(struct distance_walk *walk, const struct sass_instruction *in) {
    struct sass_touch touches[SASS_MAX_TOUCHES];
    const int count = sass_touches(in, touches);
    if (in->control.wait) walk->waited = walk->clock;
    for (int write = 0; write < 2; write++) {
        for (int t = 0; t < count; t++) {
            for (int i = 0; touches[t].write == write && i < touches[t].count; i++)
                (write ? note_write : note_read)(walk, in, &touches[t], i);
        }
    }
    if (sass_holds_back(in)) walk->held = walk->clock;
    walk->clock += sass_cycles(in);
}

static bool leads_on(const struct sass_instruction *in) {
    const enum sass_opcode opcode = in->form->opcode;
    const bool leaves = opcode == SASS_BRA || opcode == SASS_EXIT || opcode == SASS_RET ||
                        opcode == SASS_BRX || opcode == SASS_CALL;
    return !leaves || (opcode != SASS_CALL && !sass_always(in));
}

static void forget(struct distance_walk *walk) {
    memset(walk->last, 0, sizeof walk->last);
}

static void walk_kernel(struct distance_walk *walk, const struct sass_kernel *kernel) {
    forget(walk);
    walk->clock += 2 * FAR;
    for (size_t i = 0; i < kernel->count; i++) {
        struct sass_instruction in;
        struct error error = {0};
        walk->kernel = kernel;
        walk->at = i;
        const bool known = sass_decode(cubin_word(kernel, i), i * SASS_BYTES, &in, &error);
        if (known) step(walk, &in);
        if (!known || !leads_on(&in)) forget(walk);
    }
}

static void print_pair(FILE *out, const char *chip, const struct distance_pair *p) {
    static const char *const roles[] = {"D",  "E", "PU", "PV", "A", "B", "C", "PP",   "PQ",
                                        "PR", "M", "S",  "T",  "I", "J", "X", "guard"};
    _Static_assert(sizeof roles / sizeof *roles == SASS_GUARD + 1, "a name for each role");
    fprintf(out, "%s,%s%s,%s%s,%s%s:%s,%d,%d,%d,%d,%d,%s,%s,%d,%s,%zu,%zu\n", chip,
            sass_opcode_name(p->producer->opcode), is_move(p->producer) ? "_MOV" : "",
            sass_opcode_name(p->reader->opcode), is_move(p->reader) ? "_MOV" : "",
            p->uniform ? "U" : "", p->predicate ? "P" : "R", roles[p->role], p->result_word,
            p->operand_word, p->least, p->seen, p->at_least,
            p->predicate ? predicate_names[p->classes.from] : producer_names[p->classes.from],
            p->predicate ? predicate_reader_names[p->classes.to] : reader_names[p->classes.to],
            p->required, p->kernel, p->producer_at, p->reader_at);
}

void distances_print(FILE *out, const struct sass_cubin *cubin) {
    struct arena memory = {0};
    struct distance_walk *walk;
    ARENA_NEW(&memory, walk, 1);
    walk->waited = walk->held = -1;
    for (int i = 0; i < cubin->kernel_count; i++) walk_kernel(walk, &cubin->kernels[i]);
    fprintf(out, "sm,producer,reader,operand,word_of_result,word_of_operand,least,seen,at_least,"
                 "from,to,asked,kernel,"
                 "producer_at,reader_at\n");
    for (size_t i = 0; i < walk->count; i++)
        print_pair(out, cubin->chip->name + strlen("sm_"), &walk->pairs[i]);
    arena_clear(&walk->memory);
    arena_clear(&memory);
}
