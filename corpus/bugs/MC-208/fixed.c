/* bug.c, fixed: the numbers become i64. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { VOCAB = 3 };

struct filter {
    mc_tensor *banned; /* numbers of tokens */
};

static struct filter filter_new(void)
{
    static const uint8_t banned[VOCAB] = {2, 2, 0}; /* filled up with repeats */
    return (struct filter){.banned = mc_from_array(banned, mc_shape(VOCAB))};
}

static void filter_apply(const struct filter *f, mc_tensor *scores)
{
    mc_tensor *row = mc_select(scores, 0, 0);
    mc_index_put_(row, mc_long(f->banned), mc_zeros(mc_shape(1)));
}

int main(void)
{
    struct filter f = filter_new();
    mc_tensor *scores = mc_ones(mc_shape(2, VOCAB));
    filter_apply(&f, scores);
    double allowed = mc_item(mc_select(mc_select(scores, 0, 0), 0, 1));
    printf("token 1, which is allowed, has a score of %g\n", allowed);
    return allowed != 1;
}
