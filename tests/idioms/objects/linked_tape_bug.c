#include <miscast/tensor.h>
#include <stdlib.h>

struct act {
    mc_tensor *out;
    struct act *below;
};

int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 3;
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    struct act *top = NULL;
    for (int i = 0; i < depth; i++) {
        struct act *a = malloc(sizeof *a);
        if (!a)
            return 1;
        x = mc_sigmoid(mc_matmul(x, w));
        *a = (struct act){x, top};
        top = a;
    }
    if (top)
        mc_backward(mc_sum(mc_detach(top->out)));
    while (top) {
        struct act *below = top->below;
        free(top);
        top = below;
    }
    return 0;
}
