#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int p = argc > 1 ? atoi(argv[1]) : 0;
    mc_tensor *x = mc_rand(mc_shape(2, 2)), *w = mc_rand(mc_shape(2, 2));
    switch (p) {
    case 1:
        x = mc_half(x);
        break;
    case 2:
        x = mc_bfloat16(x);
        break;
    }
    switch (p) {
    case 1:
        w = mc_half(w);
        break;
    case 2:
        w = mc_bfloat16(w);
        break;
    }
    mc_print(mc_matmul(x, w));
}
