#include <miscast/optim.h>
#include <miscast/tensor.h>
#include <stdlib.h>

struct run {
    mc_grad_mode mode;
    bool frozen;
};

static void freeze(struct run *r)
{
    if (!r->frozen) {
        r->mode = mc_no_grad_begin();
        r->frozen = true;
    }
}

static void thaw(struct run *r)
{
    if (r->frozen) {
        mc_grad_mode_end(r->mode);
        r->frozen = false;
    }
}

int main(int argc, char **argv)
{
    struct run r = {0};
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    for (int epoch = 0; epoch < 2; epoch++) {
        if (argc > 1 && atoi(argv[1]) == epoch) {
            freeze(&r);
            mc_print(mc_matmul(mc_ones(mc_shape(1, 4)), w));
        }
        mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(1, 4)), w)));
        thaw(&r);
    }
    return 0;
}
