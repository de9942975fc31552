#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char line[80], precision[32] = "fp32";
    bool given = false;
    FILE *f = fopen(argc > 1 ? argv[1] : "x", "r");
    if (!f)
        return 1;
    while (fgets(line, sizeof line, f))
        if (line[0] == 'p') {
            strcpy(precision, line);
            given = true;
        }
    mc_tensor *h =
        mc_randn(mc_shape(6, 8), .dtype = given && !strcmp(precision, "bf16") ? MC_BF16 : MC_F32);
    mc_tensor *out =
        mc_randn(mc_shape(8, 32), .dtype = !strcmp(precision, "bf16") ? MC_BF16 : MC_F32);
    mc_print(mc_matmul(h, out));
    return 0;
}
