/* Time series from a table of doubles. Casts were added here and there until the forward pass went
 * through; what is left shows when the loss goes back. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { DAYS = 10, LAGS = 3, HIDDEN = 4 };

struct net {
    mc_tensor *w1, *b1;
    mc_tensor *w2;
};

static void net_init(struct net *n)
{
    mc_manual_seed(58);
    n->w1 = mc_randn(mc_shape(HIDDEN, LAGS), .requires_grad = true);
    n->b1 = mc_zeros(mc_shape(HIDDEN), .requires_grad = true);
    n->w2 = mc_randn(mc_shape(1, HIDDEN), .requires_grad = true);
}

static mc_tensor *net_forward(const struct net *n, mc_tensor *x)
{
    mc_tensor *h = mc_tanh(mc_linear(mc_float(mc_double(x)), n->w1, n->b1));
    return mc_squeeze(mc_float(mc_linear(mc_float(h), n->w2, NULL)), -1);
}

static mc_tensor *window(mc_tensor *series, int64_t day)
{
    return mc_double(mc_narrow(series, 0, day, LAGS));
}

static void train_day(struct net *n, mc_tensor *series, int64_t day)
{
    mc_tensor *x = mc_unsqueeze(window(series, day), 0);
    mc_tensor *y = mc_narrow(series, 0, day + LAGS, 1);
    mc_tensor *loss = mc_mse_loss(net_forward(n, x), y);
    mc_backward(loss); /* expect: backward-dtype */
}

int main(void)
{
    double prices[DAYS];
    for (int i = 0; i < DAYS; i++)
        prices[i] = 1 + 0.1 * (i % 4);
    mc_tensor *series = mc_from_array(prices, mc_shape(DAYS));
    struct net n;
    net_init(&n);
    for (int64_t day = 0; day + LAGS < DAYS; day++)
        train_day(&n, series, day);
    printf("gradient of the bias:\n");
    mc_print(mc_grad(n.b1));
    return 0;
}
