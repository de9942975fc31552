#include <miscast/tensor.h>

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
    if (argc > 1)
        gd = MC_F16;
    for (int i = 0; i < 3; i++)
        mc_print(apply(mc_rand(mc_shape(2, 2))));
    (void)argv;
}
