/* A table of interactions: user, item, rating; the columns are taken apart again by the model. */
#include <miscast/tensor.h>
#include <stdio.h>

struct batch {
    mc_tensor *user, *item, *rating;
};

static mc_tensor *pack(mc_tensor *user, mc_tensor *item, mc_tensor *rating)
{
    return mc_stack(1, mc_float(user), mc_float(item), rating);
}

static struct batch unpack(mc_tensor *rows)
{
    return (struct batch){mc_long(mc_select(rows, 1, 0)), mc_long(mc_select(rows, 1, 1)),
                          mc_select(rows, 1, 2)};
}

int main(void)
{
    mc_manual_seed(4);
    mc_tensor *user = mc_randint(0, 90000000, mc_shape(256));
    mc_tensor *item = mc_randint(0, 40000, mc_shape(256));
    struct batch b = unpack(pack(user, item, mc_rand(mc_shape(256))));
    printf("users kept: %lld of 256\n", (long long)mc_item_int(mc_sum(mc_eq(b.user, user))));
    return 0;
}
