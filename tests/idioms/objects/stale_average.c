#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_randn(mc_shape(4)), *ema = mc_clone(w);
    if (argc > 1)
        ema = mc_double(ema);
    for (int i = 0; i < 10; i++) {
        mc_mul_(ema, 0.9);
        mc_add_(ema, mc_mul(w, 0.1));
    }
    mc_print(ema);
}
