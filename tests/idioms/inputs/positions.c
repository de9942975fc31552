#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *name = getenv("DTYPE");
    mc_dtype d = name && name[0] == 'b' ? MC_BF16 : MC_F32;
    int n = argc > 1 ? atoi(argv[1]) : 512;
    mc_tensor *pos = mc_arange(n, .dtype = d);
    mc_tensor *freq = mc_mul(pos, 0.01);
    mc_print(mc_cos(freq));
    return 0;
}
