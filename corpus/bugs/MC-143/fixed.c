/* bug.c, fixed: the constant keeps away from the edge. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ROWS = 2, COLS = 4 };

struct softmax_layer {
    double masked; /* added to scores that do not count */
};

static struct softmax_layer softmax_layer_new(void)
{
    return (struct softmax_layer){.masked = -65504.0 / 2};
}

static mc_tensor *softmax_layer_forward(const struct softmax_layer *l, mc_tensor *scores,
                                        mc_tensor *mask)
{
    mc_tensor *off = mc_rsub(mc_type_as(mask, scores), 1.0);
    mc_tensor *adder = mc_mul(off, l->masked);
    return mc_softmax(mc_add(scores, adder), -1);
}

int main(void)
{
    struct softmax_layer l = softmax_layer_new();
    mc_tensor *scores = mc_full(mc_shape(ROWS, COLS), -40.0, .dtype = MC_F16);
    mc_tensor *mask = mc_from_array(((bool[]){1, 1, 0, 0, 0, 0, 0, 0}), mc_shape(ROWS, COLS));
    mc_tensor *p = softmax_layer_forward(&l, scores, mask);
    bool sound = mc_item(mc_any(mc_isnan(p))) == 0;
    printf("the probabilities %s\n", sound ? "are numbers" : "are not all numbers");
    return !sound;
}
