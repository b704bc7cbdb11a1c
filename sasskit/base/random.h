// Random numbers, equal on every platform: splitmix64 (Steele, Lea, Flood, "Fast splittable
// pseudorandom number generators", 2014).
#pragma once

#include <stdint.h>

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t random_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}
static inline uint64_t random_next(uint64_t *state) {
    return random_mix(*state += RANDOM_STEP);
}
