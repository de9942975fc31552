/* Inputs and random numbers, for the two engines that run fuzz targets: driver.c and libFuzzer. */
#ifndef TESTS_FUZZ_MUTATE_H
#define TESTS_FUZZ_MUTATE_H

#include "tests/fuzz/fuzz.h"

struct bytes {
    uint8_t data[FUZZ_ROOM];
    size_t size;
};

uint64_t next_random(uint64_t *state);
/* Below n; 0 if n is 0. Two calls with no order between them would leave inputs to the compiler. */
size_t below(uint64_t *state, size_t n);

/* Replaces n bytes at `at` by others, as far as there is room. */
void replace(struct bytes *b, size_t at, size_t n, const void *with, size_t size);

/* One or more changes to a text, by its tokens, lines and brackets. */
void mutate_text(struct bytes *b, uint64_t *r);

#endif
