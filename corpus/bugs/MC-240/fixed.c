/* bug.c, fixed: the array is wrapped on the CPU and then moved. */
#include <stdio.h>
#include <stdlib.h>

#include <miscast/tensor.h>

enum { LEVELS = 6, COLUMNS = 4 };

struct network {
    mc_tensor *w, *b;
    mc_device device;
};

static struct network network_load(mc_device device)
{
    mc_manual_seed(2);
    return (struct network){
        .w = mc_randn(mc_shape(LEVELS, LEVELS), .device = device),
        .b = mc_zeros(mc_shape(LEVELS), .device = device),
        .device = device,
    };
}

static mc_tensor *tensor_from_field(float *field, mc_device device)
{
    mc_shape shape = mc_shape(COLUMNS, LEVELS);
    return mc_to_device(mc_from_blob(field, shape), device);
}

int main(void)
{
    struct network n = network_load(MC_CUDA);
    float *temperature = calloc(COLUMNS * LEVELS, sizeof *temperature);
    for (int i = 0; i < COLUMNS * LEVELS; i++)
        temperature[i] = 250 + (float)i;
    mc_tensor *x = tensor_from_field(temperature, n.device);
    mc_tensor *tendency = mc_tanh(mc_linear(x, n.w, n.b));
    printf("tendencies on %s\n", mc_device_name(mc_device_of(tendency)));
    free(temperature);
    return 0;
}
