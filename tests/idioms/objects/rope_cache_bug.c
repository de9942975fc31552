#include <miscast/tensor.h>
#include <stdlib.h>

struct rope {
    mc_tensor *cos;
    int length;
};

static mc_tensor *rope_for(struct rope *r, mc_tensor *x)
{
    int n = (int)mc_size(x, 0);
    if (r->length < n) {
        r->cos = mc_cos(mc_ones(mc_shape(n, n), .device = mc_device_of(x)));
        r->length = n;
    }
    return r->cos;
}

int main(int argc, char **argv)
{
    struct rope r = {0};
    mc_tensor *x = mc_rand(mc_shape(4, 4), .dtype = argc > 1 && atoi(argv[1]) ? MC_BF16 : MC_F32);
    for (int i = 0; i < 3; i++)
        x = mc_matmul(rope_for(&r, x), x);
    mc_print(x);
    return 0;
}
