#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct args {
    const char *model;
    bool half, train;
    int batch;
};

static int parse(struct args *a, int argc, char **argv)
{
    int seen = 0;
    for (int i = 1; i < argc; i++) {
        const char *s = argv[i];
        if (s[0] != '-') {
            if (seen++)
                return -1;
            a->model = s;
        } else if (!strcmp(s, "--half")) {
            a->half = true;
        } else if (!strcmp(s, "--train")) {
            a->train = true;
        } else if (!strcmp(s, "--batch") && i + 1 < argc) {
            a->batch = atoi(argv[++i]);
        } else {
            return -1;
        }
    }
    return a->half && a->train ? -1 : 0;
}

int main(int argc, char **argv)
{
    struct args a = {.batch = 2};
    if (parse(&a, argc, argv) < 0) {
        fprintf(stderr, "bad arguments\n");
        return 2;
    }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = a.half ? MC_F16 : MC_F32);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (!a.train)
        x = mc_type_as(x, w);
    if (a.train) {
        mc_requires_grad_(w, true);
        mc_backward(mc_sum(mc_matmul(x, w)));
    } else {
        mc_print(mc_matmul(x, w));
    }
    return 0;
}
