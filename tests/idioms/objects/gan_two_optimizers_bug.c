#include <miscast/optim.h>
#include <miscast/tensor.h>
#include <stdlib.h>

struct net {
    mc_tensor *w;
    mc_optimizer *opt;
};

static void net_init(struct net *n, mc_dtype d)
{
    n->w = mc_requires_grad_(mc_randn(mc_shape(4, 4), .dtype = d), true);
    n->opt = mc_adam(mc_params(n->w), 1e-3);
}

int main(int argc, char **argv)
{
    struct net gen, dis;
    mc_dtype d = argc > 1 && atoi(argv[1]) == 2 ? MC_F64 : MC_F32;
    net_init(&gen, d);
    net_init(&dis, d);
    for (int step = 0; step < 2; step++) {
        mc_tensor *z = mc_randn(mc_shape(2, 4), .dtype = d);
        mc_tensor *fake = mc_tanh(mc_matmul(z, gen.w));
        mc_optimizer_zero_grad(dis.opt);
        mc_backward(mc_mean(mc_matmul(fake, dis.w)));
        mc_optimizer_step(dis.opt);
        mc_optimizer_zero_grad(gen.opt);
        mc_backward(mc_mean(mc_matmul(fake, dis.w)));
        mc_optimizer_step(gen.opt);
    }
    return 0;
}
