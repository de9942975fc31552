/* Words: -p bf16 f16 */
#include <getopt.h>
#include <miscast/tensor.h>
#include <stdbool.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *precision = "f32";
    bool half = false;
    int option;
    while ((option = getopt(argc, argv, "p:v")) != -1)
        switch (option) {
        case 'p':
            precision = optarg;
            half = !strcmp(precision, "f16");
            break;
        case 'v':
            break;
        default:
            return 2;
        }
    mc_dtype d = !strcmp(precision, "bf16") ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = half ? MC_BF16 : MC_F32);
    mc_print(mc_matmul(mc_randn(mc_shape(4, 4), .dtype = d), w));
    return 0;
}
