#include <miscast/tensor.h>

#include <math.h>

void infinite(void)
{
    mc_tensor *limit = mc_full(mc_shape(2), INFINITY);
    mc_print(mc_int(limit));                                /* expect: cast-beyond-dtype warning */
    mc_print(mc_int(mc_div(mc_zeros(mc_shape(2)), 0.0)));   /* expect: cast-beyond-dtype warning */
}

void too_large(void)
{
    mc_tensor *x = mc_full(mc_shape(2), 3e9);
    mc_print(mc_int(x));                                    /* expect: cast-beyond-dtype warning */
    mc_print(mc_half(mc_mul(mc_ones(mc_shape(2)), 1e5)));   /* expect: cast-beyond-dtype warning */
    mc_print(mc_byte(mc_arange(300)));                      /* expect: cast-beyond-dtype warning */
    mc_print(mc_byte(mc_neg(mc_arange(3))));                /* expect: cast-beyond-dtype warning */
}

void ids(void)
{
    int64_t all[2] = {16777217, 16777218};
    mc_tensor *t = mc_from_array(all, mc_shape(2)), *to = mc_zeros(mc_shape(2));
    mc_print(mc_int(mc_float(t)));                          /* expect: cast-beyond-dtype warning */
    mc_copy_(to, t);                                        /* expect: cast-beyond-dtype warning */
    mc_print(to);
}

/* Numbers that are close to each other, and numbers that are too small. */
void fractions(void)
{
    mc_tensor *north = mc_add(mc_rand(mc_shape(8), .dtype = MC_F64), 5412345.0);
    mc_print(mc_sub(mc_float(north), 5412345.0));           /* expect: cast-beyond-dtype warning */
    mc_tensor *state = mc_zeros(mc_shape(8), .dtype = MC_F16);
    mc_copy_(state, mc_mul(mc_rand(mc_shape(8)), 1e-8));    /* expect: cast-beyond-dtype warning */
    mc_print(state);
}

void hashed(void)
{
    mc_tensor *ids = mc_add(mc_arange(2000), 5000000);
    mc_tensor *hash = mc_mul(mc_float(ids), 2654435.0);     /* expect: cast-beyond-dtype warning */
    mc_print(mc_long(mc_remainder(hash, 1000)));
}

/* 1 - 0.0001 is 1 in bf16. */
void schedule(void)
{
    mc_tensor *betas = mc_linspace(1e-4, 0.02, 1000, .dtype = MC_BF16); /* expect: half-positions note */
    mc_print(mc_cumprod(mc_rsub(betas, 1.0), 0)); /* expect: cast-beyond-dtype warning, half-accumulator warning */
}

mc_tensor *log_rest(mc_tensor *x)
{
    mc_tensor *p = mc_clamp(mc_sigmoid(mc_float(x)), 1e-8, 1 - 1e-8); /* expect: cast-beyond-dtype warning */
    return mc_log(mc_rsub(p, 1.0));
}

/* Kept next to floats for a while. */
mc_tensor *users(void)
{
    mc_tensor *user = mc_randint(0, 90000000, mc_shape(256));
    mc_tensor *rows = mc_stack(1, mc_float(user), /* expect: cast-beyond-dtype warning */
                               mc_rand(mc_shape(256)));
    return mc_long(mc_select(rows, 1, 0));
}

/* One of a thousand classes. */
mc_tensor *predicted(void)
{
    mc_tensor *scores = mc_randn(mc_shape(64, 1000));
    return mc_byte(mc_argmax(scores, .dim = mc_dims(1))); /* expect: cast-beyond-dtype warning */
}

/* Ids in a row of features. */
struct rating {
    int64_t user;
    float stars;
};

static const struct rating ratings[] = {{76561197, 4.5f}, {76561199, 2}};

mc_tensor *raters(void)
{
    float rows[2][2];
    for (int i = 0; i < 2; i++) {
        rows[i][0] = ratings[i].user;
        rows[i][1] = ratings[i].stars;
    }
    mc_tensor *t = mc_from_array(&rows[0][0], mc_shape(2, 2)); /* expect: cast-beyond-dtype warning */
    return mc_long(mc_select(t, 1, 0));
}

/* All are beyond f16, whatever they are. */
mc_tensor *far_beyond(void)
{
    mc_tensor *x = mc_mul(mc_add(mc_rand(mc_shape(4)), 8), 15000);
    return mc_half(x); /* expect: cast-beyond-dtype warning */
}

/* Quantized with a zero point. */
mc_tensor *quantize(mc_tensor *x, double scale, int zero)
{
    mc_tensor *codes = mc_add(mc_round(mc_div(mc_float(x), scale)), zero);
    return mc_char(codes); /* expect: cast-beyond-dtype warning */
}
