#include <miscast/tensor.h>
#include <string.h>

/* prog layers=linear,half,linear */
int main(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (argc < 2)
        return 0;
    for (char *t = strtok(argv[1], ","); t; t = strtok(NULL, ",")) {
        if (!strcmp(t, "linear"))
            x = mc_matmul(x, mc_randn(mc_shape(4, 4)));
        else if (!strcmp(t, "half"))
            x = mc_half(x);
        else if (!strcmp(t, "relu"))
            x = mc_relu(x);
    }
    mc_print(x);
    return 0;
}
