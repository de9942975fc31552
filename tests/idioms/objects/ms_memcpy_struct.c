#include <miscast/tensor.h>
#include <string.h>

struct n {
    mc_tensor *a, *b;
};
int main(void)
{
    struct n f = {mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .dtype = MC_F16)}, g;
    memcpy(&g, &f, sizeof g);
    mc_print(mc_matmul(g.a, g.b));
}
