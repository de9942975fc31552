#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *kind = getenv("STAT");
    mc_tensor *x = mc_arange(8);
    mc_tensor *sum = mc_sum(x);
    mc_tensor *mean;
    if (kind && !strcmp(kind, "floor"))
        mean = mc_div(sum, 7.0);
    else if (kind && !strcmp(kind, "int"))
        mean = mc_to_dtype(mc_div(mc_add(sum, 1.0), 7.0), MC_I64);
    else
        mean = mc_mean(mc_float(x));
    mc_print(mean);
    (void)argc;
    (void)argv;
    return 0;
}
