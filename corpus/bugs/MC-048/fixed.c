/* Linear regression from scratch. The features are drawn by a function of the host, which computes
 * in double, and the tensor takes their type. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

enum { EXAMPLES = 12, INPUTS = 2 };

/* Two uniform numbers make a normal one. */
static double normal(void)
{
    double u = (rand() + 1.0) / (RAND_MAX + 2.0), v = (rand() + 1.0) / (RAND_MAX + 2.0);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static mc_tensor *make_features(void)
{
    double numbers[EXAMPLES * INPUTS];
    for (int i = 0; i < EXAMPLES * INPUTS; i++)
        numbers[i] = normal();
    mc_tensor *x = mc_from_array(numbers, mc_shape(EXAMPLES, INPUTS));
    return mc_to_dtype(x, MC_F32);
}

static mc_tensor *predict(mc_tensor *x, mc_tensor *w, mc_tensor *b)
{
    return mc_add(mc_mm(x, w), b);
}

int main(void)
{
    mc_tensor *w = mc_zeros(mc_shape(INPUTS, 1)), *b = mc_zeros(mc_shape(1));
    mc_normal_(w, 0, 0.01);
    mc_tensor *x = make_features();
    mc_tensor *y = predict(x, w, b);
    printf("%d predictions in %s\n", (int)mc_size(y, 0), mc_dtype_name(mc_dtype_of(y)));
    return 0;
}
