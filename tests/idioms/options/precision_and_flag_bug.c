/* Words: --precision bf16 f16 */
#include <miscast/tensor.h>
#include <stdbool.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *precision = "f32";
    bool half = false;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--precision") && i + 1 < argc) {
            precision = argv[++i];
            half = !strcmp(precision, "f16");
        }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = half ? MC_BF16 : MC_F32);
    mc_dtype d = !strcmp(precision, "bf16") ? MC_BF16 : MC_F32;
    mc_print(mc_matmul(mc_randn(mc_shape(4, 4), .dtype = d), w));
    return 0;
}
