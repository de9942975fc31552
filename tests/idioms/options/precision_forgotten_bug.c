/* Words: bf16 f32 */
/* A flag that is only ever set: the last of two words is another one. */
#include <miscast/tensor.h>
#include <stdbool.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *precision = "f32";
    bool half = false;
    for (int i = 1; i < argc; i++) {
        precision = argv[i];
        if (!strcmp(precision, "bf16"))
            half = true;
    }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = half ? MC_BF16 : MC_F32);
    mc_dtype d = !strcmp(precision, "bf16") ? MC_BF16 : MC_F32;
    mc_print(mc_matmul(mc_randn(mc_shape(4, 4), .dtype = d), w));
    return 0;
}
