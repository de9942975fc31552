/* Keys are kept in 8 bits to save memory. */
#include <miscast/tensor.h>
#include <stdio.h>

struct cache {
    mc_tensor *keys[16];
    int length;
};

static void append(struct cache *c, mc_tensor *k)
{
    c->keys[c->length++] = mc_char(k);
}

static mc_tensor *key(struct cache *c, int i)
{
    return mc_float(c->keys[i]);
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
