#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *w;
static mc_dtype wd;
static void init(mc_dtype d)
{
    if (!w) {
        wd = d;
        w = mc_rand(mc_shape(2, 2), .dtype = d);
    }
}
int main(int argc, char **argv)
{
    mc_dtype d = argc > 2 ? MC_F16 : MC_F32;
    for (int i = 0, n = atoi(argv[1]); i < n; i++) {
        init(d);
        mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = d), w));
    }
}
