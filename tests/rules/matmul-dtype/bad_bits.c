/* Another bit, the same of another number, or one that was changed between. */
#include <miscast/tensor.h>

enum { HALF = 1, WIDE = 2, DEEP = 4, KIND = WIDE | DEEP };

unsigned ask(void);

static mc_tensor *matrix(bool half)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    return half ? mc_half(w) : w;
}

mc_tensor *another(int flags)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = mc_ones(mc_shape(4, 4));
    if (flags & HALF)
        x = mc_half(x);
    if (flags & WIDE)
        w = mc_half(w);
    return mc_matmul(x, w); /* expect: matmul-dtype warning */
}

mc_tensor *not_that(int flags)
{
    mc_tensor *w = matrix(flags & HALF);
    return mc_matmul(matrix(!(flags & HALF)), w); /* expect: matmul-dtype error */
}

mc_tensor *set_between(unsigned flags)
{
    mc_tensor *w = matrix(flags & HALF);
    flags |= HALF;
    return mc_matmul(matrix(flags & HALF), w); /* expect: matmul-dtype warning */
}

mc_tensor *cleared_between(unsigned flags)
{
    mc_tensor *w = matrix(flags & HALF);
    flags &= ~(unsigned)HALF;
    return mc_matmul(matrix(flags & HALF), w); /* expect: matmul-dtype warning */
}

mc_tensor *turned_between(unsigned flags)
{
    mc_tensor *w = matrix(flags & HALF);
    flags ^= HALF;
    return mc_matmul(matrix(flags & HALF), w); /* expect: matmul-dtype warning */
}

mc_tensor *one_of_several(unsigned flags)
{
    mc_tensor *w = matrix(flags & KIND);
    return mc_matmul(matrix(flags & WIDE), w); /* expect: matmul-dtype warning */
}

mc_tensor *shifted_further(unsigned flags)
{
    mc_tensor *w = matrix(flags >> 3 & 1);
    return mc_matmul(matrix(flags >> 2 & 1), w); /* expect: matmul-dtype warning */
}

void in_each_round(int rounds)
{
    unsigned flags = ask();
    mc_tensor *w = matrix(flags & HALF);
    while (rounds-- > 0) {
        mc_print(mc_matmul(matrix(flags & HALF), w)); /* expect: matmul-dtype warning */
        flags = ask();
    }
}

mc_tensor *asked_again(void)
{
    unsigned flags = ask(), half = flags & HALF;
    mc_tensor *w = matrix(half);
    flags = ask();
    return mc_matmul(matrix(flags & HALF), w); /* expect: matmul-dtype warning */
}
