#include <miscast/tensor.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

int main(int argc, char **argv)
{
    const char *precision = NULL;
    bool half = false;
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "--precision=", 12)) {
            precision = argv[i] + 12;
            half = !strcasecmp(precision, "bf16");
        }
    bool is_half = precision && !strcmp(precision, "bf16");
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = half ? MC_BF16 : MC_F32);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = is_half ? MC_BF16 : MC_F32);
    mc_print(mc_matmul(x, w));
    return 0;
}
