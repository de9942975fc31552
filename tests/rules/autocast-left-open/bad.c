#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16); /* expect: autocast-left-open warning */
    if (!w)
        return x;
    mc_tensor *y = mc_matmul(x, w);
    mc_autocast_end(a);
    return y;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16); /* expect: autocast-left-open warning */
    if (argc > 1) {
        mc_print(x);
        return 0;
    }
    mc_autocast_end(a);
    return !argv;
}
