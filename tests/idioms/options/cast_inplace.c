#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            d = MC_F16;
    mc_tensor *w = mc_zeros(mc_shape(4, 4));
    w = mc_to_dtype(w, d);
    mc_mul_(w, 0.5);
    mc_print(mc_matmul(w, mc_ones(mc_shape(4, 4), .dtype = d)));
}
