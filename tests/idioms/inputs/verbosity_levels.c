#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int v = 0;
    bool half = false;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && strspn(argv[i] + 1, "v") == strlen(argv[i] + 1))
            v += (int)strlen(argv[i] + 1);
        else if (!strcmp(argv[i], "half"))
            half = true;
    }
    mc_tensor *w = mc_randn(mc_shape(2, 2), .dtype = half ? MC_F16 : MC_F32);
    if (v >= 2) {
        mc_tensor *probe = mc_ones(mc_shape(2, 2));
        printf("%g\n", mc_item(mc_sum(mc_matmul(w, probe))));
    }
    mc_print(w);
    return 0;
}
