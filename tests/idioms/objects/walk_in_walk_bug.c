/* A layer for each letter, and in it a step for each letter behind it; the dtype is that of the
 * first of them. */
/* Words: hl lh */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    for (const char *p = argc > 1 ? argv[1] : "lrl"; *p; p++) {
        mc_dtype d = *p == 'h' ? MC_F16 : MC_F32;
        mc_tensor *y = mc_to_dtype(x, d);
        for (const char *q = p; *q; q++)
            y = mc_matmul(y, mc_randn(mc_shape(4, 4), .dtype = *q == 'h' ? MC_F16 : MC_F32));
        mc_print(y);
    }
    return 0;
}
