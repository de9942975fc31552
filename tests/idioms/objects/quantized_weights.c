#include <miscast/tensor.h>
#include <stdlib.h>

struct qlinear {
    mc_tensor *w; /* i8 or float */
    mc_tensor *scale;
};

static mc_tensor *dequant(const struct qlinear *l)
{
    return mc_mul(mc_float(l->w), l->scale);
}

int main(int argc, char **argv)
{
    bool quant = argc > 1 && atoi(argv[1]) == 1;
    struct qlinear l = {mc_ones(mc_shape(4, 4)), NULL};
    if (quant) {
        l.w = mc_to(l.w, .dtype = MC_I8);
        l.scale = mc_full(mc_shape(1), 0.1);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 4));
    mc_tensor *w = l.scale ? dequant(&l) : l.w;
    mc_print(mc_matmul(x, w));
    return 0;
}
