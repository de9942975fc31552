#include <miscast/tensor.h>

mc_tensor *forward(mc_tensor *x, mc_tensor *w)
{
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_tensor *y = w ? mc_matmul(x, w) : x;
    mc_autocast_end(a);
    return y;
}

mc_autocast begin(void)
{
    return mc_autocast_begin(MC_CUDA, MC_F16);
}

/* Begun and ended by two functions, over a record. */
struct amp {
    mc_autocast region;
};

void enter(struct amp *a)
{
    a->region = mc_autocast_begin(MC_CUDA, MC_F16);
}

void leave(struct amp *a)
{
    mc_autocast_end(a->region);
}

struct amp entered(void)
{
    struct amp a = {mc_autocast_begin(MC_CUDA, MC_F16)};
    return a;
}

/* A program that gives up computes nothing any more. */
int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    mc_autocast a = mc_autocast_begin(MC_CUDA, MC_F16);
    if (argc < 2)
        return 1;
    x = mc_matmul(x, x);
    mc_autocast_end(a);
    mc_print(x);
    return !argv;
}
