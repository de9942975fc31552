/* Random kernels. The generator is Philox 4x32-10: a block of four 32-bit numbers is a function of
 * seed and block number alone, so element i of a result depends on seed, counter and i and on
 * nothing else, on any number of threads.
 *
 * Results are contiguous. An op uses random_blocks(n, width) blocks from rng.counter on. */
#ifndef RUNTIME_RANDOM_H
#define RUNTIME_RANDOM_H

#include "runtime/core/rng.h"
#include "runtime/kernels/view.h"

/* Blocks that n elements of so many 32-bit numbers each take: width 1 (f32, ranges below 2^32)
 * or 2. */
static inline uint64_t random_blocks(int64_t n, int width)
{
    uint64_t a_block = 4 / (uint64_t)width;
    return ((uint64_t)n + a_block - 1) / a_block;
}

struct random_kernels {
    /* low <= x < high, out f32 (width 1) or f64 (width 2). bits: how many of a random number are
     * used, 8 to 24 in f32, so that a half that will hold the result need not round. */
    void (*uniform)(const struct view *out, double low, double high, int bits, struct rng rng);
    /* out f32 (width 1) or f64 (width 2) */
    void (*normal)(const struct view *out, double mean, double std, struct rng rng);
    /* low + one of 0 … range - 1; out bool, an integer, f32 or f64. Width 1 if range < 2^32,
     * else 2. */
    void (*integers)(const struct view *out, int64_t low, uint64_t range, struct rng rng);
    /* 1 with probability p[i], else 0; both f32 (width 1) or f64 (width 2). False if one of them is
     * not within 0 … 1. */
    bool (*bernoulli)(const struct view *out, const struct view *p, struct rng rng);
    /* x / (1 - p) with probability 1 - p, else 0; 0 < p < 1; both f32 or f64. Width 1. */
    void (*dropout)(const struct view *out, const struct view *x, double p, struct rng rng);
    /* 0 … n - 1 in random order; out i64. Width 2. */
    void (*permutation)(const struct view *out, struct rng rng);
    /* out (rows, samples) i64: categories drawn by the weights (rows, categories) f64, which are
     * overwritten. Width 2: a number for each sample, or without replacement for each category.
     * Returns what is wrong with the weights, or NULL. */
    const char *(*multinomial)(const struct view *out, const struct view *weights, bool replacement,
                               struct rng rng);
};

extern const struct random_kernels cpu_random;

/* The generator, for the files of this family. Fills out with the 4 · blocks numbers of the blocks
 * from first on. */
void philox_fill(uint64_t seed, uint64_t first, uint32_t *out, int64_t blocks);
/* Natural logarithm of 0 < u <= 1. */
double random_log(double u);
/* Parts of cpu_random that are in draw.c. */
void cpu_permutation(const struct view *out, struct rng rng);
const char *cpu_multinomial(const struct view *out, const struct view *weights, bool replacement,
                            struct rng rng);

#endif
