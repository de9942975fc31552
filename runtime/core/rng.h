/* The state of a random generator, which determines the numbers that come next. */
#ifndef RUNTIME_RNG_H
#define RUNTIME_RNG_H

#include <stdint.h>

struct rng {
    uint64_t seed, counter;
};

#endif
