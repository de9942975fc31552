#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i < argc - 1; i++)
        if (!strcmp(argv[i], name))
            return argv[i + 1];
    return otherwise;
}

int main(int argc, char **argv)
{
    const char *out = option(argc, argv, "--out", NULL);
    int width = atoi(option(argc, argv, "--width", "4"));
    const char *cast = option(argc, argv, "--cast", "none");
    if (!out || width < 2) {
        fprintf(stderr, "--out is needed\n");
        return 1;
    }
    mc_tensor *x = mc_randn(mc_shape(2, width)), *w = mc_randn(mc_shape(width, width));
    if (!strcmp(cast, "weights") || !strcmp(cast, "all"))
        w = mc_bfloat16(w);
    if (!strcmp(cast, "all"))
        x = mc_bfloat16(x);
    mc_tensor *y = mc_matmul(x, w);
    FILE *f = fopen(out, "w");
    if (f) {
        fprintf(f, "%g\n", mc_item(mc_sum(y)));
        fclose(f);
    }
    return 0;
}
