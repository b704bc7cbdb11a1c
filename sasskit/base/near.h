// Finds the word that a misspelt word probably stands for.
#pragma once

#include <stddef.h>

struct near {
    const char *word;
    size_t length;
    const char *best; // NULL if no candidate is close
    size_t size;      // its number of letters
    size_t points;    // similarity of the word and `best`
};

// Offers the first `size` letters of a candidate. A candidate is close if few letters must be
// inserted, deleted, replaced or swapped with a neighbour, letters that look alike being equal.
// Among close ones the order is: fewest such edits, equal length, longest common prefix.
void near_offer(struct near *near, const char *candidate, size_t size);
