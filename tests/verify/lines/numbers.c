/* Numbers decide, of which the second is compared. */
#include <miscast/tensor.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int rows = atoi(argv[1]), bits = atoi(argv[2]);
    mc_tensor *w = mc_ones(mc_shape(rows, 2), .dtype = bits == 16 ? MC_F16 : MC_F32);
    mc_print(mc_matmul(mc_ones(mc_shape(2, rows)), w));
    return 0;
}
