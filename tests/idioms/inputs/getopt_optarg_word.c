#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *mode = "train";
    int opt, width = 4;
    mc_dtype d = MC_F32;
    while ((opt = getopt(argc, argv, "m:w:t:")) != -1) {
        if (opt == 'm')
            mode = optarg;
        if (opt == 'w')
            width = atoi(optarg);
        if (opt == 't')
            d = !strcmp(optarg, "half") ? MC_F16 : MC_F32;
    }
    mc_tensor *x = mc_randn(mc_shape(2, width), .dtype = d);
    mc_tensor *w = mc_randn(mc_shape(width, 2), .dtype = d);
    mc_tensor *y = mc_matmul(x, w);
    if (!strcmp(mode, "calibrate"))
        y = mc_matmul(y, mc_eye(2));
    mc_print(y);
    return 0;
}
