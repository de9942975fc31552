#include <miscast/tensor.h>
#include <stdlib.h>

static struct {
    bool in;
    mc_dtype d;
    mc_tensor *w;
} G;
static mc_dtype gd = MC_F32;
static void init(void)
{
    if (G.in)
        return;
    G.d = gd;
    G.w = mc_rand(mc_shape(2, 2), .dtype = G.d);
    G.in = true;
}
static mc_tensor *apply(mc_tensor *x)
{
    init();
    return mc_matmul(mc_to_dtype(x, G.d), G.w);
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    if (argc > 2)
        gd = MC_F16;
    for (int i = 0; i < n; i++)
        mc_print(apply(mc_rand(mc_shape(2, 2))));
}
