/* Sizes that are right, or that cannot be compared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

mc_tensor *copied(const float *from, int rows, int cols)
{
    mc_tensor *t = mc_empty(mc_shape(rows, cols));
    memcpy(mc_data_f32(t), from, (size_t)rows * cols * sizeof *from);
    memcpy(mc_data_f32(t), from, (size_t)cols * sizeof *from); /* the first row */
    return t;
}

void saved(mc_tensor *x, FILE *file)
{
    x = mc_float(x);
    float *copy = malloc((size_t)mc_numel(x) * sizeof *copy), *larger = malloc(2 * mc_nbytes(x));
    mc_copy_out(x, copy, (size_t)mc_numel(x) * sizeof *copy);
    mc_copy_out(x, larger, mc_nbytes(x));
    fwrite(mc_data_f32(x), sizeof(float), (size_t)mc_numel(x), file);
    fwrite(mc_data(x), 1, mc_nbytes(x), file);
    for (int64_t i = 0; i < mc_size(x, 0); i++)
        memcpy(copy + i * mc_size(x, 1), mc_data_f32(x) + i * mc_size(x, 1), (size_t)mc_size(x, 1) * sizeof *copy);
    free(copy);
    free(larger);
}

/* Gates of one layer in one array: a quarter of it, in bytes, is the number of its elements. */
void gates(const float *all, float *first, int n)
{
    float *four = malloc(4 * (size_t)n * sizeof *four);
    memcpy(four, all, 4 * (size_t)n * sizeof *four);
    memcpy(first, four, (size_t)n * sizeof *four);
    free(four);
}

/* The first of several elements; and a buffer that grows. */
float first(void)
{
    mc_tensor *a = mc_full(mc_shape(4), 0.125);
    float d[4] = {0};
    memcpy(d, mc_data(a), sizeof d[0]);
    return d[0];
}

mc_tensor *grown(FILE *file)
{
    size_t room = 16, count = 0;
    float *numbers = malloc(room * sizeof *numbers);
    while (fread(numbers + count, sizeof *numbers, 1, file) == 1)
        if (++count == room)
            numbers = realloc(numbers, (room *= 2) * sizeof *numbers);
    mc_tensor *t = mc_from_array(numbers, mc_shape((int64_t)count));
    free(numbers);
    return t;
}
