#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char name[8] = "f32";
    int rows = 4;
    if (argc > 1 && sscanf(argv[1], "%7[a-z0-9]:%d", name, &rows) < 1)
        return 2;
    if (rows < 1 || rows > 64)
        rows = 4;
    mc_dtype d = MC_F32;
    if (strcmp(name, "f16") == 0)
        d = MC_F16;
    else if (strcmp(name, "f64") == 0)
        d = MC_F64;
    mc_tensor *a = mc_ones(mc_shape(rows, 4), .dtype = d);
    mc_tensor *b = mc_ones(mc_shape(4, 4), .dtype = !strcmp(name, "f16") ? MC_F16 : MC_F32);
    mc_print(mc_matmul(a, b));
    return 0;
}
