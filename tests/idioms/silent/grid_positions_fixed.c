/* Sinusoidal encodings for the patches of an image, row by row. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct vit {
    int64_t side, width;
    mc_dtype dtype;
    mc_tensor *table;
};

static void build_table(struct vit *v)
{
    int64_t n = v->side * v->side;
    mc_tensor *pos = mc_arange(n, .dtype = MC_F32);
    mc_tensor *index = mc_arange(v->width / 2, .dtype = MC_F32);
    mc_tensor *div = mc_exp(mc_mul(index, -2 * log(10000.0) / (double)v->width));
    mc_tensor *angle = mc_mul(mc_unsqueeze(pos, 1), mc_unsqueeze(div, 0));
    v->table = mc_to_dtype(mc_cat(1, mc_sin(angle), mc_cos(angle)), v->dtype);
}

int main(int argc, char **argv)
{
    struct vit v = {.side = 64, .width = 32, .dtype = MC_F32};
    if (argc > 1 && !strcmp(argv[1], "--bf16"))
        v.dtype = MC_BF16;
    build_table(&v);
    mc_tensor *a = mc_select(v.table, 0, 4001), *b = mc_select(v.table, 0, 4002);
    printf("%g\n", mc_item(mc_max(mc_abs(mc_sub(mc_float(a), mc_float(b))))));
    return 0;
}
