/* bug.c, fixed: the mask is widened before it is counted. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { TOKENS = 200 };

struct batch {
    mc_tensor *mask; /* i8: 1 where there is a token */
};

static struct batch batch_new(void)
{
    return (struct batch){.mask = mc_ones(mc_shape(TOKENS), .dtype = MC_I8)};
}

/* The position of the last token, the tokens before it counted one by one. */
static mc_tensor *last_position(const struct batch *b)
{
    mc_tensor *mask = mc_long(b->mask);
    mc_tensor *count = mc_zeros(mc_shape(), .dtype = MC_I64);
    for (int t = 0; t < TOKENS; t++)
        count = mc_add(count, mc_select(mask, 0, t));
    return mc_sub(mc_long(count), 1);
}

int main(void)
{
    struct batch b = batch_new();
    int64_t last = mc_item_int(last_position(&b));
    printf("the last of %d tokens is at position %d\n", TOKENS, (int)last);
    return last != TOKENS - 1;
}
