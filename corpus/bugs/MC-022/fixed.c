/* An energy model in f64. Its time is embedded by a table of sines, which a helper makes in f32. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { TABLE = 6, HIDDEN = 8 };

struct mlp {
    mc_tensor *w1, *b1;
    mc_tensor *w2;
};

static void mlp_init(struct mlp *m)
{
    mc_manual_seed(22);
    m->w1 = mc_randn(mc_shape(HIDDEN, TABLE));
    m->b1 = mc_zeros(mc_shape(HIDDEN));
    m->w2 = mc_randn(mc_shape(1, HIDDEN));
}

static void mlp_double(struct mlp *m)
{
    m->w1 = mc_double(m->w1);
    m->b1 = mc_double(m->b1);
    m->w2 = mc_double(m->w2);
}

static mc_tensor *sinusoid(mc_tensor *t)
{
    mc_tensor *k = mc_arange(TABLE / 2, .dtype = MC_F32);
    mc_tensor *angle = mc_mul(mc_float(mc_unsqueeze(t, 1)), mc_add(k, 1));
    return mc_cat(1, mc_sin(angle), mc_cos(angle));
}

static mc_tensor *energy(const struct mlp *m, mc_tensor *t)
{
    mc_tensor *table = sinusoid(t);
    table = mc_to_dtype(table, mc_dtype_of(m->w1));
    mc_tensor *h = mc_linear(table, m->w1, m->b1);
    return mc_squeeze(mc_linear(mc_silu(h), m->w2, NULL), -1);
}

int main(void)
{
    struct mlp m;
    mlp_init(&m);
    mlp_double(&m);
    mc_tensor *t = mc_linspace(0, 1, 5, .dtype = MC_F64);
    mc_tensor *e = energy(&m, t);
    printf("energy along the way, in %s:\n", mc_dtype_name(mc_dtype_of(e)));
    mc_print(e);
    return 0;
}
