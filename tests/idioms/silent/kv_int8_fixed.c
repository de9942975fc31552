/* Keys are kept in 8 bits to save memory. */
#include <miscast/tensor.h>
#include <stdio.h>

struct cache {
    mc_tensor *keys[16];
    mc_tensor *scale[16];
    int length;
};

static void append(struct cache *c, mc_tensor *k)
{
    mc_tensor *scale = mc_div(mc_max(mc_abs(k)), 127.0);
    c->scale[c->length] = scale;
    c->keys[c->length++] = mc_char(mc_clamp(mc_round(mc_div(k, scale)), -127.0, 127.0));
}

static mc_tensor *key(struct cache *c, int i)
{
    return mc_mul(mc_float(c->keys[i]), c->scale[i]);
}

int main(void)
{
    struct cache c = {.length = 0};
    mc_manual_seed(15);
    mc_tensor *k = mc_tanh(mc_randn(mc_shape(8)));
    append(&c, k);
    printf("error %g\n", mc_item(mc_max(mc_abs(mc_sub(key(&c, 0), k)))));
    return 0;
}
