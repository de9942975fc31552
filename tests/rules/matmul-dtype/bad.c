/* Products of different dtypes: all of the family. */
#include <miscast/tensor.h>

struct settings {
    bool half;
};

/* The flag is another one by then. */
mc_tensor *flag_has_changed(struct settings *s, const struct settings *other)
{
    bool kept = s->half;
    s->half = other->half;
    mc_tensor *w = kept ? mc_half(mc_ones(mc_shape(8, 8))) : mc_ones(mc_shape(8, 8));
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = s->half ? MC_F16 : MC_F32);
    return mc_matmul(x, w); /* expect: matmul-dtype warning */
}

/* Only in the second round, and in those behind it. */
mc_tensor *narrows_itself(void)
{
    mc_tensor *w = mc_ones(mc_shape(8, 8)), *x = mc_ones(mc_shape(8, 8));
    for (int i = 0; i < 10; i++)
        x = mc_half(mc_matmul(x, w)); /* expect: matmul-dtype warning */
    return x;
}

/* Not in the first rounds: what is counted says which. */
mc_tensor *later_rounds(void)
{
    mc_tensor *w = mc_ones(mc_shape(8, 8)), *x = mc_ones(mc_shape(8, 8));
    for (int i = 0; i < 10; i++) {
        if (i == 3)
            x = mc_half(x);
        x = mc_matmul(x, w); /* expect: matmul-dtype warning */
    }
    return x;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8)), *w = mc_randn(mc_shape(8, 8), .dtype = MC_F16);
    mc_tensor *bias = mc_zeros(mc_shape(8));
    mc_tensor *batch = mc_randn(mc_shape(2, 4, 8));
    (void)argv;
    switch (argc - 1) {
    case 0:
        mc_print(mc_matmul(x, w)); /* expect: matmul-dtype error */
        break;
    case 1:
        mc_print(mc_linear(x, w, bias)); /* expect: matmul-dtype error */
        break;
    case 2:
        mc_print(mc_linear(x, mc_float(w), mc_half(bias))); /* expect: matmul-dtype error */
        break;
    case 3:
        mc_print(mc_bmm(batch, mc_zeros(mc_shape(2, 8, 4), .dtype = MC_BF16))); /* expect: matmul-dtype error */
        break;
    case 4:
        mc_print(mc_addmm(bias, x, w)); /* expect: matmul-dtype error */
        break;
    case 5:
        mc_print(mc_matmul(mc_arange(4), w)); /* expect: matmul-dtype error */
        break;
    default:
        mc_print(mc_einsum2("ij,jk->ik", x, w)); /* expect: matmul-dtype error */
    }
    return 0;
}
