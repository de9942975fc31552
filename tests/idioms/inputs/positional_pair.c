#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 3) {
        printf("usage: %s ACTIVATION HEAD\n", argv[0]);
        return 1;
    }
    mc_tensor *x = mc_randn(mc_shape(2, 5));
    if (!strcmp(argv[1], "sigmoid"))
        x = mc_sigmoid(x);
    else if (!strcmp(argv[1], "argmax"))
        x = mc_argmax(x, .dim = mc_dims(1), .keepdim = true);
    if (!strcmp(argv[2], "linear"))
        x = mc_matmul(x, mc_randn(mc_shape(mc_size(x, 1), 2)));
    mc_print(x);
    return 0;
}
