#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table of options, each with a place to put its value. */
struct settings {
    bool half, cuda;
    int steps, hidden;
};

static int find(const char *name, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

static bool parse(struct settings *s, int argc, char **argv)
{
    static const char *const names[] = {"--half", "--cuda", "--steps", "--hidden", NULL};
    for (int i = 1; i < argc; i++) {
        switch (find(argv[i], names)) {
        case 0:
            s->half = true;
            break;
        case 1:
            s->cuda = true;
            break;
        case 2:
        case 3: {
            int *to = strcmp(argv[i], "--steps") == 0 ? &s->steps : &s->hidden;
            if (++i == argc)
                return false;
            *to = atoi(argv[i]);
            if (*to < 1 || *to > 64)
                return false;
            break;
        }
        default:
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    struct settings s = {.steps = 2, .hidden = 4};
    if (!parse(&s, argc, argv)) {
        fprintf(stderr, "usage: %s [--half] [--cuda] [--steps N] [--hidden N]\n", argv[0]);
        return 2;
    }
    mc_dtype dtype = s.half ? MC_F16 : MC_F32;
    mc_device device = s.cuda ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_randn(mc_shape(s.hidden, 3), .dtype = dtype, .device = device);
    mc_tensor *b = mc_zeros(mc_shape(s.hidden), .dtype = dtype, .device = device);
    for (int step = 0; step < s.steps; step++) {
        mc_tensor *x = mc_to(mc_rand(mc_shape(2, 3)), .dtype = dtype, .device = device);
        mc_print(mc_linear(x, w, b));
    }
    return 0;
}
