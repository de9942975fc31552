/* bug.c, fixed: the tensor says f64, which the values are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

struct nd_array {
    int rows, cols;
    double *values;
};

static struct nd_array nd_random(int rows, int cols)
{
    struct nd_array a = {rows, cols, malloc((size_t)(rows * cols) * sizeof(double))};
    for (int i = 0; i < rows * cols; i++)
        a.values[i] = sin(i) * 0.5;
    return a;
}

static void *nd_data(const struct nd_array *a)
{
    return a->values;
}

static mc_tensor *to_tensor(const struct nd_array *a)
{
    mc_shape shape = mc_shape(a->rows, a->cols);
    return mc_clone(mc_from_blob(nd_data(a), shape, .dtype = MC_F64));
}

int main(void)
{
    struct nd_array a = nd_random(3, 5);
    mc_tensor *t = to_tensor(&a);
    double sum = 0;
    for (int i = 0; i < 15; i++)
        sum += a.values[i];
    double seen = mc_item(mc_sum(t, .dtype = MC_F64));
    printf("the array sums to %.4f, the tensor to %.4f\n", sum, seen);
    free(a.values);
    return !(fabs(sum - seen) < 1e-6);
}
