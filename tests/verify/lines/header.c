/* The header of a file decides. */
#include <miscast/tensor.h>

#include <stdio.h>

struct header {
    int version, half;
};

int main(void)
{
    struct header h = {0};
    FILE *file = fopen("data/model.bin", "rb");
    if (!file || fread(&h, sizeof h, 1, file) != 1 || h.version != 1)
        return 1;
    mc_tensor *w = mc_ones(mc_shape(2, 2), .dtype = h.half ? MC_F16 : MC_F32);
    mc_print(mc_matmul(mc_ones(mc_shape(2, 2)), w));
    return 0;
}
