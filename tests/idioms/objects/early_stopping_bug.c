#include <miscast/tensor.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct best {
    mc_tensor *w;
    double loss;
    int bad;
};

static mc_tensor *predict(mc_tensor *x, mc_tensor *w)
{
    return mc_linear(x, w, NULL);
}

static double validate(mc_tensor *w, mc_tensor *x)
{
    mc_grad_mode g = mc_no_grad_begin();
    double loss = mc_item(mc_mean(mc_square(predict(x, w))));
    mc_grad_mode_end(g);
    return loss;
}

static bool improve(struct best *b, mc_tensor *w, double loss)
{
    if (loss < b->loss) {
        b->loss = loss;
        b->w = mc_clone(mc_detach(w));
        b->bad = 0;
        return true;
    }
    return ++b->bad < 3;
}

int main(int argc, char **argv)
{
    bool cuda = false;
    int epochs = 4;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--cuda"))
            cuda = true;
        else
            epochs = atoi(argv[i]);
    }
    mc_device device = cuda ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(1, 4), .device = device), true);
    mc_tensor *x = mc_rand(mc_shape(8, 4), .device = device);
    mc_tensor *held_out = mc_rand(mc_shape(4, 4));
    struct best best = {.w = w, .loss = INFINITY};
    mc_optimizer *opt = mc_sgd(mc_params(w), 0.05);
    for (int e = 0; e < epochs && e < 10; e++) {
        mc_tensor *loss = mc_mean(mc_square(predict(x, w)));
        mc_optimizer_zero_grad(opt);
        mc_backward(loss);
        mc_optimizer_step(opt);
        if (!improve(&best, w, validate(w, held_out)))
            break;
    }
    mc_print(predict(x, best.w));
    mc_optimizer_free(opt);
    return 0;
}
