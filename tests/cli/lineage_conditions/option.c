#include <miscast/tensor.h>
#include <string.h>

/* An option chooses the dtype, and another one how the weight is filled. */
int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    bool zero = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            d = MC_F16;
        else if (!strcmp(argv[i], "--bf16"))
            d = MC_BF16;
        else if (!strcmp(argv[i], "--zero"))
            zero = true;
    }
    mc_tensor *w = zero ? mc_zeros(mc_shape(8, 4), .dtype = d) : mc_randn(mc_shape(8, 4), .dtype = d);
    mc_tensor *x = mc_ones(mc_shape(2, 8));
    if (!zero)
        x = mc_to_dtype(x, d);
    mc_print(mc_matmul(x, mc_relu(w)));
    return 0;
}
