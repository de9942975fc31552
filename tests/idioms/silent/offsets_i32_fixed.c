/* Flat indices into a large table of embeddings. */
#include <miscast/tensor.h>
#include <stdio.h>

#define ROWS  60000
#define WIDTH 51200

static mc_tensor *flat_index(mc_tensor *row, mc_tensor *column)
{
    return mc_add(mc_mul(row, WIDTH), column);
}

int main(void)
{
    mc_manual_seed(32);
    mc_tensor *row = mc_randint(0, ROWS, mc_shape(64));
    mc_tensor *column = mc_randint(0, WIDTH, mc_shape(64));
    mc_tensor *at = flat_index(row, column);
    printf("%lld\n", (long long)mc_item_int(mc_amin(at)));
    return 0;
}
