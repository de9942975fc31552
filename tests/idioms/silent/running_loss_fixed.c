/* The loss of an epoch, summed up over its batches and printed at the end. */
#include <getopt.h>
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *batch_loss(mc_tensor *w, mc_dtype d)
{
    mc_tensor *x = mc_randn(mc_shape(32, 8), .dtype = d);
    mc_tensor *y = mc_add(mc_matmul(x, w), 1.0);
    return mc_mean(mc_square(y));
}

int main(int argc, char **argv)
{
    static const struct option longs[] = {{"fp16", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    mc_dtype d = MC_F32;
    int c;
    while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1)
        if (c == 'h')
            d = MC_F16;
    mc_manual_seed(11);
    mc_tensor *w = mc_randn(mc_shape(8, 1), .dtype = d);
    mc_tensor *total = mc_zeros(mc_shape(), .dtype = MC_F32);
    int batches = 5000;
    for (int i = 0; i < batches; i++) {
        mc_scope s = mc_scope_begin();
        mc_add_(total, batch_loss(w, d));
        mc_scope_end(s);
    }
    printf("epoch loss %.4f\n", mc_item(total) / batches);
    return 0;
}
