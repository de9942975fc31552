/* The sum rounds in f32 as well: only with the option is the number lost. */
#include <stdbool.h>
#include <string.h>

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    bool half = false;
    for (int i = 1; i < argc; i++)
        half |= !strcmp(argv[i], "--half");
    mc_tensor *p = mc_rand(mc_shape(8), .dtype = half ? MC_F16 : MC_F32);
    mc_print(mc_log(mc_add(p, 1e-8)));
    return 0;
}
