/* Shared by the kinds of stress. */
#ifndef TESTS_STORE_STRESS_H
#define TESTS_STORE_STRESS_H

#include "tests/store/change.h"

struct stress {
    struct runner runner;
    struct changing changing;
    const char *folder; /* all of it is in there */
    size_t used;        /* of the arena, before a round */
    bool failed;
};

void stress_begin(struct stress *s, int units, uint64_t seed);
int stress_end(struct stress *s); /* the status of the program */

int stress_edits(int sequences, int length, int units, uint64_t seed);
int stress_abuse(int rounds, int units, uint64_t seed);

#endif
