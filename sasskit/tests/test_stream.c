// Tests stream_shorten(), which cuts iterations out of the long loops that a warp's stream records.
#include "model/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A warp's code: LOOP to BACK are a loop with a load. TILE ends a tile and branches to LOOP or END.
enum { BEGIN, LOOP, LOAD, BACK, TILE, END, CODE };
static struct instruction code[CODE];
static struct sm_result result = {.count = CODE};
static struct sm sm = {.code = code, .result = &result};

static void set_up(enum kind load) {
    memset(code, 0, sizeof code);
    for (int i = 0; i < CODE; i++) code[i].unit = UNIT_CONTROL, code[i].kind = KIND_PLAIN;
    code[LOAD] = (struct instruction){.unit = UNIT_MEMORY, .kind = (uint8_t)load, .observed = true};
    code[BEGIN].control = code[BACK].control = code[TILE].control = code[END].control = true;
}

static void put(struct sim_stream *s, uint32_t word) {
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        s->word = realloc(s->word, s->capacity * sizeof *s->word);
        assert_non_null(s->word);
    }
    s->word[s->count++] = word;
}

// Records `tiles` tiles of `iterations` iterations each. An iteration is two words
// (sim/observer.h): the index LOOP, and 1 for a load that ran and accessed no lines.
static struct sim_stream recorded(uint32_t tiles, uint32_t iterations) {
    struct sim_stream s = {0};
    put(&s, BEGIN);
    for (uint32_t t = 0; t < tiles; t++) {
        for (uint32_t i = 0; i < iterations; i++) put(&s, LOOP), put(&s, 1);
        put(&s, TILE);
    }
    put(&s, END);
    return s;
}

struct seen {
    uint32_t instructions, loads, windows, window, cuts, left_out;
};
static struct seen read_all(const struct sim_stream *s) {
    struct seen seen = {0};
    struct sim_stream plain = {0};
    for (size_t i = 0; i < s->count; i++) {
        const uint32_t word = s->word[i], count = word & (STREAM_CUT - 1);
        if (!(word & STREAM_MARK)) {
            put(&plain, word);
        } else if (word & STREAM_CUT) {
            seen.cuts++;
            seen.left_out += count;
        } else {
            seen.windows++;
            seen.window += count;
        }
    }
    struct stream_reader r = {.at = plain.word, .end = plain.word + plain.count};
    for (; stream_next(&sm, &r); seen.instructions++) seen.loads += r.instruction == &code[LOAD];
    free(plain.word);
    return seen;
}

static void the_middle_of_each_row_of_iterations_is_cut(void **state) {
    struct sim_stream s[2] = {recorded(3, 1000), recorded(3, 1000)};
    double left_out;
    set_up(KIND_LOAD);
    assert_true(stream_shorten(&sm, s, 2, 2000, &left_out));
    for (int w = 0; w < 2; w++) {
        const struct seen seen = read_all(&s[w]);
        assert_int_equal(seen.cuts, 3);
        assert_int_equal(seen.windows, 3);
        assert_int_equal(seen.loads + seen.left_out, 3000); // each iteration stays or is left out
        assert_int_equal(seen.left_out % 12, 0);
        assert_int_equal(seen.instructions, 3 * seen.loads + 5);
        assert_in_range(seen.instructions, 800, 1200);
        assert_true(left_out == 2.0 * (3 * 3001 + 2 - seen.instructions));
        free(s[w].word);
    }
}

// The window stays. It is the 12 or more iterations before the cut; the model measures their time.
static void a_window_stays(void **state) {
    struct sim_stream s = recorded(1, 1000);
    double left_out;
    set_up(KIND_LOAD);
    assert_true(stream_shorten(&sm, &s, 1, 1, &left_out));
    const struct seen seen = read_all(&s);
    assert_in_range(seen.window, 12, 24);
    assert_in_range(seen.loads, 24, 36);
    free(s.word);
}

static void what_cannot_be_cut_stays_whole(void **state) {
    // The rows: two warps with different loops; a loop that waits at an mbarrier, where the record
    // counts arrivals from the start; a short loop.
    static const struct {
        uint32_t one, other;
        enum kind load;
    } rows[] = {{1000, 900, KIND_LOAD}, {1000, 1000, KIND_MBARRIER_WAIT}, {20, 20, KIND_LOAD}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_stream s[2] = {recorded(1, rows[i].one), recorded(1, rows[i].other)};
        const size_t before[2] = {s[0].count, s[1].count};
        double left_out;
        set_up(rows[i].load);
        assert_true(stream_shorten(&sm, s, 2, 10, &left_out));
        for (int w = 0; w < 2; w++) {
            assert_int_equal(s[w].count, before[w]);
            assert_int_equal(read_all(&s[w]).cuts, 0);
            free(s[w].word);
        }
        assert_true(left_out == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_of_each_row_of_iterations_is_cut),
        cmocka_unit_test(a_window_stays),
        cmocka_unit_test(what_cannot_be_cut_stays_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
