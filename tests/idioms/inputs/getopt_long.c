#include <getopt.h>
#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const struct option table[] = {
        {"precision", required_argument, NULL, 'p'},
        {"ema", no_argument, NULL, 'e'},
        {"steps", required_argument, NULL, 's'},
        {0},
    };
    int precision = 32, steps = 1, o;
    bool ema = false;
    while ((o = getopt_long(argc, argv, "p:es:", table, NULL)) != -1) {
        if (o == 'p')
            precision = atoi(optarg);
        else if (o == 'e')
            ema = true;
        else if (o == 's')
            steps = atoi(optarg);
        else
            return 1;
    }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = precision == 16 ? MC_F16 : MC_F32);
    mc_tensor *average = ema ? mc_zeros(mc_shape(4, 4)) : NULL;
    for (int i = 0; i < steps; i++)
        if (average)
            average = mc_lerp(average, w, 0.1);
    mc_print(average ? average : w);
    return 0;
}
