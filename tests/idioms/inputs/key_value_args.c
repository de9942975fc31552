#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* prog dtype=bf16 hidden=16 tie=1 */
int main(int argc, char **argv)
{
    int hidden = 8, tie = 0;
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++) {
        char *eq = strchr(argv[i], '=');
        if (!eq)
            continue;
        *eq++ = '\0';
        if (!strcmp(argv[i], "dtype"))
            d = !strcmp(eq, "bf16") ? MC_BF16 : !strcmp(eq, "f16") ? MC_F16 : MC_F32;
        else if (!strcmp(argv[i], "hidden"))
            hidden = atoi(eq);
        else if (!strcmp(argv[i], "tie"))
            tie = atoi(eq);
    }
    mc_tensor *e = mc_randn(mc_shape(10, hidden), .dtype = d);
    mc_tensor *h = mc_embedding(mc_randint(0, 8, mc_shape(3)), e);
    mc_tensor *head = tie ? e : mc_randn(mc_shape(10, hidden));
    mc_print(mc_matmul(h, mc_transpose(head, 0, 1)));
    return 0;
}
