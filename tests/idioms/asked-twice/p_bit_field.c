#include <miscast/tensor.h>
#include <stdlib.h>

struct s {
    unsigned f;
};
int main(int argc, char **argv)
{
    struct s s = {0};
    for (int i = 1; i < argc; i++)
        s.f |= (unsigned)atoi(argv[i]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (s.f & 2)
        w = mc_half(w);
    if (s.f & 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
