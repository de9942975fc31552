/* The same dtype; bits of it; bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <miscast/tensor.h>

void copies(const float *numbers, const unsigned char *bytes, const uint16_t *halves)
{
    int32_t bits[4];
    mc_tensor *a = mc_zeros(mc_shape(4)), *h = mc_zeros(mc_shape(4), .dtype = MC_F16);
    memcpy(mc_data_f32(a), numbers, 4 * sizeof *numbers);
    memcpy(bits, mc_data_f32(a), sizeof bits);
    memcpy(mc_data(a), bytes, 16);
    memcpy(mc_data(h), halves, 4 * sizeof *halves);
    mc_print(a);
    mc_print(h);
}

/* Bits that were read from a file; numbers for integers. */
void from_a_file(FILE *file, mc_tensor *ids)
{
    mc_tensor *a = mc_zeros(mc_shape(4));
    uint32_t *bits = malloc(4 * sizeof *bits);
    int64_t *numbers = malloc(4 * sizeof *numbers);
    if (!bits || !numbers || fread(bits, sizeof *bits, 4, file) != 4 ||
        fread(numbers, sizeof *numbers, 4, file) != 4)
        return;
    memcpy(mc_data(a), bits, 4 * sizeof *bits);
    memcpy(mc_data_i64(ids), numbers, 4 * sizeof *numbers);
    mc_print(a);
}
