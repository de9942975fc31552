#include <miscast/tensor.h>

struct net {
    mc_tensor *body, *head;
};

static mc_tensor *loss_of(const struct net *n)
{
    mc_tensor *h = mc_relu(mc_matmul(mc_randn(mc_shape(3, 4)), n->body));
    return mc_mean(mc_square(mc_matmul(h, n->head)));
}

static void train(const struct net *n, mc_optimizer *o, int steps)
{
    for (int i = 0; i < steps; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(loss_of(n));
        mc_optimizer_step(o);
    }
}

static void set_frozen(struct net *n, bool frozen)
{
    mc_requires_grad_(n->body, !frozen); /* expect: unfrozen-too-late warning */
}

int main(void)
{
    struct net n = {mc_randn(mc_shape(4, 8), .requires_grad = true),
                    mc_randn(mc_shape(8, 2), .requires_grad = true)};
    set_frozen(&n, true);
    mc_optimizer *o = mc_sgd(mc_params(n.head), 0.1);
    train(&n, o, 5);
    set_frozen(&n, false);
    train(&n, o, 5);
    return 0;
}
