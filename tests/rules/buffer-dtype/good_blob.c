#include <stdlib.h>

#include <miscast/tensor.h>

mc_tensor *doubles(double *v)
{
    return mc_from_blob(v, mc_shape(8));
}

/* Halves as C has them, and bytes that were read from somewhere. */
mc_tensor *halves(unsigned short *bits, unsigned char *bytes)
{
    return mc_cat(0, mc_from_blob((void *)bytes, mc_shape(8), .dtype = MC_F16), mc_half(mc_from_blob(bytes, mc_shape(8))));
    (void)bits;
}

mc_tensor *copied(double *v)
{
    return mc_from_array(v, mc_shape(8), .dtype = MC_F32);
}

mc_tensor *told(void)
{
    float numbers[4] = {1, 2, 3, 4};
    const void *raw = numbers;
    return mc_add(mc_from_array(raw, mc_shape(4), .dtype = MC_F32), mc_from_array(numbers, mc_shape(4), .dtype = MC_F16));
}
