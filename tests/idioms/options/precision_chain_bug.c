/* Words: --dtype f16 bf16 bfloat16 */
#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *name = "f32";
    int mode = 0;
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--dtype")) {
            name = argv[++i];
            if (!strcmp(name, "f16"))
                mode = 1;
            else if (!strcmp(name, "bf16"))
                mode = 2;
            else
                mode = 0;
        }
    mc_dtype d = mode == 1 ? MC_F16 : mode == 2 ? MC_BF16 : MC_F32;
    mc_dtype e = !strcmp(name, "f16") ? MC_F16 : !strcmp(name, "bfloat16") ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d);
    mc_print(mc_matmul(mc_randn(mc_shape(4, 4), .dtype = e), w));
    return 0;
}
