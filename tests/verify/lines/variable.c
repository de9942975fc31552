/* A variable of the environment decides. */
#include <miscast/tensor.h>

#include <stdlib.h>
#include <string.h>

static mc_dtype dtype_wanted(void)
{
    const char *said = getenv("MODEL_DTYPE");
    return said && strcmp(said, "half") == 0 ? MC_F16 : MC_F32;
}

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(2, 2), .dtype = dtype_wanted());
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), w));
    return 0;
}
