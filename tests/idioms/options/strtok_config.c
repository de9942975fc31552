#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config {
    mc_dtype dtype;
    mc_device device;
    int layers;
};

static void set_option(struct config *c, const char *key, const char *value)
{
    if (strcmp(key, "dtype") == 0)
        c->dtype = strcmp(value, "f16") == 0 ? MC_F16 : MC_F32;
    else if (strcmp(key, "device") == 0)
        c->device = strcmp(value, "cuda") == 0 ? MC_CUDA : MC_CPU;
    else if (strcmp(key, "layers") == 0)
        c->layers = atoi(value);
}

static void parse(struct config *c, char *text)
{
    for (char *item = strtok(text, ","); item; item = strtok(NULL, ",")) {
        char *eq = strchr(item, '=');
        if (!eq)
            continue;
        *eq = '\0';
        set_option(c, item, eq + 1);
    }
}

int main(int argc, char **argv)
{
    struct config c = {MC_F32, MC_CPU, 2};
    char defaults[] = "layers=3,dtype=f16";
    parse(&c, defaults);
    if (argc > 1)
        parse(&c, argv[1]);
    mc_tensor *x = mc_rand(mc_shape(2, 4), .dtype = c.dtype, .device = c.device);
    for (int i = 0; i < c.layers; i++) {
        mc_tensor *w = mc_rand(mc_shape(4, 4), .dtype = c.dtype, .device = c.device);
        x = mc_matmul(x, w);
    }
    mc_print(x);
    return 0;
}
