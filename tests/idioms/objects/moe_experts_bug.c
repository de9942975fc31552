#include <miscast/tensor.h>
#include <stdlib.h>

enum { EXPERTS = 4 };

struct moe {
    mc_tensor *gate, *experts[EXPERTS];
};

static void moe_to(struct moe *m, mc_device d)
{
    m->gate = mc_to(m->gate, .device = d);
    for (int e = 1; e < EXPERTS; e++)
        m->experts[e] = mc_to(m->experts[e], .device = d);
}

static mc_tensor *moe_run(const struct moe *m, mc_tensor *x, int top)
{
    mc_tensor *scores = mc_softmax(mc_matmul(x, m->gate), -1);
    mc_tensor *out = mc_zeros_like(x);
    for (int e = 0; e < top && e < EXPERTS; e++) {
        mc_tensor *y = mc_matmul(x, m->experts[e]);
        out = mc_add(out, mc_mul(y, mc_narrow(scores, 1, e, 1)));
    }
    return out;
}

int main(int argc, char **argv)
{
    struct moe m = {.gate = mc_randn(mc_shape(4, EXPERTS))};
    for (int e = 0; e < EXPERTS; e++)
        m.experts[e] = mc_randn(mc_shape(4, 4));
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (argc > 1) {
        moe_to(&m, MC_CUDA);
        x = mc_cuda(x);
    }
    mc_print(moe_run(&m, x, argc > 2 ? atoi(argv[2]) : 2));
    return 0;
}
