/* A model of series that are observed now and then: between two observations the hidden state goes
 * on by itself, in steps that know what time it is. The time is made where the loop runs. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 3, INPUT = 2, HIDDEN = 4 };

struct ode {
    mc_tensor *f_w; /* input, hidden, two times -> hidden */
    mc_tensor *readout_w;
};

static void ode_load(struct ode *m, mc_device device)
{
    mc_manual_seed(61);
    m->f_w = mc_randn(mc_shape(HIDDEN, INPUT + HIDDEN + 2), .device = device);
    m->readout_w = mc_randn(mc_shape(INPUT, HIDDEN), .device = device);
}

static mc_tensor *ode_f(const struct ode *m, mc_tensor *x, mc_tensor *h, mc_tensor *tau,
                        mc_tensor *since)
{
    mc_tensor *in = mc_cat(1, mc_tanh(x), mc_tanh(h), tau, since);
    return mc_tanh(mc_linear(in, m->f_w, NULL));
}

static mc_tensor *run(const struct ode *m, mc_tensor *x, int steps, double dt)
{
    mc_tensor *h = mc_zeros(mc_shape(BATCH, HIDDEN), .device = mc_device_of(x));
    mc_tensor *tau = mc_zeros(mc_shape(BATCH, 1), .device = mc_device_of(x));
    for (int i = 0; i < steps; i++) {
        mc_tensor *since = mc_full(mc_shape(BATCH, 1), i * dt, .device = mc_device_of(x));
        h = mc_add(h, mc_mul(ode_f(m, x, h, tau, since), dt));
    }
    return mc_linear(h, m->readout_w, NULL);
}

int main(void)
{
    struct ode m;
    ode_load(&m, MC_CUDA);
    mc_tensor *x = mc_randn(mc_shape(BATCH, INPUT), .device = MC_CUDA);
    mc_tensor *y = run(&m, x, 4, 0.25);
    printf("%d paths on %s\n", (int)mc_size(y, 0), mc_device_name(mc_device_of(y)));
    return 0;
}
