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
int main(int argc, char **argv)
{
    if (argc > 1)
        gd = MC_F16;
    init();
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = G.d), G.w));
    init();
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = G.d), G.w));
    (void)argv;
}
