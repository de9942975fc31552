/* Bytes of one dtype copied to where another is expected. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

void between_tensors(void)
{
    mc_tensor *a = mc_full(mc_shape(4), 0.125), *b = mc_zeros(mc_shape(4), .dtype = MC_I64);
    memcpy(mc_data_i64(b), mc_data_f32(a), 16); /* expect: buffer-dtype warning */
    mc_print(b);
}

void from_an_array(const double *numbers)
{
    mc_tensor *a = mc_zeros(mc_shape(4));
    memcpy(mc_data_f32(a), numbers, 16); /* expect: buffer-dtype warning */
    mc_print(a);
}

static int32_t *read_numbers(FILE *file, size_t n)
{
    int32_t *numbers = malloc(n * sizeof *numbers);
    if (!numbers || fread(numbers, sizeof *numbers, n, file) != n)
        exit(1);
    return numbers;
}

mc_tensor *from_a_file(FILE *file, size_t n)
{
    mc_tensor *a = mc_zeros(mc_shape((int64_t)n));
    int32_t *numbers = read_numbers(file, n);
    memcpy(mc_data(a), numbers, n * sizeof *numbers); /* expect: buffer-dtype warning */
    free(numbers);
    return a;
}
