/* The place of each pixel in the mosaic of a whole survey. */
#include <miscast/tensor.h>
#include <stdio.h>

struct mosaic {
    int64_t width;
    int64_t height;
};

static mc_tensor *flat_index(const struct mosaic *m, mc_tensor *y, mc_tensor *x)
{
    return mc_add(mc_mul(mc_long(y), m->width), x);
}

int main(void)
{
    struct mosaic m = {.width = 65536, .height = 65536};
    mc_manual_seed(5);
    mc_tensor *y = mc_randint(0, 65536, mc_shape(100), .dtype = MC_I32);
    mc_tensor *x = mc_randint(0, 65536, mc_shape(100), .dtype = MC_I32);
    mc_tensor *index = flat_index(&m, y, x);
    printf("smallest %lld\n", (long long)mc_item_int(mc_amin(index)));
    return 0;
}
