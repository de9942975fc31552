#include <miscast/tensor.h>

struct net {
    mc_tensor *body, *head;
};

static void train(const struct net *n, mc_optimizer *o)
{
    mc_tensor *h = mc_relu(mc_matmul(mc_randn(mc_shape(3, 4)), n->body));
    mc_optimizer_zero_grad(o);
    mc_backward(mc_mean(mc_square(mc_matmul(h, n->head))));
    mc_optimizer_step(o);
}

static struct net made(void)
{
    return (struct net){mc_randn(mc_shape(4, 8), .requires_grad = true),
                        mc_randn(mc_shape(8, 2), .requires_grad = true)};
}

int main(void)
{
    /* another optimizer */
    struct net a = made();
    mc_requires_grad_(a.body, false);
    train(&a, mc_sgd(mc_params(a.head), 0.1));
    mc_requires_grad_(a.body, true);
    train(&a, mc_sgd(mc_params(a.body, a.head), 0.1));

    /* all of them, from the beginning */
    struct net b = made();
    mc_optimizer *o = mc_sgd(mc_params(b.body, b.head), 0.1);
    mc_requires_grad_(b.body, false);
    train(&b, o);
    mc_requires_grad_(b.body, true);
    train(&b, o);
    return 0;
}
