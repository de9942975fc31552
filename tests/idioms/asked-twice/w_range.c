#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), m = 0;
    switch (n) {
    case 0 ... 3:
        m = 1;
        break;
    case 4 ... 7:
        m = 2;
        break;
    }
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (m == 1)
        w = mc_half(w);
    if (n >= 0 && n <= 3)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}
