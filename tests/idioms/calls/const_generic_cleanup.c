#include <miscast/tensor.h>
#include <stdlib.h>

static void drop(mc_tensor **t)
{
    *t = NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *keep = mc_rand(mc_shape(4, 4), .dtype = argc > 1 ? MC_F64 : MC_F32);
    {
        __attribute__((cleanup(drop))) mc_tensor *tmp = mc_rand(mc_shape(4, 4));
        keep = mc_matmul(mc_float(keep), tmp);
    }
    mc_print(keep);
    return 0;
}
