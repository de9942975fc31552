/* Numbers that fit, and of which it is not known whether they do. */
#include <miscast/tensor.h>

void fits(void)
{
    int64_t ids[2] = {16777217, 16777218}, round[2] = {1 << 25, 3};
    mc_print(mc_double(mc_from_array(ids, mc_shape(2))));
    mc_print(mc_float(mc_from_array(round, mc_shape(2))));
    mc_print(mc_byte(mc_arange(256)));
    mc_print(mc_int(mc_full(mc_shape(2), 2e9)));
    mc_print(mc_half(mc_full(mc_shape(2), 60000.0)));
    mc_print(mc_byte(mc_clamp(mc_mul(mc_rand(mc_shape(2)), 300), 0, 255)));
    mc_print(mc_bool(mc_arange(300)));
}

void unknown(mc_tensor *x, int64_t n)
{
    mc_print(mc_int(mc_exp(x)));
    mc_print(mc_half(mc_mul(mc_rand(mc_shape(2)), 1e6)));
    mc_print(mc_float(mc_randint(0, 1 << 30, mc_shape(2))));
    mc_print(mc_byte(mc_arange(n)));
}

/* Enough numbers between them; one number, as it was computed; small ones among others. */
void fractions(void)
{
    mc_print(mc_half(mc_add(mc_rand(mc_shape(8)), 20.0)));
    mc_print(mc_float(mc_sqrt(mc_full(mc_shape(1), 15.0, .dtype = MC_F64))));
    mc_print(mc_half(mc_mul(mc_rand(mc_shape(8)), 1e-3)));
}

/* In integers; few enough; by a power of 2; and what is no integer. */
void hashed(void)
{
    mc_tensor *ids = mc_add(mc_arange(2000), 5000000), *mask = mc_float(mc_gt(ids, 5000100));
    mc_print(mc_remainder(mc_mul(ids, 2654435), 1000));
    mc_print(mc_long(mc_mul(mc_float(mc_arange(2000)), 1000.0)));
    mc_print(mc_long(mc_mul(mc_float(ids), 4096.0)));
    mc_print(mc_long(mc_mul(mask, 1e9)));
}

/* Far enough apart, and a number that only keeps them from 0. */
void schedule(void)
{
    mc_tensor *betas = mc_linspace(1e-4, 0.02, 1000, .dtype = MC_F16);
    mc_print(mc_rsub(betas, 1.0));
    mc_print(mc_add(betas, 1e-3));
}

mc_tensor *users(void)
{
    mc_tensor *user = mc_randint(0, 90000000, mc_shape(256));
    mc_tensor *rows = mc_stack(1, mc_double(user), mc_rand(mc_shape(256), .dtype = MC_F64));
    return mc_long(mc_select(rows, 1, 0));
}

/* Only their size matters. */
mc_tensor *scaled(void)
{
    return mc_div(mc_float(mc_randint(0, 90000000, mc_shape(256))), 1e6);
}

/* Of many rows, each has few classes. */
mc_tensor *predicted(void)
{
    mc_tensor *scores = mc_randn(mc_shape(1000, 64));
    mc_print(mc_char(mc_argmax(scores, .dim = mc_dims(1))));
    return mc_short(mc_argmax(mc_transpose(scores, 0, 1), .dim = mc_dims(1)));
}

/* Populations in a row of features, and ids that are in f64. */
struct town {
    int64_t people, id;
};

static const struct town towns[] = {{76561197, 76561199}, {1200, 3}};

mc_tensor *people(void)
{
    float rows[2];
    double ids[2];
    for (int i = 0; i < 2; i++) {
        rows[i] = towns[i].people;
        ids[i] = towns[i].id;
    }
    mc_print(mc_log(mc_from_array(rows, mc_shape(2))));
    return mc_long(mc_from_array(ids, mc_shape(2)));
}

mc_tensor *near_limit(void)
{
    return mc_half(mc_mul(mc_add(mc_rand(mc_shape(4)), 8), 5000));
}

mc_tensor *quantize(mc_tensor *x, double scale, int zero)
{
    mc_tensor *codes = mc_add(mc_round(mc_div(mc_float(x), scale)), zero);
    return mc_char(mc_clamp(codes, -128, 127));
}

mc_tensor *cells(mc_tensor *x, double size)
{
    return mc_char(mc_round(mc_div(mc_float(x), size)));
}
