#include <miscast/tensor.h>
#include <string.h>
int main(int argc, char **argv)
{
    const char *d = argv[1];
    if (argv[2][0] == 'x')
        for (int i = 3; argv[i]; i++)
            if (argv[i][0] == 'z')
                d = argv[i];
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (strcmp(d, "f16") == 0)
        w = mc_half(w);
    if (!strcmp(d, "f16"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}
