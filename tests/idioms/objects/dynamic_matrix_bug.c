#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor **table_new(int rows, int cols, const mc_dtype *of_row)
{
    mc_tensor **t = malloc(sizeof *t * (size_t)(rows * cols));
    if (!t)
        exit(1);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            t[r * cols + c] = mc_ones(mc_shape(2, 2), .dtype = of_row[r]);
    return t;
}

int main(void)
{
    const mc_dtype dtypes[] = {MC_F32, MC_F64};
    mc_tensor **t = table_new(2, 2, dtypes);
    mc_print(mc_matmul(t[0], t[1]));
    mc_print(mc_matmul(t[1], t[3]));
    free(t);
    return 0;
}
