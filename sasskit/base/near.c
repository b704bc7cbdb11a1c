// Compares words by edit distance.
#include "near.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_LETTERS = 24 };

// Returns a letter that stands for all that look like it.
static int folded(char c) {
    c = (char)toupper((unsigned char)c);
    return c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
}

static bool same(char a, char b) {
    return folded(a) == folded(b);
}

// Returns how many letters must be inserted, deleted, replaced or swapped with a neighbour to turn
// one word into the other. Requires: neither word has more than MOST_LETTERS letters.
static size_t edits_between(const char *from, size_t length, const char *to, size_t size) {
    size_t cost[MOST_LETTERS + 1][MOST_LETTERS + 1];
    for (size_t k = 0; k <= size; k++) cost[0][k] = k;
    for (size_t a = 1; a <= length; a++) {
        cost[a][0] = a;
        for (size_t k = 1; k <= size; k++) {
            size_t least = cost[a - 1][k - 1] + !same(from[a - 1], to[k - 1]);
            if (cost[a - 1][k] + 1 < least) least = cost[a - 1][k] + 1;
            if (cost[a][k - 1] + 1 < least) least = cost[a][k - 1] + 1;
            const bool swapped =
                a > 1 && k > 1 && same(from[a - 1], to[k - 2]) && same(from[a - 2], to[k - 1]);
            if (swapped && cost[a - 2][k - 2] + 1 < least) least = cost[a - 2][k - 2] + 1;
            cost[a][k] = least;
        }
    }
    return cost[length][size];
}

void near_offer(struct near *near, const char *candidate, size_t size) {
    const size_t length = near->length, far = length < 6 ? 2 : 3;
    if (length > MOST_LETTERS || size > MOST_LETTERS) return;
    const size_t edits = edits_between(near->word, length, candidate, size);
    // FMAA is near FFMA: two letters are wrong, but all are letters of that word
    bool alike = edits == 2 && size == length && length > 3;
    for (size_t a = 0; a < length; a++) alike &= memchr(candidate, near->word[a], size) != NULL;
    if ((edits >= far && !alike) || edits >= length) return;
    size_t common = 0;
    while (common < size && common < length && same(near->word[common], candidate[common]))
        common++;
    const size_t points = ((far - edits) * 2 + (size == length)) * (MOST_LETTERS + 1) + common;
    if (points <= near->points) return;
    near->points = points;
    near->best = candidate;
    near->size = size;
}
