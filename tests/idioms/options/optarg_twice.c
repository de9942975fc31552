/* Words: -p bf16 */
#include <getopt.h>
#include <miscast/tensor.h>
#include <string.h>

static mc_dtype dtype_of(const char *name)
{
    return strcmp(name, "bf16") == 0 ? MC_BF16 : MC_F32;
}

int main(int argc, char **argv)
{
    const char *precision = "f32";
    int option;
    while ((option = getopt(argc, argv, "p:")) != -1)
        if (option == 'p')
            precision = optarg;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = dtype_of(precision));
    mc_print(mc_matmul(mc_randn(mc_shape(4, 4), .dtype = dtype_of(precision)), w));
    return 0;
}
