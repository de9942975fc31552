/* Elements, whose size is asked for or is that of their type; bytes. */
#include <stdint.h>
#include <stdio.h>

#include <miscast/tensor.h>

void save(mc_tensor *x, FILE *file)
{
    mc_tensor *w = mc_double(x), *h = mc_half(x);
    size_t n = (size_t)mc_numel(w);
    fwrite(mc_data(w), sizeof(double), n, file);
    fwrite(mc_data(w), mc_dtype_size(mc_dtype_of(w)), n, file);
    fwrite(mc_data(h), sizeof(uint16_t), n, file);
    fwrite(mc_data(w), 1, mc_nbytes(w), file);
}
