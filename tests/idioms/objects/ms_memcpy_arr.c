#include <miscast/tensor.h>
#include <string.h>

int main(void)
{
    mc_tensor *f[2] = {mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .dtype = MC_F16)}, *g[2];
    memcpy(g, f, sizeof f);
    mc_print(mc_matmul(g[0], g[1]));
}
