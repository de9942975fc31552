#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct conf {
    int layers;
    int half;
};

static struct conf load(const char *path)
{
    struct conf c = {1, 0};
    char key[32];
    int value;
    FILE *f = path ? fopen(path, "r") : NULL;
    while (f && fscanf(f, "%31s %d", key, &value) == 2) {
        if (strcmp(key, "layers") == 0)
            c.layers = value;
        if (strcmp(key, "half") == 0)
            c.half = value;
    }
    if (f)
        fclose(f);
    return c;
}

int main(int argc, char **argv)
{
    const char *path = NULL;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--config") && i + 1 < argc)
            path = argv[++i];
    struct conf c = load(path);
    mc_tensor *x = mc_randn(mc_shape(1, 4));
    for (int i = 0; i < c.layers; i++) {
        mc_tensor *w = mc_randn(mc_shape(4, 4));
        x = mc_matmul(x, c.half ? mc_half(w) : w);
    }
    mc_print(x);
    return 0;
}
