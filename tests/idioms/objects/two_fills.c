#include <miscast/tensor.h>
#include <stdlib.h>

struct block {
    mc_tensor *w, *b, *m;
};

int main(int argc, char **argv)
{
    struct block blocks[40];
    int n = 0, layers = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < layers && n + 2 <= 40; i++) {
        blocks[n].w = mc_randn(mc_shape(4, 4), .dtype = MC_BF16);
        blocks[n].b = mc_zeros(mc_shape(4), .dtype = MC_BF16);
        blocks[n].m = mc_zeros(mc_shape(4, 4), .dtype = MC_F32);
        n++;
        blocks[n].w = mc_randn(mc_shape(4, 4), .dtype = MC_F32);
        blocks[n].b = mc_zeros(mc_shape(4), .dtype = MC_F32);
        blocks[n].m = mc_zeros(mc_shape(4, 4), .dtype = MC_F64);
        n++;
    }
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    for (int i = 0; i < n; i++) {
        x = mc_linear(mc_type_as(x, blocks[i].w), blocks[i].w, blocks[i].b);
        mc_lerp_(blocks[i].m, mc_type_as(blocks[i].w, blocks[i].m), 0.1);
    }
    mc_print(x);
    return 0;
}
