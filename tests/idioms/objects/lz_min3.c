#include <miscast/tensor.h>
#include <stdlib.h>

static bool in;
static mc_tensor *w;
static mc_dtype wd, gd = MC_F32;
static void init(void)
{
    if (in)
        return;
    wd = gd;
    w = mc_rand(mc_shape(2, 2), .dtype = wd);
    in = true;
}
int main(int argc, char **argv)
{
    if (argc > 2)
        gd = MC_F16;
    for (int i = 0, n = atoi(argv[1]); i < n; i++) {
        init();
        mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = wd), w));
    }
}
