/* Sizes that are products of numbers which are not known. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

/* The size of another type, and none at all. */
mc_tensor *copied(const float *from, int rows, int cols)
{
    mc_tensor *t = mc_empty(mc_shape(rows, cols));
    memcpy(mc_data_f32(t), from, (size_t)rows * cols * sizeof(double)); /* expect: buffer-size error */
    memcpy(mc_data_f32(t), from, (size_t)rows * cols);                  /* expect: buffer-size warning */
    return t;
}

mc_tensor *halves(FILE *file, int n)
{
    mc_tensor *t = mc_zeros(mc_shape(n), .dtype = MC_F16);
    if (fread(mc_data(t), sizeof(float), (size_t)n, file) != (size_t)n) /* expect: buffer-size error */
        abort();
    memset(mc_data(t), 0, (size_t)n); /* expect: buffer-size warning */
    return t;
}

/* Whatever shape it has, of a known dtype. */
void saved(mc_tensor *x, FILE *file)
{
    x = mc_float(x);
    float *copy = malloc((size_t)mc_numel(x));
    mc_copy_out(x, copy, mc_nbytes(x));        /* expect: buffer-size error */
    mc_copy_out(x, copy, (size_t)mc_numel(x)); /* expect: buffer-size error */
    fwrite(mc_data_f32(x), 1, (size_t)mc_numel(x), file); /* expect: buffer-size warning */
    free(copy);
}

/* Known sizes: as many bytes as elements. */
float eighth(void)
{
    mc_tensor *a = mc_full(mc_shape(8), 0.125);
    float d[8] = {0};
    memcpy(d, mc_data(a), 8); /* expect: buffer-size warning */
    return d[7];
}
