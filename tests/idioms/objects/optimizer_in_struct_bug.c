#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct net {
    mc_tensor *w1, *w2;
};

struct session {
    struct net net;
    mc_optimizer *optimizer;
    mc_device device;
    int step;
};

static void net_to(struct net *n, mc_device device)
{
    n->w1 = mc_to_device(n->w1, device);
    n->w2 = mc_to_device(n->w2, device);
}

static struct session *session_new(bool cuda)
{
    struct session *s = calloc(1, sizeof *s);
    if (!s)
        exit(1);
    s->device = cuda ? MC_CUDA : MC_CPU;
    s->net = (struct net){mc_randn(mc_shape(6, 4)), mc_randn(mc_shape(2, 6))};
    net_to(&s->net, s->device);
    mc_requires_grad_(s->net.w1, true);
    mc_requires_grad_(s->net.w2, true);
    s->optimizer = mc_adam(mc_params(s->net.w1, s->net.w2), 1e-3);
    return s;
}

static double session_step(struct session *s, mc_tensor *x, mc_tensor *y)
{
    mc_tensor *h = mc_relu(mc_linear(x, s->net.w1, NULL));
    mc_tensor *loss = mc_cross_entropy(mc_linear(h, s->net.w2, NULL), y);
    mc_optimizer_zero_grad(s->optimizer);
    mc_backward(loss);
    mc_optimizer_step(s->optimizer);
    s->step++;
    return mc_item(loss);
}

static void session_free(struct session *s)
{
    mc_optimizer_free(s->optimizer);
    free(s);
}

int main(int argc, char **argv)
{
    bool cuda = argc > 1 && strcmp(argv[1], "cuda") == 0;
    struct session *s = session_new(cuda);
    for (int epoch = 0; epoch < 2; epoch++) {
        mc_tensor *x = mc_rand(mc_shape(8, 4), .device = s->device);
        mc_tensor *y = mc_randint(0, 2, mc_shape(8));
        session_step(s, x, y);
    }
    session_free(s);
    return 0;
}
