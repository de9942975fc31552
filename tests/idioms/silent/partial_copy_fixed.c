/* Weights arrive in a buffer. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static void receive(mc_tensor *w, const float *buffer)
{
    memcpy(mc_data_f32(w), buffer, mc_nbytes(w));
}

int main(void)
{
    float buffer[16];
    for (int i = 0; i < 16; i++)
        buffer[i] = 1;
    mc_tensor *w = mc_zeros(mc_shape(16));
    receive(w, buffer);
    printf("%g\n", mc_item(mc_sum(w)));
    return 0;
}
