#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *next_batch(int i, mc_dtype d)
{
    return i < 4 ? mc_full(mc_shape(2, 4), i, .dtype = d) : NULL;
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && atoi(argv[1]) ? MC_F64 : MC_F32;
    mc_tensor *w = mc_rand(mc_shape(4, 4), .dtype = d);
    mc_tensor *current = next_batch(0, d), *following;
    for (int i = 1; current; i++) {
        following = next_batch(i, d);
        mc_print(mc_matmul(current, w));
        current = following;
    }
    return 0;
}
