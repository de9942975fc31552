/* Weights of a checkpoint are copied into a model, flat. A weight that is stored transposed cannot
 * be seen as flat memory: reshape then makes a copy, and that is what gets the weights. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { IN = 3, OUT = 2 };

struct linear {
    mc_tensor *w; /* (OUT, IN) */
    mc_tensor *b;
};

/* Products are faster with the transposed weight in memory. */
static void linear_init(struct linear *l)
{
    l->w = mc_t(mc_zeros(mc_shape(IN, OUT)));
    l->b = mc_zeros(mc_shape(OUT));
}

static void load_flat(mc_tensor *param, const float *numbers)
{
    mc_tensor *from = mc_from_array(numbers, mc_shape(mc_numel(param)));
    mc_copy_(mc_reshape(param, -1), from); /* expect: lost-write */
}

static void linear_load(struct linear *l)
{
    const float w[OUT * IN] = {1, 2, 3, 4, 5, 6}, b[OUT] = {10, 20};
    load_flat(l->w, w);
    load_flat(l->b, b);
}

int main(void)
{
    struct linear l;
    linear_init(&l);
    linear_load(&l);
    mc_tensor *y = mc_linear(mc_ones(mc_shape(IN)), l.w, l.b);
    printf("16 and 35 are right:\n");
    mc_print(y);
    return mc_item(mc_select(y, 0, 0)) != 16;
}
