#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* Words such as "f16:8" describe layers: counted first, then built. */
struct layer {
    mc_dtype dtype;
    int64_t width;
    mc_tensor *w;
};

static bool read_layer(const char *text, struct layer *l)
{
    const char *colon = strchr(text, ':');
    if (!colon)
        return false;
    size_t n = (size_t)(colon - text);
    l->width = strtol(colon + 1, NULL, 10);
    if (n == 3 && !memcmp(text, "f16", n))
        l->dtype = MC_F16;
    else if (n == 3 && !memcmp(text, "f32", n))
        l->dtype = MC_F32;
    else
        return false;
    return l->width > 0 && l->width < 100;
}

int main(int argc, char **argv)
{
    /* Words: f16:8 f32:4 f16:2 */
    int count = 0;
    struct layer probe;
    for (int i = 1; i < argc; i++)
        count += read_layer(argv[i], &probe);
    if (!count)
        return 1;
    struct layer *layers = malloc((size_t)count * sizeof *layers);
    int64_t in = 4;
    for (int i = 1, k = 0; i < argc && k < count; i++) {
        struct layer *l = &layers[k];
        if (!read_layer(argv[i], l))
            continue;
        l->w = mc_randn(mc_shape(l->width, in), .dtype = l->dtype);
        in = l->width;
        k++;
    }
    mc_tensor *x = mc_ones(mc_shape(1, 4));
    for (int k = 0; k < count; k++) {
        x = mc_to_dtype(x, layers[k].dtype);
        x = mc_linear(x, layers[k].w, NULL);
    }
    mc_print(x);
    free(layers);
    return 0;
}
