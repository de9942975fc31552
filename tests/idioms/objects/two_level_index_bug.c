#include <miscast/tensor.h>
#include <stdlib.h>

enum { HEADS = 2, LAYERS = 3 };

struct model {
    struct {
        mc_tensor *q[HEADS], *k[HEADS];
    } layers[LAYERS];
};

int main(int argc, char **argv)
{
    struct model m;
    mc_dtype d = argc > 1 && atoi(argv[1]) ? MC_BF16 : MC_F32;
    for (int l = 0; l < LAYERS; l++)
        for (int h = 0; h < HEADS; h++) {
            m.layers[l].q[h] = mc_randn(mc_shape(4, 2), .dtype = d);
            m.layers[l].k[h] = mc_randn(mc_shape(4, 2), .dtype = l < 2 ? d : MC_F32);
        }
    mc_tensor *x = mc_randn(mc_shape(3, 4), .dtype = d);
    for (int l = 0; l < LAYERS; l++)
        for (int h = 0; h < HEADS; h++) {
            mc_tensor *q = mc_matmul(x, m.layers[l].q[h]);
            mc_tensor *k = mc_matmul(x, m.layers[l].k[h]);
            mc_print(mc_matmul(q, mc_transpose(k, 0, 1)));
        }
    return 0;
}
