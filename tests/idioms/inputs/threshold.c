#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int batch = 8;
    double dropout = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "-b"))
            batch = atoi(argv[i + 1]);
        else if (!strcmp(argv[i], "-d"))
            dropout = atof(argv[i + 1]);
    }
    mc_tensor *x = mc_randn(mc_shape(batch, 4)), *w = mc_randn(mc_shape(4, 4));
    if (batch > 64) /* save memory */
        x = mc_bfloat16(x);
    if (dropout > 0)
        x = mc_dropout(x, dropout);
    mc_print(mc_matmul(x, w));
    return 0;
}
