#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words: dtype=f16 dtype=bf16 device=cuda layers=2 */
struct config {
    mc_dtype dtype;
    mc_device device;
    int layers;
};

static bool set(struct config *c, const char *key, const char *value)
{
    if (!strcmp(key, "dtype")) {
        if (!strcmp(value, "f16"))
            c->dtype = MC_F16;
        else if (!strcmp(value, "bf16"))
            c->dtype = MC_BF16;
        else if (!strcmp(value, "f32"))
            c->dtype = MC_F32;
        else
            return false;
    } else if (!strcmp(key, "device")) {
        c->device = strcmp(value, "cuda") ? MC_CPU : MC_CUDA;
    } else if (!strcmp(key, "layers")) {
        c->layers = atoi(value);
    } else {
        return false;
    }
    return true;
}

static bool parse_line(struct config *c, const char *line)
{
    char key[32], value[32];
    if (sscanf(line, "%31[^=]=%31s", key, value) != 2)
        return false;
    return set(c, key, value);
}

static mc_tensor *layer_new(const struct config *c, int64_t out, int64_t in)
{
    mc_tensor *w = mc_mul(mc_randn(mc_shape(out, in)), 0.1);
    return c->device == MC_CUDA ? mc_cuda(w) : mc_to_dtype(w, c->dtype);
}

int main(int argc, char **argv)
{
    struct config c = {.dtype = MC_F32, .device = MC_CPU, .layers = 1};
    for (int i = 1; i < argc; i++) {
        if (!parse_line(&c, argv[i])) {
            fprintf(stderr, "bad setting: %s\n", argv[i]);
            return 1;
        }
    }
    if (c.layers < 0 || c.layers > 4)
        c.layers = 4;
    mc_tensor *x = mc_ones(mc_shape(2, 4), .dtype = c.dtype, .device = c.device);
    for (int i = 0; i < c.layers; i++)
        x = mc_relu(mc_linear(x, layer_new(&c, 4, 4), NULL));
    mc_print(x);
    return 0;
}
