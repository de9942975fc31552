/* Random numbers: the shadow has the same ones. */
#include "runtime/shadow/kernels.h"
#include "runtime/shadow/pass.h"

static void shadow_uniform(const struct view *out, double low, double high, int bits,
                           struct rng rng)
{
    PASS(p);
    pass_write(&p, out);
    pass_before(&p)->random->uniform(out, low, high, bits, rng);
    pass_real(&p);
}

static void shadow_normal(const struct view *out, double mean, double std, struct rng rng)
{
    PASS(p);
    pass_write(&p, out);
    pass_before(&p)->random->normal(out, mean, std, rng);
    pass_real(&p);
}

static void shadow_integers(const struct view *out, int64_t low, uint64_t range, struct rng rng)
{
    PASS(p);
    pass_write(&p, out);
    pass_before(&p)->random->integers(out, low, range, rng);
    pass_real(&p);
}

static bool shadow_bernoulli(const struct view *out, const struct view *chance, struct rng rng)
{
    PASS(p);
    pass_write(&p, out);
    bool done = pass_before(&p)->random->bernoulli(out, chance, rng);
    pass_real(&p);
    return done;
}

static void shadow_dropout(const struct view *out, const struct view *x, double chance,
                           struct rng rng)
{
    PASS(p);
    struct view *y = pass_write(&p, out), *from = pass_read(&p, x);
    pass_before(&p)->random->dropout(out, x, chance, rng);
    while (pass_next(&p))
        cpu_random.dropout(y, from, chance, rng);
}

static void shadow_permutation(const struct view *out, struct rng rng)
{
    PASS(p);
    pass_write(&p, out);
    pass_before(&p)->random->permutation(out, rng);
    pass_real(&p);
}

static const char *shadow_multinomial(const struct view *out, const struct view *weights,
                                      bool replacement, struct rng rng)
{
    PASS(p);
    pass_write(&p, out);
    pass_lets(&p, pass_follow(&p, weights));
    const char *wrong = pass_before(&p)->random->multinomial(out, weights, replacement, rng);
    pass_real(&p);
    return wrong;
}

const struct random_kernels shadow_random = {
    .uniform = shadow_uniform,
    .normal = shadow_normal,
    .integers = shadow_integers,
    .bernoulli = shadow_bernoulli,
    .dropout = shadow_dropout,
    .permutation = shadow_permutation,
    .multinomial = shadow_multinomial,
};
