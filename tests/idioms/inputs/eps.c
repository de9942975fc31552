#include <miscast/tensor.h>
#include <string.h>

static mc_tensor *normalise(mc_tensor *x)
{
    mc_tensor *mean = mc_mean(x);
    mc_tensor *centred = mc_sub(x, mean);
    mc_tensor *var = mc_mean(mc_mul(centred, centred));
    return mc_div(centred, mc_sqrt(mc_add(var, 1e-8)));
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_full(mc_shape(4, 4), 0.5);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--half"))
            x = mc_half(x);
    mc_print(normalise(x));
    return 0;
}
