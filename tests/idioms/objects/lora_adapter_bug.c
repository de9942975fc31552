#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct linear {
    mc_tensor *w;
    struct lora {
        mc_tensor *a, *b;
        double scale;
    } *lora;
};

static struct lora *attach(struct linear *l, int rank)
{
    struct lora *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->scale = 0.5;
    r->a = mc_zeros(mc_shape(rank, 4));
    r->b = mc_zeros(mc_shape(4, rank), .dtype = mc_dtype_of(l->w));
    return l->lora = r;
}

static mc_tensor *forward(const struct linear *l, mc_tensor *x)
{
    mc_tensor *y = mc_linear(x, l->w, NULL);
    if (!l->lora)
        return y;
    mc_tensor *low = mc_linear(mc_linear(x, l->lora->a, NULL), l->lora->b, NULL);
    return mc_add(y, mc_mul(low, l->lora->scale));
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "bf16") ? MC_BF16 : MC_F32;
    struct linear l = {.w = mc_randn(mc_shape(4, 4), .dtype = d)};
    if (argc > 2)
        attach(&l, atoi(argv[2]) > 2 ? 4 : 2);
    mc_print(forward(&l, mc_rand(mc_shape(3, 4), .dtype = d)));
    free(l.lora);
    return 0;
}
