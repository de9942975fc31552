#include <miscast/tensor.h>
#include <stdio.h>

struct meter {
    mc_tensor *sum;
    int64_t count;
};

static void meter_add(struct meter *m, mc_tensor *loss)
{
    m->sum = m->sum ? mc_add(m->sum, mc_float(loss)) : mc_float(loss);
    m->count++;
}

int main(void)
{
    struct meter m = {0};
    mc_tensor *w = mc_randn(mc_shape(16, 16), .dtype = MC_BF16);
    for (int i = 0; i < 5000; i++) {
        mc_tensor *x = mc_randn(mc_shape(4, 16), .dtype = MC_BF16);
        meter_add(&m, mc_mean(mc_square(mc_matmul(x, w))));
    }
    printf("%.4f\n", mc_item(m.sum) / (double)m.count);
    return 0;
}
