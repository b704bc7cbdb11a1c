// Chooses the rows of C that are compared with the reference.
#include "reference.h"

#include <stdlib.h>

struct row_list {
    int64_t *rows;
    int64_t count, room;
    int64_t limit; // number of rows of C
};

static void add(struct row_list *list, int64_t row) {
    if (row >= 0 && row < list->limit && list->count < list->room) list->rows[list->count++] = row;
}

static int compare(const void *left, const void *right) {
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void sort_and_drop_doubles(struct row_list *list) {
    int64_t kept = 0;
    qsort(list->rows, (size_t)list->count, sizeof *list->rows, compare);
    for (int64_t i = 0; i < list->count; i++) {
        if (i == 0 || list->rows[i] != list->rows[kept - 1]) list->rows[kept++] = list->rows[i];
    }
    list->count = kept;
}

// Adds the rows on both sides of four edges of tiles: the first tile's end, the starts of a middle
// and of the last tile, and row 65,535 * tile. There a second launch begins, because CUDA allows
// 65,535 blocks along y.
static void add_tile_edges(struct row_list *list, int64_t tile) {
    const int64_t last = (list->limit - 1) / tile;
    const int64_t tiles[] = {1, last / 2, last, 65535};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        add(list, tiles[i] * tile - 1);
        add(list, tiles[i] * tile);
    }
}

int64_t *choose_rows(const struct row_choice *choice, int64_t *count) {
    struct row_list list = {.limit = choice->rows,
                            .room = 2 * choice->wanted + 8 * choice->tile_count + 2};
    const bool all = choice->wanted >= choice->rows;
    if (all) list.room = choice->rows;
    list.rows = malloc(((size_t)list.room + 1) * sizeof *list.rows);
    if (!list.rows) return NULL;
    if (all) {
        for (int64_t row = 0; row < choice->rows; row++) add(&list, row);
    } else {
        add(&list, 0);
        add(&list, choice->rows - 1);
        for (int i = 0; i < choice->tile_count; i++) add_tile_edges(&list, choice->tile_rows[i]);
        sort_and_drop_doubles(&list);
    }
    uint64_t state = choice->seed;
    while (!all && list.count < choice->wanted) {
        const int64_t missing = choice->wanted - list.count;
        for (int64_t i = 0; i < missing; i++) {
            // the generator of Knuth's MMIX
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            add(&list, (int64_t)((state >> 20) % (uint64_t)choice->rows));
        }
        sort_and_drop_doubles(&list);
    }
    *count = list.count;
    return list.rows;
}
