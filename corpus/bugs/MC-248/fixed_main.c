/* The layer before runs inside autocast; its output goes straight into the kernel. */
#include <stdio.h>

#include "deform.h"

enum { WIDTH = 8 };

struct layer {
    mc_tensor *proj, *offset;
};

static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x)
{
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_F16);
    mc_tensor *y = deform_forward(mc_linear(x, l->proj, NULL), l->offset);
    mc_autocast_end(region);
    return y;
}

int main(void)
{
    struct layer l = {.proj = mc_eye(WIDTH), .offset = mc_full(mc_shape(WIDTH), 0.5)};
    mc_tensor *y = layer_forward(&l, mc_float(mc_arange(WIDTH)));
    printf("the first sample is %.2f\n", mc_item(mc_select(y, 0, 0)));
    return mc_item(mc_select(y, 0, 0)) != 0.5;
}
