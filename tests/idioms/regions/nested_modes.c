#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *evaluate(mc_tensor *w, mc_tensor *x)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_tensor *y = mc_matmul(x, w);
    mc_grad_mode_end(g);
    return y;
}

static mc_tensor *train(mc_tensor *w, mc_tensor *x)
{
    return mc_matmul(x, w);
}

int main(int argc, char **argv)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    bool eval = argc > 1 && atoi(argv[1]) == 1;
    mc_tensor *(*run)(mc_tensor *, mc_tensor *) = eval ? evaluate : train;
    mc_tensor *y = mc_sum(run(w, x));
    if (!eval)
        mc_backward(y);
    mc_print(y);
    return 0;
}
