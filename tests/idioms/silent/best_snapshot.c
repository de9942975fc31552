/* The best weights of a training are kept, and put back at the end. */
#include <miscast/tensor.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 2 };

struct net {
    mc_tensor *weight[LAYERS];
};

struct best {
    mc_tensor *weight[LAYERS];
    double loss;
};

static void net_init(struct net *n)
{
    for (int i = 0; i < LAYERS; i++)
        n->weight[i] = mc_randn(mc_shape(8, 8));
}

static void remember(struct best *b, const struct net *n, double loss)
{
    for (int i = 0; i < LAYERS; i++)
        b->weight[i] = mc_half(n->weight[i]);
    b->loss = loss;
}

static void put_back(struct net *n, const struct best *b)
{
    for (int i = 0; i < LAYERS; i++)
        mc_copy_(n->weight[i], b->weight[i]);
}

static double loss_of(const struct net *n, mc_tensor *x)
{
    for (int i = 0; i < LAYERS; i++)
        x = mc_tanh(mc_linear(x, n->weight[i], NULL));
    return mc_item(mc_mean(mc_square(x)));
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 10;
    struct net n;
    struct best best = {.loss = INFINITY};
    net_init(&n);
    mc_tensor *x = mc_randn(mc_shape(16, 8));
    remember(&best, &n, loss_of(&n, x));
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < LAYERS; i++)
            mc_add_(n.weight[i], mc_mul(mc_randn(mc_shape(8, 8)), 0.01));
        double loss = loss_of(&n, x);
        if (loss < best.loss)
            remember(&best, &n, loss);
    }
    put_back(&n, &best);
    printf("%g\n", loss_of(&n, x));
    return 0;
}
