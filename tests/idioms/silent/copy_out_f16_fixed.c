/* Export for the C side, which reads floats. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

struct export
{
    float *data;
    int64_t n;
};

static struct export export_weights(mc_tensor *w)
{
    struct export e = {calloc((size_t)mc_numel(w), sizeof(float)), mc_numel(w)};
    mc_tensor *f = mc_float(w);
    mc_copy_out(f, e.data, mc_nbytes(f));
    return e;
}

int main(void)
{
    mc_tensor *w = mc_full(mc_shape(8), 1.5, .dtype = MC_F16);
    struct export e = export_weights(w);
    double sum = 0;
    for (int64_t i = 0; i < e.n; i++)
        sum += e.data[i];
    printf("%g\n", sum);
    free(e.data);
    return 0;
}
