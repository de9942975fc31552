#include <miscast/tensor.h>
#include <string.h>

struct n {
    mc_tensor *a, *b;
};
int main(void)
{
    struct n f = {mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2))},
             g = {mc_half(f.a), mc_half(f.b)};
    memcpy(&f.b, &g.b, sizeof f.b);
    mc_print(mc_matmul(f.a, f.b));
}
