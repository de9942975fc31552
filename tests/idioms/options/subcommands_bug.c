#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cmd_train(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "--double") ? MC_F64 : MC_F32;
    mc_tensor *w = mc_requires_grad_(mc_rand(mc_shape(4, 4), .dtype = d), true);
    mc_backward(mc_sum(mc_matmul(mc_rand(mc_shape(2, 4)), w)));
    return 0;
}

static int cmd_infer(int argc, char **argv)
{
    mc_device dev = argc > 1 && !strcmp(argv[1], "--gpu") ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_rand(mc_shape(4, 4), .device = dev);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 4), .device = dev), w));
    return 0;
}

static const struct command {
    const char *name;
    int (*run)(int, char **);
} commands[] = {{"train", cmd_train}, {"infer", cmd_infer}, {0}};

int main(int argc, char **argv)
{
    for (const struct command *c = commands; argc > 1 && c->name; c++)
        if (!strcmp(c->name, argv[1]))
            return c->run(argc - 1, argv + 1);
    fprintf(stderr, "usage: %s train|infer\n", argv[0]);
    return 2;
}
