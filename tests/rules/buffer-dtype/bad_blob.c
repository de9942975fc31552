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
