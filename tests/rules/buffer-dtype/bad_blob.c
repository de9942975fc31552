/* Tensors over memory: the dtype that is said, against what is there. */
#include <stdlib.h>

#include <miscast/tensor.h>

mc_tensor *doubles(void)
{
    double *v = malloc(8 * sizeof *v);
    for (int i = 0; i < 8; i++)
        v[i] = i;
    void *raw = v;
    return mc_from_blob(raw, mc_shape(8), .dtype = MC_F32); /* expect: buffer-dtype error */
}

mc_tensor *cast(double *v)
{
    return mc_from_blob((float *)v, mc_shape(8)); /* expect: buffer-dtype error */
}

/* The pointer's type says what is there, and cannot be overruled. */
mc_tensor *bytes(void)
{
    static uint8_t bytes[64];
    return mc_from_blob(bytes, mc_shape(16), .dtype = MC_F32); /* expect: buffer-dtype error */
}

mc_tensor *copied(void)
{
    float numbers[4] = {1, 2, 3, 4};
    const void *raw = numbers;
    return mc_from_array(raw, mc_shape(4), .dtype = MC_F64); /* expect: buffer-dtype error */
}
