#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char b[8];
    snprintf(b, sizeof b, "%s", argv[1]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (!strcmp(b, "h"))
        w = mc_half(w);
    if (!strcmp(b, "h"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
