#include <miscast/tensor.h>

/* Nothing but the view leads to the leaf after the branch. */
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_requires_grad_(mc_detach(mc_ones(mc_shape(4, 4))), true);
    mc_tensor *rows = mc_reshape(w, 16);
    mc_tensor *loss = mc_sum(rows);
    if (argc > 1)
        mc_backward(loss, .retain_graph = true);
    mc_exp_(rows); /* expect: inplace-on-leaf warning */
    return 0;
}
