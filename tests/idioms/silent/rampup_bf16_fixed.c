/* LoRA with a warm-up of the adapter: W0 + u · A·Aᵀ. */
#include <miscast/tensor.h>
#include <stdio.h>

struct lora {
    mc_tensor *w0, *a;
    int64_t step, ramp;
};

static mc_tensor *weight(struct lora *l)
{
    double u = (double)l->step / (double)l->ramp;
    mc_tensor *delta = mc_matmul(l->a, mc_t(l->a));
    return mc_add(mc_float(l->w0), mc_mul(mc_float(delta), u));
}

int main(void)
{
    mc_manual_seed(1);
    struct lora l = {.ramp = 100000};
    l.w0 = mc_ones(mc_shape(16, 16), .dtype = MC_BF16);
    l.a = mc_randn(mc_shape(16, 4), .dtype = MC_BF16);
    for (l.step = 1; l.step <= 4; l.step++) {
        mc_tensor *d = mc_sub(mc_float(weight(&l)), mc_float(l.w0));
        printf("%lld %g\n", (long long)l.step, mc_item(mc_norm(d)));
    }
    return 0;
}
