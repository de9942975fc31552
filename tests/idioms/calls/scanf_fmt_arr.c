#include <miscast/tensor.h>
#include <stdio.h>

struct m {
    mc_tensor *x, *w;
    int n;
};
int main(int argc, char **argv)
{
    struct m m = {mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .dtype = MC_F16), 0};
    for (int i = 1; i < argc; i++)
        sscanf(argv[i], "%d", &m.n);
    mc_print(mc_matmul(m.x, m.w));
}
