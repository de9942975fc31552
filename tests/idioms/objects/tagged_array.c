#include <miscast/tensor.h>
#include <stdlib.h>

struct job {
    mc_tensor *in;
    int kind;
};

int main(int argc, char **argv)
{
    struct job all[64];
    int n = 0;
    mc_tensor *w32 = mc_rand(mc_shape(4, 4)), *w64 = mc_rand(mc_shape(4, 4), .dtype = MC_F64);
    for (int i = 1; i < argc; i++) {
        int wide = atoi(argv[i]) > 1;
        all[n].in = mc_rand(mc_shape(2, 4), .dtype = wide ? MC_F64 : MC_F32);
        all[n].kind = wide;
        n++;
    }
    for (int i = 0; i < n; i++)
        mc_print(mc_matmul(all[i].in, all[i].kind ? w64 : w32));
    return 0;
}
