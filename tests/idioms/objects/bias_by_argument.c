#include <miscast/tensor.h>
#include <string.h>

/* A bias for some layers only: where there is none, the pointer is NULL. */
struct layer {
    mc_dtype dtype;
    bool has_bias;
    mc_tensor *w, *b;
};

struct stack {
    struct layer layers[8];
    int count;
};

int main(int argc, char **argv)
{
    struct stack s = {0};
    for (int i = 1; i + 1 < argc && s.count < 8; i += 2) {
        struct layer *l = &s.layers[s.count++];
        l->dtype = strcmp(argv[i], "bf16") == 0 ? MC_BF16 : MC_F32;
        l->w = mc_randn(mc_shape(5, 5), .dtype = l->dtype);
        if (strcmp(argv[i + 1], "bias") == 0) {
            l->has_bias = true;
            l->b = mc_zeros(mc_shape(5), .dtype = l->dtype);
        }
    }
    mc_tensor *x = mc_randn(mc_shape(2, 5));
    for (int i = 0; i < s.count; i++) {
        const struct layer *l = &s.layers[i];
        mc_tensor *h = mc_matmul(mc_to_dtype(x, l->dtype), l->w);
        if (l->has_bias)
            mc_add_(h, l->b);
        x = mc_to_dtype(h, MC_F32);
    }
    mc_print(x);
    return 0;
}
