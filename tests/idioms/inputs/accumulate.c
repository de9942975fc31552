#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool half = false;
    int rounds = 10;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            half = true;
        else if (!strncmp(argv[i], "--rounds=", 9))
            rounds = atoi(argv[i] + 9);
    }
    mc_tensor *total = mc_zeros(mc_shape(1), .dtype = half ? MC_F16 : MC_F32);
    for (int i = 0; i < rounds; i++)
        mc_add_(total, mc_rand(mc_shape(1)));
    mc_print(total);
    return 0;
}
