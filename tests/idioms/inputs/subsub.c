#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static int model_export(int argc, char **argv)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *scale = mc_full(mc_shape(4, 4), 0.5);
    bool ints = argc > 0 && !strcmp(argv[0], "--int8");
    if (ints)
        w = mc_to_dtype(mc_mul(w, 10.0), MC_I8);
    mc_print(mc_matmul(w, scale));
    return 0;
}

static int model_show(void)
{
    mc_print(mc_eye(2));
    return 0;
}

static const struct command {
    const char *name;
    int sub;
} commands[] = {{"export", 0}, {"show", 1}};

int main(int argc, char **argv)
{
    if (argc < 3 || strcmp(argv[1], "model"))
        return 1;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[2], commands[i].name))
            return commands[i].sub ? model_show() : model_export(argc - 3, argv + 3);
    fprintf(stderr, "no such command\n");
    return 1;
}
