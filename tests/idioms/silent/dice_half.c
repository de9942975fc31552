/* Dice score of a segmentation, per image. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *dice(mc_tensor *pred, mc_tensor *truth)
{
    mc_tensor *inter = mc_sum(mc_mul(pred, truth));
    mc_tensor *total = mc_add(mc_sum(pred), mc_sum(truth));
    return mc_div(mc_mul(inter, 2.0), total);
}

int main(int argc, char **argv)
{
    bool amp = false;
    for (int i = 1; i < argc; i++)
        amp = amp || strcmp(argv[i], "--amp") == 0;
    mc_manual_seed(1);
    mc_tensor *logits = mc_randn(mc_shape(512, 512));
    mc_tensor *pred = mc_gt(logits, -1.0), *truth = mc_gt(logits, -1.1);
    mc_dtype d = amp ? MC_F16 : MC_F32;
    printf("dice %g\n", mc_item(mc_float(dice(mc_to_dtype(pred, d), mc_to_dtype(truth, d)))));
    return 0;
}
