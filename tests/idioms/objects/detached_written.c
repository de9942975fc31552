#include <miscast/tensor.h>

/* What detach gave has a history of its own: an op that writes to it, or to a view of it, makes
 * it require grad, and not what it was detached from. */
static void smooth(mc_tensor *weight, mc_tensor *noise)
{
    mc_tensor *same = mc_detach(weight);
    mc_sub_(same, noise);
}

static mc_tensor *noisy_row(mc_tensor *weight, mc_tensor *noise)
{
    mc_tensor *same = mc_detach(weight);
    mc_add_(mc_select(same, 0, 0), mc_select(noise, 0, 0));
    return same;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *noise = mc_requires_grad_(mc_rand(mc_shape(4, 4)), true);
    mc_tensor *weight[2] = {mc_ones(mc_shape(4, 4)), mc_ones(mc_shape(4, 4))};
    for (int i = 0; i < 2; i++)
        smooth(weight[i], noise);
    mc_tensor *x = mc_rand(mc_shape(4, 4));
    mc_tensor *row = noisy_row(weight[0], noise);
    if (argc > 1 && mc_requires_grad(row))
        mc_print(mc_matmul(x, row));
    if (!mc_requires_grad(weight[1]))
        mc_print(mc_matmul(x, weight[1]));
    return 0;
}
