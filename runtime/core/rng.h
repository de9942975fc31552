/* The state of a random generator, which determines the numbers that come next. */
#ifndef RUNTIME_RNG_H
#define RUNTIME_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
    uint64_t seed, counter;
    bool ends; /* of the numbers that fill tensors, many are the least or the greatest ones */
};

#endif
