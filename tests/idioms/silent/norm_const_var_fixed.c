/* Standardize features of the scanner: large offset, small spread. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct scaler {
    mc_tensor *mean, *std;
};

static struct scaler fit(mc_tensor *x)
{
    return (struct scaler){mc_mean(x, .dim = mc_dims(0)), mc_std(x, .dim = mc_dims(0))};
}

static mc_tensor *apply(const struct scaler *s, mc_tensor *x)
{
    return mc_div(mc_sub(x, s->mean), s->std);
}

int main(int argc, char **argv)
{
    bool fp16 = false;
    for (int i = 1; i < argc; i++)
        fp16 |= strcmp(argv[i], "--fp16") == 0;
    mc_manual_seed(1);
    mc_tensor *raw = mc_add(mc_rand(mc_shape(128, 4)), 2000.0);
    struct scaler s = fit(raw);
    mc_tensor *z = apply(&s, raw);
    z = fp16 ? mc_half(z) : z;
    mc_print(mc_slice(mc_float(mc_select(z, 1, 0)), 0, 0, 6));
    return 0;
}
