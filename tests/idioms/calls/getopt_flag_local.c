#include <miscast/tensor.h>
#include <getopt.h>

int main(int argc, char **argv)
{
    int half = 0;
    struct option l[] = {{"half", no_argument, &half, 1}, {0}};
    while (getopt_long(argc, argv, "", l, NULL) == 0)
        ;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}
