#include <miscast/tensor.h>
#include <string.h>

struct layer {
    mc_dtype dtype;
    mc_tensor *w, *b;
};

struct stack {
    struct layer layers[8];
    int count;
};

static struct layer *next_layer(struct stack *s)
{
    struct layer *l = &s->layers[s->count++];
    memset(l, 0, sizeof *l);
    return l;
}

int main(int argc, char **argv)
{
    struct stack s = {0};
    for (int i = 1; i < argc && s.count < 8; i++) {
        struct layer *l = next_layer(&s);
        l->dtype = strcmp(argv[i], "--half") == 0 ? MC_F16 : MC_F32;
        l->w = mc_randn(mc_shape(8, 8), .dtype = l->dtype);
        l->b = mc_zeros(mc_shape(8), .dtype = l->dtype);
    }
    mc_tensor *x = mc_randn(mc_shape(2, 8));
    for (int i = 0; i < s.count; i++) {
        const struct layer *l = &s.layers[i];
        x = mc_tanh(mc_linear(mc_to_dtype(x, l->dtype), l->w, l->b));
    }
    mc_print(x);
    return 0;
}
