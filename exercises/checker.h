// The parts of build/exercise, which checks exercises. An exercise is a folder of data,
// exercises/NAME; README.md says what its files mean. No text is ever freed: the program is
// short-lived.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LIKE_PRINTF __attribute__((format(printf, 1, 2)))

enum { MAX_WISHES = 64, MAX_FIELDS = 6, MAX_PREDICTIONS = 16 };

// A row "KIND|FIELD|FIELD..." of the file `wishes`: what the checker does or requires. Missing
// fields are "".
struct wish {
    const char *kind, *field[MAX_FIELDS];
};

// A number or word that the reader predicts. `meaning` is the comment above its line in the file
// `prediction`, with the unit.
struct prediction {
    const char *name, *meaning;
};

struct exercise {
    const char *name, *id;      // "04a_lanes_8x4", "04a"
    const char *folder;         // exercises/NAME
    const char *work;           // build/exercises/NAME, for all that is built
    const char *mine;           // the folder of the reader's copy
    const char *base;           // the file that the reader starts from
    const char *source;         // the name of `base` in the reader's copy, "kernel.cu"
    char title[128], level[16]; // `level` is easy, medium or hard
    int minutes;
    bool needs_nvcc;
    struct wish wish[MAX_WISHES];                 // ends with a row without a kind
    struct prediction predicted[MAX_PREDICTIONS]; // ends with a row without a name
};

// --- text.c: text, files and the shell -----------------------------------------------------------
// Prints one line to the standard error and ends the program with status 2.
_Noreturn void die(const char *format, ...) LIKE_PRINTF;
// Returns the formatted text.
char *text_of(const char *format, ...) LIKE_PRINTF;
// Returns the text of a file; NULL if it cannot be read.
char *read_text(const char *format, ...) LIKE_PRINTF;
void write_text(const char *path, const char *text);
bool exists(const char *format, ...) LIKE_PRINTF;
// Runs a command of the shell and returns its exit status.
int run(const char *format, ...) LIKE_PRINTF;
// Like run(), but returns what the command writes to its standard output.
char *output(const char *format, ...) LIKE_PRINTF;
// Returns the line at *text without its newline, and moves *text to the next line; NULL at the end.
char *next_line(char **text);
// Prints Markdown, with its paragraphs broken at 100 columns.
void print_text(const char *text);
void say(const char *format, ...) LIKE_PRINTF; // prints one paragraph of Markdown

// --- exercise.c: the folders ---------------------------------------------------------------------
// Returns all exercises in order; the last row has no name.
struct exercise *exercises_open(void);
// Returns the first row of `wishes` of a kind; NULL if there is none.
const struct wish *find_wish(const struct exercise *e, const char *kind);
// Copies the files that the reader starts from to a folder.
void give(const struct exercise *e, const char *folder);
// Writes a solution to `folder`: "given", "key", or one named in the files `wrong` or `other`. A
// solution without a prediction gets the key's prediction.
void put_solution(const struct exercise *e, const char *which, const char *folder);
// Prints the step.c with which the harness launches the kernel.
void print_step(const struct exercise *e);

// --- predict.c: the reader's predictions ---------------------------------------------------------
struct answer {
    bool is_number;
    double number;
    char text[64]; // the number, or a word without blanks; "" if it was not understood
};
// Reads an answer: "about 1,024/8 bytes" is 128, and "Yes." is Yes.
struct answer understand(const char *text);
// Returns the answer to `name` in the file `prediction` of a folder.
struct answer predicted(const char *folder, const char *name);
// Returns the names of the missing predictions, each followed by `end`: "one=..., two=...".
char *missing_predictions(const struct exercise *e, const char *folder, const char *end);
// Takes predictions from the environment's PREDICT, then asks for the missing ones on a terminal.
void take_predictions(const struct exercise *e);

// --- judge.c -------------------------------------------------------------------------------------
// Checks the solution in a folder, and prints what is right and what is not. Returns true if all is
// right.
bool judge(const struct exercise *e, const char *folder);
// Prints the times of the solution and of the given kernel, by the model of an SM.
void print_model_time(const struct exercise *e);
// Measures the solution on this machine's GPU, if it has one.
void measure(const struct exercise *e);
