/* Soft labels are written into a tensor that was made for hard ones. Everything below one becomes
 * zero. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { EXAMPLES = 4 };

struct labels {
    mc_tensor *y;
};

static void labels_init(struct labels *l)
{
    l->y = mc_zeros(mc_shape(EXAMPLES), .dtype = MC_I64);
}

/* From a threshold on an example is positive. */
static mc_tensor *confidence(mc_tensor *scores)
{
    return mc_sigmoid(mc_sub(scores, 1));
}

static void labels_set(struct labels *l, mc_tensor *p)
{
    mc_copy_(mc_slice(l->y, 0, 0, EXAMPLES), p); /* expect: float-into-int */
}

int main(void)
{
    const float scores[EXAMPLES] = {-1, 0.5f, 2, 4};
    struct labels l;
    labels_init(&l);
    labels_set(&l, confidence(mc_from_array(scores, mc_shape(EXAMPLES))));
    mc_print(l.y);
    double positive = mc_item(mc_sum(l.y));
    printf("%.2f positive examples\n", positive);
    return positive == 0;
}
