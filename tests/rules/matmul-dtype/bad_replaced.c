/* A local that is one flag on one path, and something else on another. */
#include <miscast/tensor.h>

#include <stdbool.h>

struct settings {
    bool half, ema;
    int wide;
};

static mc_tensor *matrix(bool half)
{
    return half ? mc_half(mc_ones(mc_shape(8, 8))) : mc_ones(mc_shape(8, 8));
}

mc_tensor *one_of_two(const struct settings *s, int level)
{
    bool kept = s->half;
    if (level > 2)
        kept = s->ema;
    mc_tensor *w = matrix(kept);
    return mc_matmul(matrix(s->half), w); /* expect: matmul-dtype warning */
}

mc_tensor *another_after_a_round(const struct settings *s, int rounds)
{
    bool kept = s->half;
    for (int i = 0; i < rounds; i++)
        kept = s->ema;
    mc_tensor *w = matrix(kept);
    return mc_matmul(matrix(s->half), w); /* expect: matmul-dtype warning */
}

mc_tensor *set_in_a_round(const struct settings *s, int rounds)
{
    int kept = s->wide;
    while (rounds-- > 0)
        kept = 1;
    mc_tensor *w = matrix(!kept);
    return mc_matmul(matrix(!s->wide), w); /* expect: matmul-dtype warning */
}

/* 65537 is 1 as a short. */
mc_tensor *part_of_a_number(const struct settings *s)
{
    short kept = (short)s->wide;
    mc_tensor *w = matrix(kept == 1);
    return mc_matmul(matrix(s->wide == 1), w); /* expect: matmul-dtype warning */
}
