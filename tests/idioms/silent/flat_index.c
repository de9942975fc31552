/* Row and column of detections become one index into the heat map. */
#include <miscast/tensor.h>
#include <stdio.h>

enum { HEIGHT = 480, WIDTH = 640 };

static mc_tensor *flat(mc_tensor *row, mc_tensor *col)
{
    return mc_add(mc_mul(row, WIDTH), col);
}

int main(void)
{
    mc_manual_seed(13);
    mc_tensor *row = mc_randint(0, HEIGHT, mc_shape(100), .dtype = MC_I16);
    mc_tensor *col = mc_randint(0, WIDTH, mc_shape(100), .dtype = MC_I16);
    mc_tensor *index = flat(row, col);
    printf("%lld to %lld\n", (long long)mc_item_int(mc_min(index)),
           (long long)mc_item_int(mc_max(index)));
    return 0;
}
