/* Standard input decides. */
#include <miscast/tensor.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64] = "";
    mc_dtype dtype = fgets(line, sizeof line, stdin) && !strcmp(line, "half\n") ? MC_F16 : MC_F32;
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), mc_ones(mc_shape(2, 2), .dtype = dtype)));
    return 0;
}
