#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int train(int argc, char **argv)
{
    int steps = argc > 0 ? atoi(argv[0]) : 1;
    mc_tensor *w = mc_randn(mc_shape(2, 2), .requires_grad = true);
    for (int i = 0; i < steps; i++)
        mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 2)), w)));
    return 0;
}

static int eval(int argc, char **argv)
{
    mc_tensor *w = mc_randn(mc_shape(2, 2)), *x = mc_ones(mc_shape(2, 2));
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--quantized"))
            w = mc_to_dtype(w, MC_I8);
    mc_print(mc_matmul(x, w));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s train|eval ...\n", argv[0]);
        return 2;
    }
    if (!strcmp(argv[1], "train"))
        return train(argc - 2, argv + 2);
    if (!strcmp(argv[1], "eval"))
        return eval(argc - 2, argv + 2);
    return 2;
}
