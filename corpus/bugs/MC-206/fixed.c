/* bug.c, fixed: the mask becomes bool before it is negated. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { PIXELS = 6 };

struct flow {
    mc_tensor *predicted; /* learns */
    mc_tensor *measured;
    mc_tensor *valid; /* u8, as the reader of depth images gives it */
};

static struct flow flow_read(void)
{
    static const uint8_t valid[PIXELS] = {1, 1, 1, 0, 1, 0};
    return (struct flow){
        .predicted = mc_zeros(mc_shape(PIXELS), .requires_grad = true),
        .measured = mc_ones(mc_shape(PIXELS)),
        .valid = mc_from_array(valid, mc_shape(PIXELS)),
    };
}

static mc_tensor *invalid_pixels(const struct flow *f)
{
    return mc_bitwise_not(mc_bool(f->valid));
}

static mc_tensor *flow_loss(const struct flow *f)
{
    mc_tensor *error = mc_square(mc_sub(f->predicted, f->measured));
    return mc_sum(mc_index_put_(error, invalid_pixels(f), mc_zeros(mc_shape(1))));
}

int main(void)
{
    struct flow f = flow_read();
    mc_tensor *loss = flow_loss(&f);
    mc_backward(loss);
    double taught = mc_item(mc_sum(mc_abs(mc_grad(f.predicted))));
    printf("loss %g, gradient %g\n", mc_item(loss), taught);
    return taught == 0;
}
