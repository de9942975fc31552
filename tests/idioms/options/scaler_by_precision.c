/* Either the parameters are f16, or gradients are scaled: never both. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum precision { SINGLE, MIXED, HALF, UNKNOWN };

static enum precision precision_of(const char *s)
{
    const char *names[] = {"single", "mixed", "half"};
    int p = SINGLE;
    while (p < UNKNOWN && strcmp(names[p], s) != 0)
        p++;
    return (enum precision)p;
}

int main(int argc, char **argv)
{
    enum precision p = argc > 1 ? precision_of(argv[1]) : SINGLE;
    if (p == UNKNOWN)
        return 1;
    mc_dtype dtype = p == HALF ? MC_F16 : MC_F32;
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(1, 4), .dtype = dtype), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 1e-2);
    mc_grad_scaler *s = mc_grad_scaler_new(p == MIXED, .init_scale = 8.0);
    mc_tensor *loss = mc_mean(mc_linear(mc_ones(mc_shape(2, 4), .dtype = dtype), w, NULL));
    mc_backward(mc_grad_scaler_scale(s, loss));
    mc_grad_scaler_step(s, o);
    mc_grad_scaler_update(s);
    printf("%g\n", mc_item(loss));
    mc_grad_scaler_free(s);
    mc_optimizer_free(o);
    return 0;
}
